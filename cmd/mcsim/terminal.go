package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/term"
)

// output is the standard output. It keeps the first error of a write, so that callers need not
// check every write.
type output struct {
	w   io.Writer
	err error // first error
}

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

// Columns returns the width of the terminal, or 0 if the output is not a terminal. The variable
// COLUMNS sets the width of any output.
func (o *output) Columns() int {
	columns, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if f, isFile := o.w.(*os.File); isFile && err != nil {
		columns, _, err = term.GetSize(int(f.Fd()))
	}
	if err != nil {
		return 0
	}
	return max(0, columns)
}

// Coloured reports whether the output is a terminal that shows colours. The user can turn colours
// off (no-color.org). On Windows only newer terminals count, since the old console would print the
// escape sequences.
func (o *output) Coloured() bool {
	f, isFile := o.w.(*os.File)
	isTerminal := isFile && term.IsTerminal(int(f.Fd()))
	isTurnedOff := os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"
	switch {
	case !isTerminal || isTurnedOff:
		return false
	case runtime.GOOS == "windows":
		return os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != ""
	}
	return true
}
