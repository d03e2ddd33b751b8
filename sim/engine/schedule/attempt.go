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
func tooManySamples(cell string, attempt int, setBy string) error {
	note := ""
	if attempt > 0 {
		note = fmt.Sprintf(" (attempt %d samples 2^%d times as many as the first)", attempt, attempt)
	}
	return fmt.Errorf("cell %s needs more than 2^50 samples (set by %s), which is the limit%s", cell, setBy, note)
}

// Extends reports whether the schedule would give a gate of the document a second chance at the
// same error rates, and at which cell. That is so if the gate did not pass, and the schedule
// samples more units of the cell than the document has, at the document's attempt or an earlier
// one.
func (s *Schedule) Extends(doc *result.Document) (cell string, ok bool) {
	var plan struct{ Attempt int }
	if json.Unmarshal(doc.Plan, &plan) != nil || plan.Attempt < s.Plan.Attempt {
		return "", false
	}
	unitsBefore := map[string]int64{}
	for _, c := range doc.Cells {
		unitsBefore[c.ID] = c.N
	}
	notPassed := slices.DeleteFunc(slices.Clone(doc.Gates),
		func(g result.Gate) bool { return g.Verdict == result.Pass })
	for _, job := range s.Jobs {
		n, known := unitsBefore[job.Cell.ID]
		if !known || job.Units() <= n {
			continue
		}
		if slices.ContainsFunc(notPassed, func(g result.Gate) bool { return appliesTo(g, job.Cell.ID) }) {
			return job.Cell.ID, true
		}
	}
	return "", false
}

// appliesTo reports whether a gate is on the cell, or on several cells including it (d_k=*).
func appliesTo(g result.Gate, cell string) bool {
	prefix, isPattern := strings.CutSuffix(g.Cell, "*")
	return g.Cell == cell || isPattern && strings.HasPrefix(cell, prefix)
}
