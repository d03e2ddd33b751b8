package sim

import (
	"encoding/json"

	"mcsim/sim/result"
)

// Extends reports a cell that a gate of the document left undecided and of
// which the schedule draws more under the same attempt.
func (s *Schedule) Extends(doc *result.Document) (cell string, yes bool) {
	var plan struct{ Attempt int }
	if json.Unmarshal(doc.Plan, &plan) != nil || plan.Attempt != s.Plan.Attempt {
		return "", false
	}
	before := map[string]int64{}
	for _, c := range doc.Cells {
		before[c.ID] = c.N
	}
	undecided := map[string]bool{}
	for _, g := range doc.Gates {
		undecided[g.Cell] = undecided[g.Cell] || g.Verdict == result.Undecided
	}
	for _, w := range s.Works {
		if n, drawn := before[w.Cell.ID]; drawn && undecided[w.Cell.ID] && w.Drawn() > n {
			return w.Cell.ID, true
		}
	}
	return "", false
}
