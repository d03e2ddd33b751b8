package softmax

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

func freezingCell(keys int, sigmas ...float64) experiment.Cell {
	c := experiment.NewCell(Freezing, map[string]experiment.Value{"keys": {Number: float64(keys)}})
	c.Shared = map[string][]experiment.Value{}
	for _, s := range sigmas {
		c.Shared["sigma"] = append(c.Shared["sigma"], experiment.Value{Number: s})
	}
	c.Tolerance, c.Gated = 0.01, true
	return c
}

// Another program's expectations of softmax over independent normal logits,
// and what it simulated.
func TestFreezingAgainstReference(t *testing.T) {
	againstFreezing(t, shorter(1<<15))
}

func againstFreezing(t *testing.T, rows int64) {
	reference := experimenttest.Table(t, "../../theory/testdata/softmax_reference.csv")
	sigmas := map[int][]float64{}
	for _, want := range reference {
		n := int(want["n"])
		sigmas[n] = append(sigmas[n], want["sigma"])
	}
	found := map[int]experiment.Findings{}
	for n, all := range sigmas {
		c := freezingCell(n, all...)
		found[n] = freezingFindings(c, experimenttest.DrawnRows(c, rows))
	}
	var far experimenttest.Largest
	for _, want := range reference {
		n, sigma := int(want["n"]), want["sigma"]
		row := func(quantity string) result.Estimate {
			return experimenttest.RowAt(t, found[n], quantity, "sigma", sigma)
		}
		for quantity, truth := range map[string]float64{
			"max_weight": want["E_max"], "entropy": want["E_entropy"], "entropy_ratio": want["E_entropy_over_lnn"],
			"collision": want["E_sum_a2"], "jacobian_norm": math.Sqrt(want["E_JF2"]),
			"gradient_survival": want["trJ_survival"], "off_peak_trace": want["E_offmax_trJ"],
		} {
			r := row(quantity)
			far.Hold(t, float64(r.Value), truth, float64(r.SE), "%s of %d keys at σ = %v", quantity, n, sigma)
			// The table has ten digits.
			if off := math.Abs(float64(r.Theory) - truth); r.TheoryKind != "quadrature" || !(off <= 6e-10*math.Abs(truth)) {
				t.Errorf("%s of %d keys at σ = %v: theory %v (%s), want %v", quantity, n, sigma, r.Theory, r.TheoryKind, truth)
			}
		}
		theirs := want["MC_N"]
		for column, ours := range map[string]struct {
			quantity string
			factor   float64
		}{
			"MC_median_max": {"max_weight_q50", 1}, "MC_median_H": {"entropy_ratio_q50", math.Log(float64(n))},
			"MC_median_JF": {"jacobian_norm_q50", 1}, "MC_median_trJ": {"gradient_survival_q50", 1 - 1/float64(n)},
		} {
			r := row(ours.quantity)
			// Their error is that of as many rows of ours.
			se := float64(r.SE) * ours.factor * math.Sqrt(1+float64(r.N)/theirs)
			// Where hardly anything is left beside one key, theirs are differences of
			// numbers near 1, and roots of such: down to exactly 0, which no row has.
			if strings.HasPrefix(ours.quantity, "jacobian") {
				se += math.Sqrt(8 * 0x1p-53)
			}
			se += 8 * 0x1p-53
			far.Hold(t, float64(r.Value)*ours.factor, want[column], se, "%s of %d keys at σ = %v", ours.quantity, n, sigma)
		}
		for column, quantity := range map[string]string{
			"MC_P_max_gt_0p9": "max_weight_above_90_percent", "MC_P_max_gt_0p99": "max_weight_above_99_percent",
		} {
			r := row(quantity)
			far.HoldShares(t, float64(r.Value), float64(r.N), want[column], theirs, "%s of %d keys at σ = %v", quantity, n, sigma)
		}
	}
	if far.Count != 24*13 {
		t.Errorf("%d comparisons, want %d", far.Count, 24*13)
	}
	far.Log(t)
}

// Between the reference's points, and at its ends, against quadrature.
func TestFreezingAgainstTheory(t *testing.T) {
	var far experimenttest.Largest
	for _, keys := range []int{2, 3, 16, 33, 1000, 4096} {
		c := freezingCell(keys, 0, 0.125, 0.75, 1.5, 3, 40, 1e6)
		f := freezingFindings(c, experimenttest.DrawnRows(c, 4096))
		for _, r := range f.Rows {
			if !r.Theory.Present() {
				continue
			}
			sigma, _ := r.Params.Number("sigma")
			if r.SE == 0 || !r.SE.Present() {
				// Equal weights do not vary; and at σ = 10⁶ a row that is not on one key alone is rare.
				if sigma == 0 && math.Abs(float64(r.Value-r.Theory)) > 8*0x1p-52*max(1, float64(r.Theory)) || sigma > 0 && sigma < 1e6 {
					t.Errorf("%s of %s at σ = %v is %v without an error, theory %v", r.Quantity, r.Cell, sigma, r.Value, r.Theory)
				}
				continue
			}
			if sigma == 0 {
				t.Errorf("%s of equal weights has the error %v", r.Quantity, r.SE)
			}
			if !r.Level.Present() {
				continue // too few rows are away from saturation for its error to be known
			}
			far.Hold(t, float64(r.Value), float64(r.Theory), float64(r.SE), "%s of %s at σ = %v", r.Quantity, r.Cell, sigma)
		}
	}
	far.Log(t)
}

// Weights, entropy and gradient of independent logits depend on the keys and σ
// alone: with d_k of many, softmax at p = ½ is freezing at σ = 1, but for 1/d_k.
func TestFreezingIsManyDimensions(t *testing.T) {
	const d = 4096
	c, one := softmaxCell("normal", d, 8, names.No, 0.5), freezingCell(8, 1)
	f, g := softmaxFindings(c, experimenttest.DrawnRows(c, 4096)), freezingFindings(one, experimenttest.DrawnRows(one, 1<<16))
	var far experimenttest.Largest
	for _, q := range rows.MeanQuantities {
		if q.Gradient {
			continue
		}
		a, b := experimenttest.RowAt(t, f, q.Name, "exponent", 0.5), experimenttest.RowAt(t, g, q.Name, "sigma", 1.0)
		far.Hold(t, float64(a.Value), float64(b.Value), math.Hypot(float64(a.SE), float64(b.SE)), "%s", q.Name)
	}
	far.Log(t)
}

func TestFreezingCells(t *testing.T) {
	for _, keys := range []int{2, 3, 100, 4096} {
		c := freezingCell(keys, 1, 2)
		units := Freezing.BlockUnits(c)
		n := experimenttest.Drawn(c, 2)
		if units%16 != 0 || len(n.Moments) != len(Freezing.Columns(c)) || n.Moments[0].N != 2*units {
			t.Errorf("%s: %d columns of %d numbers, want %d of %d", c.ID, len(n.Moments), n.Moments[0].N, len(Freezing.Columns(c)), 2*units)
		}
		for i, h := range n.Histograms {
			scaling, of := i/rows.Histograms, i%rows.Histograms
			if h.Total() != 2*units {
				t.Errorf("%s: histogram %d of scaling %d counts %d", c.ID, of, scaling, h.Total())
			}
		}
	}
	if a, b := freezingCell(8, 1, 2), freezingCell(8, 2); a.ID != "freezing/keys=8" || a.ID != b.ID || a.Key() == b.Key() {
		t.Errorf("%s is kept as %+v with two σ and as %+v with one", a.ID, a.Key(), b.Key())
	}
}

// Of logits that are drawn directly there are no gradients by vectors.
func TestFreezingRows(t *testing.T) {
	c := freezingCell(8, 0.5, 3)
	f := freezingFindings(c, experimenttest.DrawnRows(c, 4096))
	for _, r := range f.Rows {
		if strings.HasPrefix(r.Quantity, "key_gradient") || strings.HasPrefix(r.Quantity, "query_gradient") {
			t.Errorf("a row %s", r.Quantity)
		}
		wants := (r.Quantity != "effective_keys" && !strings.HasPrefix(r.Quantity, "keys_above")) &&
			!strings.Contains(r.Quantity, "_q") && !strings.HasSuffix(r.Quantity, "_share") && !strings.HasPrefix(r.Quantity, "max_weight_")
		if wants != r.Theory.Present() {
			t.Errorf("%s has the theory %v", r.Quantity, r.Theory)
		}
		if r.Level.Present() && !(r.Lo <= r.Value && r.Value <= r.Hi) {
			t.Errorf("%s is %v, between %v and %v", r.Quantity, r.Value, r.Lo, r.Hi)
		}
	}
	// 10 means, 6 shares and 5 quantiles of 7 quantities, at two σ
	if len(f.Rows) != 2*(10+6+35) {
		t.Errorf("%d rows, want %d", len(f.Rows), 2*(10+6+35))
	}
	checks := Freezing.Gates([]experiment.Cell{c, {Gated: false}})
	var names []string
	for _, k := range checks {
		names = append(names, k.Quantity)
	}
	if want := []string{"max_weight", "entropy_ratio", "gradient_survival", "jacobian_norm", "off_peak_trace"}; !slices.Equal(names[:5], want) || len(checks) != 10 {
		t.Errorf("gates on %v", names)
	}
}

// The line of freezing is √(2 ln n); those of quadrature run over σ.
func TestFreezingLines(t *testing.T) {
	doc := &result.Document{}
	joinFreezing([]experiment.Cell{freezingCell(8, 0.5, 3), freezingCell(64, 0.5)}, doc)
	lines := 0
	for _, curve := range doc.Curves {
		switch {
		case curve.Quantity == "freezing_sigma":
			if n := len(curve.X); n < 15 || curve.X[0] != 8 || curve.X[n-1] != 64 || !slices.IsSorted(curve.X) || curve.Kind != "limit" {
				t.Errorf("%+v", curve)
			}
			for i, keys := range curve.X {
				if math.Abs(float64(curve.Y[i])-math.Sqrt(2*math.Log(float64(keys)))) > 4*0x1p-52 {
					t.Errorf("%v keys freeze at %v", keys, curve.Y[i])
				}
			}
			lines++
		case curve.Kind == "quadrature":
			lines++
			if keys, _ := curve.Params.Number("keys"); keys != 8 {
				continue
			}
			if fmt.Sprint(curve.X) != "[0.5 3]" || curve.Axis != "sigma" {
				t.Errorf("%+v", curve)
			}
			if curve.Quantity == "max_weight" && float64(curve.Y[1]) != theory.SoftmaxOf(8, 3).MaxWeight {
				t.Errorf("%+v", curve)
			}
		}
	}
	if lines != 2*7+1 {
		t.Errorf("%d lines of quadrature and of freezing, want %d", lines, 2*7+1)
	}
}
