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
	BadInput    = 2 // wrong usage, bad input, or an error of the system
	Undecided   = 3
	ShardErrors = 4 // smallest code of an error of shards; the kind of the error is added
	Interrupted = 130
)

// Exit is an error that ends the program with this exit code and without a message.
type Exit int

func (c Exit) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// ExitWith returns an error with the exit code of a verdict; for a pass it returns nil.
func ExitWith(v result.Verdict) error {
	switch v {
	case result.Pass:
		return nil
	case result.Undecided:
		return Exit(Undecided)
	}
	return Exit(Failed)
}

// ExitCode returns the exit code for the error of a command line. It prints the error if it is not
// only an exit code.
func ExitCode(err error, stderr io.Writer) int {
	if err == nil {
		return Passed
	}
	if code, ok := errors.AsType[Exit](err); ok {
		return int(code)
	}
	PrintError(stderr, err)
	return BadInput
}

// PrintError prints an error in one line. It shortens an error of the file system to the path and
// the cause, without the name of the system call.
func PrintError(w io.Writer, err error) {
	text := err.Error()
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		text = strings.Replace(text, pathErr.Error(), pathErr.Path+": "+pathErr.Err.Error(), 1)
	}
	Printf(w, "%s", text)
}

// maxMessage is the largest length of a message in bytes. Longer ones quote a file's own text.
const maxMessage = 4096

// Printf prints a message of the program in one line of at most maxMessage bytes.
func Printf(w io.Writer, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + " …"
	}
	fmt.Fprintf(w, "mcsim: %s\n", names.Printable(text))
}
