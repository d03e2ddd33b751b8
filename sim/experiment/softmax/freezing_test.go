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
		for quantity, truth := range map[string]float64{
			"max_weight": want["E_max"], "entropy": want["E_entropy"], "entropy_ratio": want["E_entropy_over_lnn"],
			"collision": want["E_sum_a2"], "jacobian_norm": math.Sqrt(want["E_JF2"]),
			"relative_trace": want["trJ_survival"],
		} {
			r := estimateOf(quantity)
			compared.compare(t, float64(r.Value), truth, float64(r.SE), "%s of %d keys at σ = %v", quantity, n, sigma)
			// The reference has ten digits.
			if difference := math.Abs(float64(r.Theory) - truth); r.TheoryKind != "quadrature" ||
				!(difference <= 6e-10*math.Abs(truth)) {
				t.Errorf("%s of %d keys at σ = %v: theory %v (%s), want %v", quantity, n, sigma, r.Theory, r.TheoryKind,
					truth)
			}
		}
		referenceN := want["MC_N"]
		for column, our := range map[string]struct {
			quantity string
			factor   float64
		}{
			"MC_median_max": {"max_weight_q50", 1}, "MC_median_H": {"entropy_ratio_q50", math.Log(float64(n))},
			"MC_median_JF": {"jacobian_norm_q50", 1}, "MC_median_trJ": {"relative_trace_q50", 1 - 1/float64(n)},
		} {
			r := estimateOf(our.quantity)
			// The reference has no standard error; scale ours to its number of rows.
			se := float64(r.SE) * our.factor * math.Sqrt(1+float64(r.N)/referenceN)
			// If one key has nearly all the weight, the reference has differences of numbers near
			// 1, and their roots: down to exactly 0, which no row has.
			if strings.HasPrefix(our.quantity, "jacobian") {
				se += math.Sqrt(8 * 0x1p-53)
			}
			se += 8 * 0x1p-53
			compared.compare(t, float64(r.Value)*our.factor, want[column], se, "%s of %d keys at σ = %v",
				our.quantity, n,
				sigma)
		}
		for column, quantity := range map[string]string{
			"MC_P_max_gt_0p9": "max_weight_above_90_percent", "MC_P_max_gt_0p99": "max_weight_above_99_percent",
		} {
			r := estimateOf(quantity)
			compared.compareProportions(t, float64(r.Value), float64(r.N), want[column], referenceN,
				"%s of %d keys at σ = %v", quantity,
				n, sigma)
		}
	}
	if compared != 24*12 {
		t.Errorf("%d comparisons, want %d", compared, 24*12)
	}
}
