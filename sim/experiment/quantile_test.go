package experiment

import (
	"math"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/result"
	"mcsim/sim/statistics/quantile"
)

// TestAddQuantile checks the standard error and the interval of a quantile, inside the scale, on an
// atom, at the ends of the scale, in a coarse bin, and with too few numbers.
func TestAddQuantile(t *testing.T) {
	linear := Transform{Inverse: func(at float64) float64 { return 2 * at }, Slope: func(float64) float64 { return 2 }}
	share := Transform{Inverse: quantile.FromLogit, Slope: quantile.FromLogitSlope}
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		e                   quantile.Estimate
		scale               Transform
		atom, enoughNumbers bool
		value, se           float64 // NaN: absent
		lo, hi              float64
		resolution          float64
	}{
		"inside": {quantile.Estimate{Value: 3, Lo: 2, Hi: 4.5, BinLo: 2.9, BinHi: 3.1, InWindow: true, OuterLo: 1.9,
			OuterHi: 4.6}, linear, false, true, 6, 2.5, 4, 9, 0},
		"an atom": {quantile.Estimate{Value: 3, Lo: 3, Hi: 3, BinLo: 2.75, BinHi: 3.25, InWindow: true, OuterLo: 2.75,
			OuterHi: 3.25}, linear, true, true, 6, math.NaN(), 5.5, 6.5, 1},
		"coarse": {quantile.Estimate{Value: 3, Lo: 2, Hi: 4, BinLo: 2, BinHi: 4, OuterLo: 2, OuterHi: 4}, linear, false,
			true, 6, 2, 4, 8, 4},
		"below": {quantile.Estimate{Value: -inf, Lo: -inf, Hi: -inf, BinLo: -inf, BinHi: 0, OuterLo: -inf, OuterHi: 0},
			share, false, true, 0, math.NaN(), 0, 0.5, 0.5},
		"too few": {quantile.Estimate{Value: 3, Lo: 2, Hi: 4, BinLo: 2, BinHi: 4, InWindow: true}, linear, false, false, 6,
			math.NaN(), math.NaN(), math.NaN(), 0},
		"unending": {quantile.Estimate{Value: 3, Lo: 2, Hi: inf, BinLo: 2, BinHi: 4, InWindow: true, OuterLo: 2,
			OuterHi: inf},
			linear, false, true, 6, math.NaN(), math.NaN(), math.NaN(), 0},
	} {
		var f CellEstimates
		f.AddQuantile(result.Estimate{Lo: result.Absent(), Hi: result.Absent(), Level: result.Absent()}, c.e, c.scale,
			1,
			c.atom, c.enoughNumbers)
		r := f.Estimates[0]
		same := func(a result.Number, b float64) bool {
			return !a.Present() && math.IsNaN(b) || math.Abs(float64(a)-b) < 1e-12
		}
		hi := same(r.Hi, c.hi) || name == "unending" && !r.Hi.Present()
		if !same(r.Value, c.value) || !same(r.SE, c.se) || !same(r.Lo, c.lo) || !hi ||
			!same(r.Resolution, c.resolution) || r.Level.Present() == math.IsNaN(c.lo) {
			t.Errorf("%s: %+v", name, r)
		}
		if (len(f.Warnings) > 0) != math.IsNaN(c.lo) {
			t.Errorf("%s: warnings %v", name, f.Warnings)
		}
	}
}

// TestLevelZ compares with SciPy 1.10.1: norm.ppf(0.975) is 1.959963984540054.
func TestLevelZ(t *testing.T) {
	if LevelZ != elementary.Quantile(0.5+Level/2) || math.Abs(LevelZ-1.959963984540054) > 1e-15 {
		t.Errorf("the quantile of %v is %v", Level, elementary.Quantile(0.5+Level/2))
	}
}
