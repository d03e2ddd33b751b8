package scores

import (
	"math"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

func cellOf(e *experiment.Experiment, law string, d float64, exponents ...float64) experiment.Cell {
	c := experiment.NewCell(e, map[string]experiment.Value{"law": {Name: law}, "d_k": {Number: d}})
	c.ID, c.Tolerance, c.Gated = experiment.NewCell(Variance, map[string]experiment.Value{"law": {Name: law}, "d_k": {Number: d}}).ID, 0.05, true
	c.Shared = map[string][]experiment.Value{"rule": {{Name: names.RuleHalfRoot}}}
	for _, p := range exponents {
		c.Shared["exponent"] = append(c.Shared["exponent"], experiment.Value{Number: p})
	}
	return c
}

// A node whose variance is 66 at d = 64, N = 1001: by hand, 66/64^2p, and
// ln 66/(2 ln 64), raised by half of its relative variance 2/1000 + γ₂/1001.
func TestExponentRows(t *testing.T) {
	c := cellOf(Exponents, "normal", 64, 0, 0.25, 0.5, 1)
	m := moments.Moments{N: 1001, Order: 8}
	m.Sum[2] = 66 * 1000
	relative2 := 2.0/1000 + 6.0/64/1001
	type want struct{ value, se, theory float64 }
	wants := map[any]want{
		0.0: {66, 64 * math.Sqrt(relative2), 64}, 0.25: {66.0 / 8, 8 * math.Sqrt(relative2), 8},
		0.5: {66.0 / 64, math.Sqrt(relative2), 1}, 1.0: {66.0 / 4096, math.Sqrt(relative2) / 64, 1.0 / 64},
		names.RuleHalfRoot: {66.0 / 32, 2 * math.Sqrt(relative2), 2},
		nil:                {(math.Log(66) + relative2/2) / (2 * math.Log(64)), math.Sqrt(relative2) / (2 * math.Log(64)), 0.5},
	}
	rows := ExponentRows(c, moments.Node{Moments: []moments.Moments{m}}).Rows
	if len(rows) != len(wants) {
		t.Fatalf("%d rows, want %d", len(rows), len(wants))
	}
	for _, r := range rows {
		key := r.Params["exponent"]
		if rule, ok := r.Params["rule"]; ok {
			key = rule
		}
		if (key == nil) != (r.Quantity == "unit_exponent") {
			t.Errorf("%s at %v", r.Quantity, r.Params)
		}
		w := wants[key]
		for _, pair := range [][2]float64{{float64(r.Value), w.value}, {float64(r.SE), w.se}, {float64(r.Theory), w.theory}} {
			if math.Abs(pair[0]/pair[1]-1) > 1e-14 {
				t.Errorf("%s at %v: %v, want %v", r.Quantity, key, pair[0], pair[1])
			}
		}
		// 1.96 errors to either side, and the level that goes with it.
		if half := 1.959963984540054 * w.se; r.Level != 0.95 || math.Abs(float64(r.Hi-r.Value)/half-1) > 1e-9 || math.Abs(float64(r.Value-r.Lo)/half-1) > 1e-9 {
			t.Errorf("%s at %v: interval %v to %v", r.Quantity, key, r.Lo, r.Hi)
		}
	}
}

func TestSeparation(t *testing.T) {
	for _, c := range []struct {
		d, p  float64
		gated bool
	}{
		{64, 1.0 / 3, true}, {64, 1, true}, {2, 0.4, true},
		{2, 0.5, false}, {64, 0.5, false},
		{2, 0.45, false}, // 2^0.1 = 1.0718 is within 10 % of 1
		{2, 0.43, true},  // 2^0.14 = 1.1019 is not
	} {
		checks := separation(cellOf(Exponents, "normal", c.d, c.p), c.p)
		if (len(checks) == 1) != c.gated {
			t.Errorf("d = %v, p = %v: %d checks", c.d, c.p, len(checks))
			continue
		}
		for _, k := range checks {
			theory, se, band := k.At(1001)
			want := math.Pow(c.d, 1-2*c.p)
			wantSE := want * math.Sqrt(2.0/1000+6/c.d/1001)
			if k.Expect != names.ExpectOutside || math.Abs(theory/want-1) > 1e-14 || math.Abs(se/wantSE-1) > 1e-14 || band != [2]float64{0.95, 1.05} {
				t.Errorf("d = %v, p = %v: %s of %v, %v ± %v; want %v ± %v", c.d, c.p, k.Expect, band, theory, se, want, wantSE)
			}
		}
	}
}

// The slopes of the exponents are one slope, shifted by 2p, with one error.
func TestJoinExponents(t *testing.T) {
	cells := []experiment.Cell{cellOf(Exponents, "normal", 2, 0, 0.5, 1), cellOf(Exponents, "normal", 8, 0, 0.5, 1)}
	doc := &result.Document{Estimates: []result.Estimate{varianceRow("normal", 2, 2.2, 0.02), varianceRow("normal", 8, 7.9, 0.08)}}
	joinExponents(cells, doc)
	slope := math.Log(7.9/2.2) / math.Log(4) // both corrections are half of 0.01²
	se := 0.01 * math.Sqrt2 / math.Log(4)
	wants := map[any]float64{0.0: slope, 0.5: slope - 1, 1.0: slope - 2}
	seen := 0
	for _, r := range doc.Estimates[2:] {
		want, wantSE := slope/2, se/2
		if r.Quantity == "variance_slope" {
			want, wantSE = wants[r.Params["exponent"]], se
		}
		if math.Abs(float64(r.Value)-want) > 1e-14 || math.Abs(float64(r.SE)/wantSE-1) > 1e-12 || r.Cell != "variance/normal/d_k=*" {
			t.Errorf("%s at %v of %s: %v ± %v, want %v ± %v", r.Quantity, r.Params, r.Cell, r.Value, r.SE, want, wantSE)
		}
		seen++
	}
	if seen != 4 {
		t.Errorf("%d rows, want three slopes and a flat exponent", seen)
	}
	// A single dimension has no slope, and says so.
	one := &result.Document{Estimates: doc.Estimates[:1]}
	joinExponents(cells[:1], one)
	if len(one.Estimates) != 1 || len(one.Warnings) != 1 {
		t.Errorf("one dimension: %d rows, %d warnings", len(one.Estimates), len(one.Warnings))
	}
}
