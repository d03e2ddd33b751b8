package plot

import (
	"math"
	"slices"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

func gateOf(expect string, from, to, lo, hi float64) result.Gate {
	n := func(x float64) result.Number { return result.Number(x) }
	return result.Gate{Expect: expect, Experiment: "e", Band: [2]result.Number{n(from), n(to)}, Lo: n(lo), Hi: n(hi), Verdict: result.Pass}
}

// An interval stands where its gate is judged: inside or outside of the shaded band as it
// lies inside or outside of its own.
func TestPlaceInTheBand(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		gate   result.Gate
		away   bool
		lo, hi float64
	}{
		{gateOf(names.ExpectInside, 0.99, 1.01, 0.995, 1.01), false, -0.5, 1},
		{gateOf(names.ExpectInside, -2, 2, 3, 4), false, 1.5, 2},
		{gateOf(names.ExpectAtLeast, 0.95, none, 0.94, 0.96), false, -1.4, -0.6},
		{gateOf(names.ExpectAtMost, none, 0.05, 0.045, 0.055), false, 0.8, 1.2},
		{gateOf(names.ExpectOutside, 0.99, 1.01, 0.5, 0.6), true, 40, 50},
		{gateOf(names.ExpectOutside, 0.99, 1.01, 1.1, 1.2), true, 10, 20},
		{gateOf(names.ExpectOutside, 0.99, 1.01, 0.98, 1.03), true, 0, 3},
	} {
		m, ok := markOf(c.gate, c.away)
		if !ok || math.Abs(m.Lo-c.lo) > 1e-9 || math.Abs(m.Hi-c.hi) > 1e-9 {
			t.Errorf("%+v stands at %v to %v (%v)", c.gate, m.Lo, m.Hi, ok)
		}
	}
	for _, g := range []result.Gate{gateOf(names.ExpectInside, 0, 1, none, none), gateOf(names.ExpectInside, none, 1, 0, 1), gateOf(names.ExpectInside, 1, 1, 1, 1)} {
		if m, ok := markOf(g, false); ok {
			t.Errorf("%+v stands at %+v", g, m)
		}
	}
}

// Every gate of the document stands in one strip of its experiment, sorted, or is counted
// as not drawn.
func TestStripsHoldEveryGate(t *testing.T) {
	doc := &result.Document{}
	for i := range 5 {
		x := float64((7 * i) % 5)
		doc.Gates = append(doc.Gates, gateOf(names.ExpectInside, -9, 9, x-1, x+1))
	}
	doc.Gates = append(doc.Gates, gateOf(names.ExpectInside, -1, 1, math.NaN(), 0), gateOf(names.ExpectOutside, -1, 1, 2, 3))
	doc.Gates[2].Experiment = "f"
	p := Data{Panel: Panel{Gates: &Gates{Expects: []string{names.ExpectInside}}}}
	p.selectGates(*p.Gates, doc)
	if len(p.Strips) != 2 || len(p.Strips[0].Marks) != 4 || len(p.Strips[1].Marks) != 1 || len(p.Shown) != 5 {
		t.Fatalf("%+v", p.Strips)
	}
	if !slices.IsSortedFunc(p.Strips[0].Marks, func(a, b GateMark) int { return int(a.Lo - b.Lo) }) || !slices.Equal(p.RowNames, []string{"e, 4", "f, 1"}) {
		t.Errorf("%+v, %q", p.Strips[0].Marks, p.RowNames)
	}
}
