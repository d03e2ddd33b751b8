package program

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Exit codes. Only a failed check exits with 1.
const (
	Passed      = 0
	Failed      = 1
	Bad         = 2 // usage, bad input, or a machine that refuses
	Undecided   = 3
	Shards      = 4 // and the following codes: one for each kind of error with shards
	Interrupted = 130
)

// Exit is an error that ends the program with an exit code and without a message.
type Exit int

func (c Exit) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// ExitOf returns a verdict as an exit code; nil for a pass.
func ExitOf(v result.Verdict) error {
	switch v {
	case result.Pass:
		return nil
	case result.Undecided:
		return Exit(Undecided)
	}
	return Exit(Failed)
}

// PrintError prints an error in one line. Of an error of the file system it prints the path and
// the cause, without the name of the system call.
func PrintError(w io.Writer, err error) {
	text := err.Error()
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		text = strings.Replace(text, failed.Error(), failed.Path+": "+failed.Err.Error(), 1)
	}
	Printf(w, "%s", text)
}

// Printf prints a message of the program in one line.
func Printf(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "mcsim: %s\n", names.Printable(fmt.Sprintf(format, args...)))
}
