package softmax

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/result"
)

func newFreezingCell(keys int, sigmas ...float64) experiment.Cell {
	c := experiment.NewCell(Freezing, map[string]experiment.AxisValue{"keys": {Number: float64(keys)}})
	c.Shared = map[string][]experiment.AxisValue{}
	for _, s := range sigmas {
		c.Shared["sigma"] = append(c.Shared["sigma"], experiment.AxisValue{Number: s})
	}
	c.Tolerance, c.Gated = 0.01, true
	return c
}

// TestFreezingAgainstReference compares estimates and theory with softmax_reference.csv, a table of
// another program with its quadratures (E_…) and simulations (MC_…).
func TestFreezingAgainstReference(t *testing.T) {
	compareFreezingWithReference(t, reduceIfShort(1<<15))
}

func compareFreezingWithReference(t *testing.T, rows int64) {
	reference := readTable(t, "../../statistics/theory/testdata/softmax_reference.csv")
	sigmas := map[int][]float64{}
	for _, want := range reference {
		n := int(want["n"])
		sigmas[n] = append(sigmas[n], want["sigma"])
	}
	estimates := map[int]experiment.CellEstimates{}
	for n, values := range sigmas {
		c := newFreezingCell(n, values...)
		estimates[n] = freezingEstimates(c, experimenttest.SampleRows(c, rows))
	}
	var compared comparisons
	for _, want := range reference {
		n, sigma := int(want["n"]), want["sigma"]
		estimateOf := func(quantity string) result.Estimate {
			return experimenttest.EstimateAt(t, estimates[n], quantity, "sigma", sigma)
		}
		for quantity, wantMean := range map[string]float64{
			"max_weight": want["E_max"], "entropy": want["E_entropy"], "entropy_ratio": want["E_entropy_over_lnn"],
			"collision": want["E_sum_a2"], "jacobian_norm": math.Sqrt(want["E_JF2"]),
			"relative_trace": want["trJ_survival"],
		} {
			r := estimateOf(quantity)
			compared.compare(t, float64(r.Value), wantMean, float64(r.SE), "%s of %d keys at σ = %v", quantity, n,
				sigma)
			if r.TheoryKind != "quadrature" {
				t.Errorf("%s of %d keys at σ = %v: theory is of kind %q, want quadrature", quantity, n, sigma,
					r.TheoryKind)
			}
			// The reference has ten digits.
			if difference := math.Abs(float64(r.Theory) - wantMean); !(difference <= 6e-10*math.Abs(wantMean)) {
				t.Errorf("%s of %d keys at σ = %v: got theory %v, want %v", quantity, n, sigma, r.Theory, wantMean)
			}
		}
		referenceN := want["MC_N"]
		for column, median := range map[string]struct {
			quantity string
			factor   float64 // reference/our quantity
		}{
			"MC_median_max": {"max_weight_q50", 1}, "MC_median_H": {"entropy_ratio_q50", math.Log(float64(n))},
			"MC_median_JF": {"jacobian_norm_q50", 1}, "MC_median_trJ": {"relative_trace_q50", 1 - 1/float64(n)},
		} {
			r := estimateOf(median.quantity)
			// The reference has no standard error. The standard error of the difference follows
			// from ours and the two numbers of rows.
			se := float64(r.SE) * median.factor * math.Sqrt(1+float64(r.N)/referenceN)
			// If one key has nearly all the weight, the numbers of the reference are rounded
			// differences of numbers near 1, or their square roots. They can be 0, but ours cannot.
			const rounding = 8 * 0x1p-53
			if strings.HasPrefix(median.quantity, "jacobian") {
				se += math.Sqrt(rounding)
			}
			se += rounding
			compared.compare(t, float64(r.Value)*median.factor, want[column], se, "%s of %d keys at σ = %v",
				median.quantity, n, sigma)
		}
		for column, quantity := range map[string]string{
			"MC_P_max_gt_0p9": "max_weight_above_90_percent", "MC_P_max_gt_0p99": "max_weight_above_99_percent",
		} {
			r := estimateOf(quantity)
			compared.compareProportions(t, float64(r.Value), float64(r.N), want[column], referenceN,
				"%s of %d keys at σ = %v", quantity, n, sigma)
		}
	}
	const lines, comparisonsPerLine = 24, 12
	if want := comparisons(lines * comparisonsPerLine); compared != want {
		t.Errorf("got %d comparisons, want %d", compared, want)
	}
}
