package schedule

import (
	"encoding/json"
	"math"
	"strings"

	"mcsim/sim/result"
)

// atAttempt is how many units an attempt draws where the first draws so many: each draws
// twice as many as the one before.
func atAttempt(attempt int, units int64) int64 { return min(units, math.MaxInt64>>attempt) << attempt }

// Extends reports a cell for which the schedule, under the document's attempt or
// an earlier one, draws more than the document although a gate on it did not
// pass: the gate would be given a second chance at the same rates.
func (s *Schedule) Extends(doc *result.Document) (cell string, yes bool) {
	var plan struct{ Attempt int }
	if json.Unmarshal(doc.Plan, &plan) != nil || plan.Attempt < s.Plan.Attempt {
		return "", false
	}
	before := map[string]int64{}
	for _, c := range doc.Cells {
		before[c.ID] = c.N
	}
	var open []string // cells, or what the cells that a gate joins begin with
	for _, g := range doc.Gates {
		if g.Verdict != result.Pass {
			open = append(open, g.Cell)
		}
	}
	for _, w := range s.Works {
		n, drawn := before[w.Cell.ID]
		if !drawn || w.Drawn() <= n {
			continue
		}
		for _, o := range open {
			joined, many := strings.CutSuffix(o, "*")
			if o == w.Cell.ID || many && strings.HasPrefix(w.Cell.ID, joined) {
				return w.Cell.ID, true
			}
		}
	}
	return "", false
}
