package distribution

import (
	"fmt"
	"math"
	"testing"

	"mcsim/sim/names"
)

// TestConformanceDistributions holds each row of the table to what every distribution needs, and says
// in a sentence what a row lacks. sim/kernel has the other half: how it is drawn, and
// whether the draws have its moments.
func TestConformanceDistributions(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range families {
		for _, problem := range findProblems(f) {
			t.Error(problem)
		}
		if seen[f.name] {
			t.Errorf("the table of distributions has %s twice", f.name)
		}
		seen[f.name] = true
	}
}

// findProblems says what a distribution is without and must have, a sentence each.
func findProblems(f *family) (problems []string) {
	require := func(ok bool, requirement string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Sprintf("the distribution %q lacks "+requirement, append([]any{f.name}, args...)...))
		}
	}
	e, hasEntry := names.Lookup(names.GroupDistribution, f.name)
	require(hasEntry, "an entry in the table of names")
	require(!hasEntry || (e.Range != "") == (f.param != ""), "a range in the table of names, or its parameter")
	require(f.param == "" || f.lo < f.defaultParam && f.defaultParam < f.hi, "a usual parameter within its bounds")
	require(f.param != "" || f.lo == 0 && f.hi == 0 && f.defaultParam == 0, "the name of its parameter")
	require(f.moment != nil, "moments")
	if f.moment == nil || f.isDependent {
		return problems
	}
	for _, x := range testParameters(f) {
		l, lastMoment, lastRatio := Distribution{f, x}, 1.0, 1.0
		require(l.NonZeroProbability() > 0 && l.NonZeroProbability() <= 1, "a chance that a component is not 0: %v at the parameter %v", l.NonZeroProbability(), x)
		for k := 4; k <= 12; k += 2 {
			m := l.Moment(k)
			// Cauchy and Schwarz: E x^k/E x^(k−2) never falls.
			require(m/lastMoment >= lastRatio*(1-0x1p-46), "moments that a distribution can have: E x^%d = %v behind %v at the parameter %v", k, m, lastMoment, x)
			if math.IsInf(m, 1) {
				break // and so are all later ones
			}
			lastMoment, lastRatio = m, m/lastMoment
		}
	}
	return problems
}

// testParameters are where a distribution is looked at: its usual parameter, and for one that has
// bounds two others between them.
func testParameters(f *family) []float64 {
	if f.param == "" {
		return []float64{0}
	}
	return []float64{f.defaultParam, (f.lo + f.defaultParam) / 2, f.defaultParam + (f.hi-f.defaultParam)/16}
}
