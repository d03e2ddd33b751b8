package show

import (
	"bytes"
	"io"
)

// unpadded leaves out the blanks at the ends of lines, which tables have where their last
// cells are empty.
type unpadded struct {
	w      io.Writer
	blanks int // that are not yet written
}

func (u *unpadded) Write(text []byte) (int, error) {
	var b bytes.Buffer
	for _, c := range text {
		switch c {
		case ' ':
			u.blanks++
			continue
		case '\n':
			u.blanks = 0
		}
		b.Write(bytes.Repeat([]byte{' '}, u.blanks))
		u.blanks = 0
		b.WriteByte(c)
	}
	_, err := u.w.Write(b.Bytes())
	return len(text), err
}
