package schedule

import (
	"mcsim/sim/statistics/gate"
)

// countSharing is how many checks share their group's error rates.
func countSharing(checks []gate.Check) int {
	n := 0
	for _, c := range checks {
		if !c.OfShare() {
			n++
		}
	}
	return n
}

// Budget is what the gates may spend together: the α of every group of gates
// that share one, added up, with what each gate on a share spends by itself,
// and the largest β. Gates on shares alone have no β: it is 0.
func (s *Schedule) Budget() (alpha, beta float64) {
	common := false
	for _, g := range s.Groups {
		share := countSharing(g.Checks)
		alpha += float64(gate.ShareTail * float64(len(g.Checks)-share))
		if share == 0 {
			continue
		}
		beta = max(beta, g.Rates.Beta)
		if g.Entry.Rates != nil || !common {
			alpha += g.Rates.Alpha
		}
		common = common || g.Entry.Rates == nil
	}
	return min(alpha, 1), beta
}

// Short is the number of gates whose cells draw fewer samples than the gate's
// rates ask for, which a plan can demand. They may well stay undecided.
func (s *Schedule) Short() int {
	drawn := map[string]int64{}
	for _, w := range s.Works {
		drawn[w.Cell.ID] = w.Drawn()
	}
	short := 0
	for _, g := range s.Groups {
		for _, c := range g.Checks {
			if hasTooFewSamples(c, g.Rates, drawn) {
				short++
			}
		}
	}
	return short
}

// hasTooFewSamples reports whether the cells of a check draw fewer samples than its rates ask for.
func hasTooFewSamples(c gate.Check, r gate.Rates, drawn map[string]int64) bool {
	if c.OfShare() {
		return false
	}
	if c.JoinedSE != nil {
		n := make([]int64, len(c.Of))
		for i, of := range c.Of {
			n[i] = drawn[of]
		}
		return gate.Shortage(c, c.JoinedSE(n), r) > 1
	}
	return !gate.Enough(c, drawn[c.Cell], r)
}
