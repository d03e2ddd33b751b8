package schedule

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/result"
)

// unitsAtAttempt returns the number of units that an attempt samples if the first samples the
// given number. Each attempt doubles it, up to the largest int64.
func unitsAtAttempt(attempt int, units int64) int64 {
	return min(units, math.MaxInt64>>attempt) << attempt
}

// tooManySamples returns the error of a cell that needs more units than are ever sampled. It does
// not name the number, which may exceed every integer type.
func tooManySamples(cell string, attempt int, by string) error {
	since := ""
	if attempt > 0 {
		since = fmt.Sprintf(" (attempt %d draws 2^%d times what the first does)", attempt, attempt)
	}
	return fmt.Errorf("cell %s asks for more than 2^50 samples (set by %s), and at most 2^50 are drawn%s", cell, by,
		since)
}

// Extends returns a cell for which the schedule, at the document's attempt or an earlier one,
// samples more units than the document has although a gate on it did not pass: the gate would get
// a second chance at the same error rates.
func (s *Schedule) Extends(doc *result.Document) (cell string, yes bool) {
	var plan struct{ Attempt int }
	if json.Unmarshal(doc.Plan, &plan) != nil || plan.Attempt < s.Plan.Attempt {
		return "", false
	}
	before := map[string]int64{}
	for _, c := range doc.Cells {
		before[c.ID] = c.N
	}
	open := slices.DeleteFunc(slices.Clone(doc.Gates), func(g result.Gate) bool { return g.Verdict == result.Pass })
	for _, w := range s.Jobs {
		n, drawn := before[w.Cell.ID]
		if !drawn || w.Units() <= n {
			continue
		}
		if slices.ContainsFunc(open, func(g result.Gate) bool { return appliesTo(g, w.Cell.ID) }) {
			return w.Cell.ID, true
		}
	}
	return "", false
}

// appliesTo reports whether a gate is on the cell or joins it with others.
func appliesTo(g result.Gate, cell string) bool {
	start, many := strings.CutSuffix(g.Cell, "*")
	return g.Cell == cell || many && strings.HasPrefix(cell, start)
}
