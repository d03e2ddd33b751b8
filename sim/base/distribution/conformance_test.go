package distribution

import (
	"fmt"
	"math"
	"testing"

	"mcsim/sim/names"
)

// TestConformanceDistributions holds each row of the table to what every distribution needs, and
// says in a sentence what a row lacks. sim/kernel has the other half: how it is drawn, and whether
// the draws have its moments.
func TestConformanceDistributions(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range families {
		for _, what := range lacks(f) {
			t.Error(what)
		}
		if seen[f.name] {
			t.Errorf("the table of distributions has %s twice", f.name)
		}
		seen[f.name] = true
	}
}

// lacks says what a distribution is without and must have, a sentence each.
func lacks(f *family) (out []string) {
	want := func(has bool, what string, args ...any) {
		if !has {
			out = append(out, fmt.Sprintf("the distribution %q lacks "+what, append([]any{f.name}, args...)...))
		}
	}
	e, named := names.Lookup(names.GroupDistribution, f.name)
	want(named, "an entry in the table of names")
	want(!named || (e.Range != "") == (f.param != ""), "a range in the table of names, or its parameter")
	want(f.param == "" || f.lo < f.def && f.def < f.hi, "a usual parameter within its bounds")
	want(f.param != "" || f.lo == 0 && f.hi == 0 && f.def == 0, "the name of its parameter")
	want(f.moment != nil, "moments")
	if f.moment == nil || f.vector {
		return out
	}
	for _, x := range parameters(f) {
		l, last, lastRatio := Distribution{f, x}, 1.0, 1.0
		want(l.NonZero() > 0 && l.NonZero() <= 1, "a chance that a component is not 0: %v at the parameter %v", l.NonZero(), x)
		for k := 4; k <= 12; k += 2 {
			m := l.Moment(k)
			// Cauchy and Schwarz: E x^k/E x^(k−2) never falls.
			want(m/last >= lastRatio*(1-0x1p-46), "moments that a distribution can have: E x^%d = %v behind %v at the parameter %v", k, m, last, x)
			if math.IsInf(m, 1) {
				break // and so are all later ones
			}
			last, lastRatio = m, m/last
		}
	}
	return out
}

// parameters are where a distribution is looked at: its usual parameter, and for one that has
// bounds two others between them.
func parameters(f *family) []float64 {
	if f.param == "" {
		return []float64{0}
	}
	return []float64{f.def, (f.lo + f.def) / 2, f.def + (f.hi-f.def)/16}
}
