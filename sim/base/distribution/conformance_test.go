package distribution

import (
	"fmt"
	"math"
	"testing"

	"mcsim/sim/names"
)

// TestConformanceDistributions checks each distribution of the table and reports its problems. The
// test of the same name in sim/kernel checks how it is sampled, and the moments of the samples.
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

// findProblems returns a sentence for each requirement that a distribution does not meet.
func findProblems(f *family) (problems []string) {
	require := func(ok bool, requirement string, args ...any) {
		if !ok {
			problems = append(problems,
				fmt.Sprintf("the distribution %q lacks "+requirement, append([]any{f.name}, args...)...))
		}
	}
	e, hasEntry := names.Lookup(names.GroupDistribution, f.name)
	require(hasEntry, "an entry in the table of names")
	require(!hasEntry || f.param == "" || e.Range != "", "a range of its parameter in the table of names")
	require(!hasEntry || f.param != "" || e.Range == "", "the parameter whose range is in the table of names")
	require(f.param == "" || f.lo < f.defaultParam && f.defaultParam < f.hi, "a default parameter within its bounds")
	require(f.param != "" || f.lo == 0 && f.hi == 0 && f.defaultParam == 0, "the name of its parameter")
	require(f.moment != nil, "moments")
	if f.moment == nil || f.isDependent {
		return problems
	}
	for _, x := range testParameters(f) {
		d, lastMoment, lastRatio := Distribution{f, x}, 1.0, 1.0
		require(d.NonZeroProbability() > 0 && d.NonZeroProbability() <= 1,
			"a probability in (0, 1] that a component is not 0: %v at the parameter %v", d.NonZeroProbability(), x)
		for k := 4; k <= 12; k += 2 {
			m := d.Moment(k)
			// By the Cauchy–Schwarz inequality, E x^k/E x^(k−2) never decreases with k.
			const tolerance = 0x1p-46 // relative rounding error of a ratio
			require(m/lastMoment >= lastRatio*(1-tolerance),
				"possible moments: E x^%d = %v after %v at the parameter %v", k, m, lastMoment, x)
			if math.IsInf(m, 1) {
				break // and so are all higher moments
			}
			lastMoment, lastRatio = m, m/lastMoment
		}
	}
	return problems
}

// testParameters returns the default parameter of a distribution and two others within its bounds.
func testParameters(f *family) []float64 {
	if f.param == "" {
		return []float64{0}
	}
	return []float64{f.defaultParam, (f.lo + f.defaultParam) / 2, f.defaultParam + (f.hi-f.defaultParam)/16}
}
