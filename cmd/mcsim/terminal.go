package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"golang.org/x/term"
)

// output is the standard output. It remembers that something could not be
// written, so that no print needs a check of its own.
type output struct {
	w   io.Writer
	err error
}

// Write writes, and remembers the first error.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("standard output: %w", of.Err)
	}
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// Coloured reports whether a terminal shows the output, and nobody has asked for none of its
// colours (no-color.org). The old console of Windows prints their codes.
func (o *output) Coloured() bool {
	f, ok := o.w.(*os.File)
	switch {
	case !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb":
		return false
	case runtime.GOOS == "windows":
		return os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != ""
	}
	return true
}
