package show

import (
	"fmt"

	"mcsim/sim/result"
)

// Nothing but a failed check exits with 1.
const (
	Passed      = 0
	Failed      = 1
	Bad         = 2 // usage, bad input, or a machine that refuses
	Undecided   = 3
	Shards      = 4 // and further ones: a kind of trouble with shards each
	Interrupted = 130
)

// Exit ends the program with a code that is no error of its own.
type Exit int

func (c Exit) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// ExitOf is a verdict as the exit code of the program; nil for a pass.
func ExitOf(v result.Verdict) error {
	switch v {
	case result.Pass:
		return nil
	case result.Undecided:
		return Exit(Undecided)
	}
	return Exit(Failed)
}
