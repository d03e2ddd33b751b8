package result

import (
	"errors"
	"fmt"

	"mcsim/sim/names"
)

// Claim is a statement of a text about attention scores, with the result of its check.
type Claim struct {
	ID     string `json:"id"`
	Source string `json:"source"`
	Text   string `json:"text"` // the claim, not in the words of the source
	Kind   string `json:"kind"` // kind of the check
	Hedge  string `json:"hedge,omitempty"`
	// Published are the numbers as the source prints them, or the formula that gives them.
	Published []string `json:"published,omitempty"`
	Function  string   `json:"by,omitempty"` // function with which the numbers are compared
	// Value are the function's numbers, Lo and Hi their bounds, given the rounding of the printed
	// inputs.
	Value []Number `json:"value,omitempty"`
	Lo    []Number `json:"lo,omitempty"`
	Hi    []Number `json:"hi,omitempty"`
	// Distance is the largest distance of a published number from its bounds. Allowed is the
	// distance that the rounding of the number and the hedge allow. The verdict depends on which of
	// the two is larger.
	Distance   Number      `json:"off"`
	Allowed    Number      `json:"allowed"`
	Conditions []Condition `json:"conditions,omitempty"` // conditions of a claim in words
	NotSampled []string    `json:"undrawn,omitempty"`    // cells that the claim needs and that were not sampled
	Verdict    string      `json:"verdict"`
	Why        string      `json:"why,omitempty"`
	Repeats    string      `json:"repeats,omitempty"` // ID of the claim that has the same error
	Mistake    string      `json:"mistake,omitempty"` // kind of the mistake, if the claim does not hold
	Address    string      `json:"address,omitempty"` // URL of the line of the text
	// Evidence and Dated support a verdict that was not computed.
	Evidence string `json:"evidence,omitempty"`
	Dated    string `json:"dated,omitempty"`
}

// Condition is a part of a claim in words. It is met if Value is at least Min and below Max. An
// absent Min or Max does not limit Value.
type Condition struct {
	Sense       string `json:"sense"`                // literal, weakened, any or because
	Reading     string `json:"reads"`                // an estimate, or a function with its arguments
	Divisor     string `json:"over,omitempty"`       // estimate or function by which the reading is divided
	Requirement string `json:"is"`                   // the requirement, in the words of the ledger of claims
	Experiment  string `json:"experiment,omitempty"` // experiment of the estimate
	Cell        string `json:"cell,omitempty"`
	Value       Number `json:"value"`
	Lo          Number `json:"lo"`
	Hi          Number `json:"hi"`
	Min         Number `json:"least"`
	Max         Number `json:"most"`
	Met         string `json:"met"`
	Why         string `json:"why,omitempty"` // reason if the condition is not settled
}

// ErrClaimBounds is the error of a claim with a number that lacks one of its bounds.
var ErrClaimBounds = errors.New("number of a claim without bounds")

// CheckClaims returns ErrClaimBounds, with the claim's ID, if a number of a claim lacks a bound.
func CheckClaims(claims []Claim) error {
	for i := range claims {
		if c := &claims[i]; len(c.Lo) != len(c.Value) || len(c.Hi) != len(c.Value) {
			return fmt.Errorf("%w: %s", ErrClaimBounds, names.Printable(c.ID))
		}
	}
	return nil
}
