package chart

import (
	"math"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

func gateOf(expect string, from, to, lo, hi float64) result.Gate {
	n := func(x float64) result.Number { return result.Number(x) }
	return result.Gate{Expect: expect, Experiment: "e", Band: [2]result.Number{n(from), n(to)}, Lo: n(lo), Hi: n(hi), Verdict: result.Pass}
}

// An interval stands where its gate is judged: inside or outside of the band as it
// lies inside or outside of its own; what is beyond the axis stands at its end.
func TestPlaceInTheBand(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		gate   result.Gate
		away   bool
		lo, hi float64
	}{
		{gateOf(names.ExpectInside, 0.99, 1.01, 0.995, 1.01), false, -0.5, 1},
		{gateOf(names.ExpectInside, -2, 2, 2.4, 4), false, 1.2, 1.5},
		{gateOf(names.ExpectAtLeast, 0.95, none, 0.94, 0.96), false, -1.4, -0.6},
		{gateOf(names.ExpectAtMost, none, 0.05, 0.045, 0.055), false, 0.8, 1.2},
		{gateOf(names.ExpectOutside, 0.99, 1.01, 0.5, 0.6), true, 40, 50},
		{gateOf(names.ExpectOutside, 0.99, 1.01, 1.1, 1.2), true, 10, 20},
		{gateOf(names.ExpectOutside, 0.99, 1.01, 0.98, 1.03), true, 0.5, 3},
	} {
		e, ok := inBand(c.gate, c.away)
		if !ok || math.Abs(float64(e.Lo)-c.lo) > 1e-9 || math.Abs(float64(e.Hi)-c.hi) > 1e-9 {
			t.Errorf("%+v stands at %v to %v (%v)", c.gate, e.Lo, e.Hi, ok)
		}
	}
	for _, g := range []result.Gate{gateOf(names.ExpectInside, 0, 1, none, none), gateOf(names.ExpectInside, none, 1, 0, 1), gateOf(names.ExpectInside, 1, 1, 1, 1)} {
		if e, ok := inBand(g, false); ok {
			t.Errorf("%+v stands at %+v", g, e)
		}
	}
}
