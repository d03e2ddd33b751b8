package softmax

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/names"
)

func newSoftmaxCell(distribution string, d, keys int, shared string, exponents ...float64) experiment.Cell {
	c := experiment.NewCell(Experiment, map[string]experiment.AxisValue{
		"distribution": {Name: distribution}, "d_k": {Number: float64(d)}, "keys": {Number: float64(keys)},
		"shared_keys": {Name: shared}})
	c.Shared = map[string][]experiment.AxisValue{}
	for _, p := range exponents {
		c.Shared["exponent"] = append(c.Shared["exponent"], experiment.AxisValue{Number: p})
	}
	c.Tolerance, c.Gated = 0.01, true
	return c
}

// TestSoftmaxAgainstSimulation compares with the rows of eight keys of another program, 10⁶ for
// each d_k and p.
func TestSoftmaxAgainstSimulation(t *testing.T) {
	compareSoftmaxWithReference(t, reduceIfShort(1<<16))
}

// reduceIfShort returns the number of rows, divided by 8 under -short.
func reduceIfShort(rows int64) int64 {
	if testing.Short() {
		return rows / 8
	}
	return rows
}

func compareSoftmaxWithReference(t *testing.T, rows int64) {
	const referenceN = 1e6
	var compared comparisons
	for _, want := range readTable(t, "../../statistics/theory/testdata/relative_trace_n8.csv") {
		d, p := int(want["d_k"]), want["p"]
		c := newSoftmaxCell("normal", d, 8, names.No, p)
		f := softmaxEstimates(c, experimenttest.SampleRows(c, rows))
		uniform := math.Sqrt(7) / 8 // ‖J‖_F of eight uniform weights
		for _, q := range []struct {
			quantity, column, se string
			factor               float64 // to multiply our estimate with
		}{
			{"relative_trace", "mean_R", "se_mean_R", 1},
			{"relative_trace_q50", "median_R", "se_median_R", 1},
			{"jacobian_norm_q50", "median_JF_ratio", "se_median_JF", 1 / uniform},
			{"key_gradient_q50", "median_key_grad", "se_median_key_grad", 1},
			{"key_gradient", "rms_key_grad", "", 1},
			{"max_weight_q50", "median_max", "se_median_max", 1},
			{"entropy_ratio_q50", "median_H", "", math.Log(8)},
		} {
			r := experimenttest.EstimateAt(t, f, q.quantity, "exponent", p)
			value, se := float64(r.Value)*q.factor, float64(r.SE)*q.factor
			if q.se != "" {
				se = math.Hypot(se, want[q.se])
			} else { // scale ours to the number of rows of the reference
				se *= math.Sqrt(1 + float64(r.N)/referenceN)
			}
			compared.compare(t, value, want[q.column], se, "%s at d_k = %d, p = %v", q.quantity, d, p)
		}
		for quantity, column := range map[string]string{
			"max_weight_above_90_percent": "P_max_gt_0p9", "max_weight_above_99_percent": "P_max_gt_0p99",
		} {
			r := experimenttest.EstimateAt(t, f, quantity, "exponent", p)
			compared.compareProportions(t, float64(r.Value), float64(r.N), want[column], referenceN,
				"%s at d_k = %d, p = %v", quantity,
				d, p)
		}
	}
	for _, want := range readTable(t, "../../statistics/theory/testdata/labels.csv") {
		d, p := int(want["d_k"]), want["p"]
		c := newSoftmaxCell("normal", d, 8, names.No, p)
		f := softmaxEstimates(c, experimenttest.SampleRows(c, rows))
		for quantity, column := range map[string]string{"concentrated_share": "concentrated", "dead_share": "dead",
			"idle_target_share": "idle"} {
			r := experimenttest.EstimateAt(t, f, quantity, "exponent", p)
			compared.compareProportions(t, float64(r.Value), float64(r.N), want[column], referenceN,
				"%s at d_k = %d, p = %v", quantity,
				d, p)
		}
		wantMean, wantSquare := want["target"], want["target_square"]
		deviation := math.Sqrt(wantSquare - wantMean*wantMean)
		r := experimenttest.EstimateAt(t, f, "target_gradient", "exponent", p)
		compared.compare(t, float64(r.Value), wantMean, math.Hypot(float64(r.SE), deviation/math.Sqrt(referenceN)),
			"the target's gradient at d_k = %d, p = %v", d, p)
		r = experimenttest.EstimateAt(t, f, "target_signal", "exponent", p)
		se := float64(r.SE) * math.Sqrt(1+float64(r.N)/referenceN)
		compared.compare(t, float64(r.Value), wantMean/deviation, se, "the target's signal at d_k = %d, p = %v", d, p)
	}
	if compared != 12*9+12*5 {
		t.Errorf("%d comparisons, want %d", compared, 12*9+12*5)
	}
}

// TestSoftmaxAtTheLimits checks the limits of the temperature, at which everything is certain: all
// weight is on the largest score, or all weights are equal. Hard attention has no gradient.
func TestSoftmaxAtTheLimits(t *testing.T) {
	c := newSoftmaxCell("normal", 16, 6, names.No)
	c.Shared["temperature"] = []experiment.AxisValue{{Number: 0}, {Name: names.TemperatureInfinite}}
	f := softmaxEstimates(c, experimenttest.SampleRows(c, 4096))
	for quantity, want := range map[string][2]float64{
		"max_weight": {1, 1.0 / 6}, "entropy": {0, math.Log(6)}, "entropy_ratio": {0, 1}, "collision": {1, 1.0 / 6},
		"effective_keys": {1, 6}, "keys_above_1_percent": {1, 6}, "keys_above_5_percent": {1, 6},
		"relative_trace": {0, 1}, "jacobian_norm": {0, math.Sqrt(5) / 6},
		"max_weight_above_90_percent": {1, 0}, "concentrated_share": {1, 0},
	} {
		for i, temperature := range []any{0.0, names.TemperatureInfinite} {
			r := experimenttest.EstimateAt(t, f, quantity, "temperature", temperature)
			if math.Abs(float64(r.Value)-want[i]) > 4*0x1p-52*max(want[i], 1) {
				t.Errorf("%s at temperature %v is %v, want %v", quantity, temperature, r.Value, want[i])
			}
			if strings.HasSuffix(quantity, "_share") || strings.HasPrefix(quantity, "max_weight_") {
				continue // counts always have limits
			}
			// At temperature 0 a tie of two keys, to float32, can make a rare row that the pilot
			// does not see.
			if temperature == 0.0 && (r.SE.Present() || r.Level.Present()) || temperature != 0.0 &&
				(r.SE != 0 || r.Lo != r.Value || r.Hi != r.Value) {
				t.Errorf("%s at temperature %v has the error %v and the interval %v to %v", quantity, temperature,
					r.SE, r.Lo,
					r.Hi)
			}
		}
	}
	for _, r := range f.Estimates {
		isGradient := strings.Contains(r.Quantity, "_gradient") || r.Quantity == "dead_share"
		if isGradient && (r.Params["temperature"] != names.TemperatureInfinite || r.Value != 0) {
			t.Errorf("%s at temperature %v is %v", r.Quantity, r.Params["temperature"], r.Value)
		}
	}
}
