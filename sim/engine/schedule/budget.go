package schedule

import (
	"mcsim/sim/statistics/gate"
)

// countSharing returns the number of checks that share an α. Checks on proportions have their own.
func countSharing(checks []gate.Check) int {
	n := 0
	for _, c := range checks {
		if !c.IsProportion() {
			n++
		}
	}
	return n
}

// Budget returns the error rates of all gates together. alpha is the sum of every α that gates
// share, and of the α of each gate on a proportion. beta is the largest β, or 0 if all gates are on
// proportions.
func (s *Schedule) Budget() (alpha, beta float64) {
	countedCommon := false // the α that entries without their own rates share
	for _, g := range s.Entries {
		sharing := countSharing(g.Checks)
		alpha += float64(gate.ProportionTail * float64(len(g.Checks)-sharing))
		if sharing == 0 {
			continue
		}
		beta = max(beta, g.Rates.Beta)
		hasOwnRates := g.Entry.Rates != nil
		if hasOwnRates || !countedCommon {
			alpha += g.Rates.Alpha
		}
		countedCommon = countedCommon || !hasOwnRates
	}
	return min(alpha, 1), beta
}

// Short returns the number of gates whose cells have fewer samples than their rates need, and the
// largest number of units that such a gate of one cell needs. A plan that gives the number of
// samples can cause this; such gates may stay undecided.
func (s *Schedule) Short() (count int, needed int64) {
	units := map[string]int64{}
	for _, job := range s.Jobs {
		units[job.Cell.ID] = job.Units()
	}
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			if !hasTooFewSamples(c, g.Rates, units) {
				continue
			}
			count++
			n, err := gate.Samples(c, g.Rates)
			if err == nil && c.JoinedSE == nil {
				needed = max(needed, n)
			}
		}
	}
	return count, needed
}

// hasTooFewSamples reports whether the cells of a check have fewer samples than its rates need.
func hasTooFewSamples(c gate.Check, r gate.Rates, units map[string]int64) bool {
	if c.IsProportion() {
		return false
	}
	if c.JoinedSE != nil {
		n := make([]int64, len(c.Cells))
		for i, cell := range c.Cells {
			n[i] = units[cell]
		}
		return gate.Shortage(c, c.JoinedSE(n), r) > 1
	}
	return !gate.IsEnough(c, units[c.Cell], r)
}
