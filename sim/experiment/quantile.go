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

// OnScale turns a place on the scale of a histogram into a value: Back rises or falls monotonically, and
// Slope is its derivative.
type OnScale struct{ Back, Slope func(place float64) float64 }

// Shares is the scale of numbers between 0 and 1, Sizes the scale of numbers above 0.
var Shares, Sizes = OnScale{quantile.FromLogit, quantile.FromLogitSlope}, OnScale{elementary.Exp, elementary.Exp}

// AddQuantiles adds the quantiles of independent numbers, with the parameters of their mean. An entry of
// atoms that is not 0 means that a pilot found an atom at that quantile.
func (f *CellEstimates) AddQuantiles(mean result.Estimate, h moments.Histogram, scale OnScale, atoms []int64) {
	for i, p := range quantile.Probabilities {
		r := mean
		r.Quantity = names.Quantile(mean.Quantity, p)
		r.Lo, r.Hi, r.Level = result.Absent(), result.Absent(), result.Absent()
		r.Theory, r.TheoryKind = result.Absent(), names.TheoryNone
		e := quantile.NewEstimate(h, p, float64(LevelZ*quantile.BinomialSE(r.N, p)))
		f.AddQuantile(r, e, scale, LevelZ, atoms[i] != 0, quantile.IsEnough(p, r.N, LevelZ))
	}
}

// AddQuantile adds a quantile that was read from a histogram, with an interval of z standard errors if
// there are enough numbers for one. On an atom, and if an end lies beyond the scale, the interval
// reaches to the outer edges of the bins and there is no standard error: on an atom the quantile of
// a sample jumps. If a bin is not fine, its width is the resolution of the estimate.
func (f *CellEstimates) AddQuantile(
	r result.Estimate, e quantile.Estimate, scale OnScale, z float64, atom, enough bool,
) {
	r.Value, r.SE = result.Number(scale.Back(e.Value)), result.Absent()
	if width := math.Abs(scale.Back(e.BinHi) - scale.Back(e.BinLo)); (atom || !e.Fine) && !math.IsInf(width, 0) {
		r.Resolution = result.Number(width)
	}
	if !enough {
		f.AddWithout(r, "no interval: too few of them for its ranks")
		return
	}
	lo, hi := scale.Back(e.Lo), scale.Back(e.Hi)
	if beyond := math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0); atom || beyond {
		lo, hi = scale.Back(e.OuterLo), scale.Back(e.OuterHi)
	} else { // to first order
		r.SE = result.Number(float64(math.Abs(scale.Slope(e.Value))*(e.Hi-e.Lo)) / float64(2*z))
	}
	r.Lo, r.Hi, r.Level = result.Number(min(lo, hi)), result.Number(max(lo, hi)), Level
	if !r.Hi.Present() {
		r.Lo, r.Level, r.SE = result.Absent(), result.Absent(), result.Absent()
		f.Warn(r, fmt.Sprintf("no interval: it may be greater than e^%d", quantile.Limit))
	}
	f.Estimates = append(f.Estimates, r)
}
