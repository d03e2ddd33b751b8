package result

import (
	"errors"
	"fmt"

	"mcsim/sim/names"
)

// Claim is what a text says about attention scores, with what was found of it.
type Claim struct {
	ID     string `json:"id"`
	Source string `json:"source"`
	Text   string `json:"text"` // what is claimed, not in the words of the source
	Kind   string `json:"kind"` // what settles it
	Hedge  string `json:"hedge,omitempty"`
	// Published has the numbers as the source prints them, or the formula that stands for them.
	Published []string `json:"published,omitempty"`
	By        string   `json:"by,omitempty"` // the function that the numbers are held against
	// Value has its numbers, Lo and Hi the least and the greatest that they can be, given
	// what the printed inputs were rounded from.
	Value []Number `json:"value,omitempty"`
	Lo    []Number `json:"lo,omitempty"`
	Hi    []Number `json:"hi,omitempty"`
	// Off is by how much the worst of the published numbers lies outside of that, and Allowed
	// what its rounding and its hedge allow: the verdict turns where one is the other.
	Off        Number      `json:"off"`
	Allowed    Number      `json:"allowed"`
	Conditions []Condition `json:"conditions,omitempty"` // of a claim in words
	NotSampled []string    `json:"undrawn,omitempty"`    // cells that it reads and that are not drawn
	Verdict    string      `json:"verdict"`
	Why        string      `json:"why,omitempty"`
	Repeats    string      `json:"repeats,omitempty"` // the claim whose error this one has, too
	Mistake    string      `json:"mistake,omitempty"` // the kind of mistake, where it does not hold
	Address    string      `json:"address,omitempty"` // of the line of the text
	// Evidence and Dated are those of a verdict that was not computed.
	Evidence string `json:"evidence,omitempty"`
	Dated    string `json:"dated,omitempty"`
}

// Condition is what a claim in words comes down to: what it reads lies from Least on, and
// below Most, where these are there.
type Condition struct {
	Sense       string `json:"sense"` // literal or weakened, or any of these, or because
	Reading     string `json:"reads"` // a row or a function with its arguments
	Divisor     string `json:"over,omitempty"`
	Requirement string `json:"is"`                   // what it wants, as the ledger has it
	Experiment  string `json:"experiment,omitempty"` // of the row
	Cell        string `json:"cell,omitempty"`
	Value       Number `json:"value"`
	Lo          Number `json:"lo"`
	Hi          Number `json:"hi"`
	Min         Number `json:"least"`
	Max         Number `json:"most"`
	Met         string `json:"met"`
	Why         string `json:"why,omitempty"` // why it is open
}

// ErrClaim is the error of a claim with fewer numbers than it should have.
var ErrClaim = errors.New("has a claim whose numbers are not as many as it says")

// CheckClaims refuses claims with a number that lacks one of its bounds.
func CheckClaims(claims []Claim) error {
	for i := range claims {
		if c := &claims[i]; len(c.Lo) != len(c.Value) || len(c.Hi) != len(c.Value) {
			return fmt.Errorf("%w: %s", ErrClaim, names.Printable(c.ID))
		}
	}
	return nil
}
