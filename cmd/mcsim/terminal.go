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

// output is the standard output. It keeps the first error, so that callers need not check each
// print.
type output struct {
	w   io.Writer
	err error
}

// Write writes b and keeps the first error.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("standard output: %w", pathErr.Err)
	}
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// Coloured reports whether the output is a terminal that shows colours. The user can turn them off
// (no-color.org), and the old console of Windows would print their codes.
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
