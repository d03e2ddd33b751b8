// Package exit has the codes that mcsim ends with.
package exit

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

// Code ends the program with a code that is no error of its own.
type Code int

func (c Code) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// Of is a verdict as the exit code of the program; nil for a pass.
func Of(v result.Verdict) error {
	switch v {
	case result.Pass:
		return nil
	case result.Undecided:
		return Code(Undecided)
	}
	return Code(Failed)
}
