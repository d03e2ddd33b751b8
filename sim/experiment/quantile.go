package experiment

import (
	"fmt"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/quantile"
)

// Transform has the function from positions on the scale of a histogram to values (Inverse, which
// is monotonic) and its derivative (Slope).
type Transform struct {
	Inverse, Slope func(position float64) float64
}

// LogitScale is the scale of numbers between 0 and 1, and LogScale the scale of positive numbers.
var (
	LogitScale = Transform{Inverse: quantile.FromLogit, Slope: quantile.FromLogitSlope}
	LogScale   = Transform{Inverse: elementary.Exp, Slope: elementary.Exp}
)

// AddQuantiles adds the quantiles of independent numbers from their histogram h. Each is a copy of
// the estimate of their mean with the quantity, value and interval of the quantile. atoms[i] ≠ 0
// means that a pilot found an atom at the i-th quantile.
func (f *CellEstimates) AddQuantiles(mean result.Estimate, h moments.Histogram, scale Transform, atoms []int64) {
	for i, p := range quantile.Probabilities {
		r := mean
		r.Quantity = names.Quantile(mean.Quantity, p)
		r.Lo, r.Hi, r.Level = result.Absent(), result.Absent(), result.Absent()
		r.Theory, r.TheoryKind = result.Absent(), names.TheoryNone
		f.AddQuantile(r, MeasuredQuantile{
			Estimate: quantile.NewEstimate(h, p, float64(LevelZ*quantile.BinomialSE(r.N, p))),
			Z:        LevelZ, OnAtom: atoms[i] != 0, HasEnoughNumbers: quantile.IsEnough(p, r.N, LevelZ),
		}, scale)
	}
}

// MeasuredQuantile is a quantile that was read from a histogram.
type MeasuredQuantile struct {
	quantile.Estimate
	Z                float64 // half-width of its interval, in standard errors
	OnAtom           bool    // it is on a value with positive probability
	HasEnoughNumbers bool    // for the ranks of the interval
}

// AddQuantile adds the estimate r of a quantile, whose value and interval it takes from e. The
// interval is ±e.Z standard errors, and is omitted if there are too few numbers for it. If the
// quantile is on an atom (a value with positive probability), where the quantile of a sample jumps,
// or if an end of the interval is outside the scale, the interval extends to the outer edges of its
// bins and there is no standard error. On an atom, and in a bin that is not in a window, the width
// of the bin is the resolution of the estimate.
func (f *CellEstimates) AddQuantile(r result.Estimate, e MeasuredQuantile, scale Transform) {
	r.Value, r.SE = result.Number(scale.Inverse(e.Value)), result.Absent()
	if e.OnAtom || !e.InWindow {
		if width := math.Abs(scale.Inverse(e.BinHi) - scale.Inverse(e.BinLo)); !math.IsInf(width, 0) {
			r.Resolution = result.Number(width)
		}
	}
	if !e.HasEnoughNumbers {
		f.AddWithoutInterval(r, "no interval: too few of them for its ranks")
		return
	}
	lo, hi := scale.Inverse(e.Lo), scale.Inverse(e.Hi)
	isOutsideScale := math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0)
	if e.OnAtom || isOutsideScale {
		lo, hi = scale.Inverse(e.OuterLo), scale.Inverse(e.OuterHi)
	} else { // first-order error
		r.SE = result.Number(float64(math.Abs(scale.Slope(e.Value))*(e.Hi-e.Lo)) / float64(2*e.Z))
	}
	r.Lo, r.Hi, r.Level = result.Number(min(lo, hi)), result.Number(max(lo, hi)), Level
	if !r.Hi.Present() {
		r.Lo, r.Level, r.SE = result.Absent(), result.Absent(), result.Absent()
		f.Warn(r, fmt.Sprintf("no interval: it may be greater than e^%d", quantile.Limit))
	}
	f.Estimates = append(f.Estimates, r)
}
