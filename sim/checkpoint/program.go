package checkpoint

import (
	"crypto/sha256"
	"io"
	"os"
	"sync"
)

// Program is a hash of the file of this program, which tells what a state of it means; false
// where the file cannot be read.
var Program = sync.OnceValues(func() (sum [sha256.Size]byte, ok bool) {
	path, err := os.Executable()
	if err != nil {
		return sum, false
	}
	f, err := os.Open(path)
	if err != nil {
		return sum, false
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return sum, false
	}
	return [sha256.Size]byte(h.Sum(nil)), true
})
