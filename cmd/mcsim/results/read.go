package results

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/klauspost/compress/gzip"

	"mcsim/sim/result"
)

// Read decodes the document. It also returns a function that reads the text of the document again,
// from memory, so that the file may be a pipe.
func (l Location) Read() (reopen result.Opener, doc *result.Document, err error) {
	Sweep(l.Dir())
	file, size, err := open(l.File)
	if errors.Is(err, fs.ErrNotExist) && l.isRunDocument() {
		return nil, nil, fmt.Errorf("%w; %s", err, l.describeMissing())
	}
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	var buffer bytes.Buffer // all bytes that were read from the file, packed or not
	buffer.Grow(int(min(size, result.MaxSize)))
	rest := io.TeeReader(file, &buffer) // the unread bytes, which it copies to the buffer
	reopen = func() (io.Reader, int64, error) {
		return unpack(io.MultiReader(bytes.NewReader(buffer.Bytes()), rest), size)
	}
	if _, _, err := reopen(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", l.File, err)
	}
	doc, err = result.Read(reopen)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", l.File, err)
	}
	rest = io.MultiReader() // empty: the buffer has the whole text, and the file is closed
	return reopen, doc, nil
}

// notExistError reports a missing file in the same words on every system.
type notExistError struct{ path string }

func (e notExistError) Error() string { return e.path + ": does not exist" }

func (notExistError) Is(target error) bool { return target == fs.ErrNotExist }

// open opens a file and returns its size. O_NONBLOCK lets it return for a pipe without a writer,
// which is then read as an empty file.
func open(path string) (file *os.File, size int64, err error) {
	file, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, notExistError{path}
	}
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s: is a folder, not a file", path)
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// unpack returns the content of a file, packed or not, and the approximate size of the content.
func unpack(file io.Reader, size int64) (io.Reader, int64, error) {
	gzipMagic := []byte{0x1f, 0x8b} // the first bytes of a packed file (RFC 1952)
	const typicalRatio = 8          // of the size of a document to its packed size
	buffered := bufio.NewReader(file)
	head, _ := buffered.Peek(len(gzipMagic)) // on an error the head is shorter
	if !bytes.Equal(head, gzipMagic) {
		return buffered, size, nil
	}
	unpacked, err := gzip.NewReader(buffered)
	return unpacked, typicalRatio * size, err
}

// ReadText returns the content of a file, packed or not. It stops after maxSize + 1 bytes, so that
// the caller can detect a larger file.
func ReadText(path string, maxSize int64) (text []byte, err error) {
	err = ReadWith(path, func(r io.Reader) (err error) {
		text, err = io.ReadAll(io.LimitReader(r, maxSize+1))
		return err
	})
	return text, err
}

// ReadWith calls read with the content of a file, packed or not.
func ReadWith(path string, read func(io.Reader) error) error {
	file, size, err := open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	content, _, err := unpack(file, size)
	if err == nil {
		err = read(content)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
