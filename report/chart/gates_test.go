package chart

import (
	"math"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

func newGate(expect string, bandLo, bandHi, lo, hi float64) result.Gate {
	return result.Gate{
		Expect: expect, Experiment: "e", Verdict: result.Pass,
		Band: [2]result.Number{result.Number(bandLo), result.Number(bandHi)},
		Lo:   result.Number(lo), Hi: result.Number(hi),
	}
}

// TestBandEstimate checks the positions of intervals relative to the bands of their gates. The
// expected positions follow from the band's centre and half-width. Positions beyond the axis must
// be at its end.
func TestBandEstimate(t *testing.T) {
	absent := math.NaN()
	for _, c := range []struct {
		gate       result.Gate
		byDistance bool
		lo, hi     float64
	}{
		{newGate(names.ExpectInside, 0.99, 1.01, 0.995, 1.01), false, -0.5, 1},
		{newGate(names.ExpectInside, -2, 2, 2.4, 4), false, 1.2, 1.5},
		{newGate(names.ExpectAtLeast, 0.95, absent, 0.94, 0.96), false, -1.4, -0.6},
		{newGate(names.ExpectAtMost, absent, 0.05, 0.045, 0.055), false, 0.8, 1.2},
		{newGate(names.ExpectOutside, 0.99, 1.01, 0.5, 0.6), true, 40, 50},
		{newGate(names.ExpectOutside, 0.99, 1.01, 1.1, 1.2), true, 10, 20},
		{newGate(names.ExpectOutside, 0.99, 1.01, 0.98, 1.03), true, 0.5, 3},
	} {
		e, ok := bandEstimate(c.gate, c.byDistance)
		if !ok || math.Abs(float64(e.Lo)-c.lo) > 1e-9 || math.Abs(float64(e.Hi)-c.hi) > 1e-9 {
			t.Errorf("%+v: got the interval [%v, %v] (shown: %v), want [%v, %v]", c.gate, e.Lo, e.Hi, ok, c.lo, c.hi)
		}
	}
	for _, g := range []result.Gate{ // without an interval, without an end of the band, of zero width
		newGate(names.ExpectInside, 0, 1, absent, absent),
		newGate(names.ExpectInside, absent, 1, 0, 1),
		newGate(names.ExpectInside, 1, 1, 1, 1),
	} {
		if e, ok := bandEstimate(g, false); ok {
			t.Errorf("%+v: got the interval [%v, %v], want the gate not to be shown", g, e.Lo, e.Hi)
		}
	}
}
