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

// OnScale is how a place on the scale of a histogram becomes a value: Back rises or falls
// with the place throughout, and Slope is how steeply it rises.
type OnScale struct{ Back, Slope func(place float64) float64 }

// Shares is the scale of numbers between 0 and 1, Sizes that of numbers above 0.
var Shares, Sizes = OnScale{quantile.Share, quantile.ShareSlope}, OnScale{elementary.Exp, elementary.Exp}

// AddQuantiles adds the quantiles of independent numbers, at the point of their mean;
// atoms says of each whether a pilot found an atom there, by a number that is not 0.
func (f *CellEstimates) AddQuantiles(mean result.Estimate, h moments.Histogram, scale OnScale, atoms []int64) {
	for i, p := range quantile.Points {
		r := mean
		r.Quantity = names.Quantile(mean.Quantity, p)
		r.Lo, r.Hi, r.Level = result.Absent(), result.Absent(), result.Absent()
		r.Theory, r.TheoryKind = result.Absent(), names.TheoryNone
		e := quantile.Of(h, p, float64(LevelZ*quantile.Binomial(r.N, p)))
		f.AddQuantile(r, e, scale, LevelZ, atoms[i] != 0, quantile.Enough(p, r.N, LevelZ))
	}
}

// AddQuantile adds a quantile that was read from a histogram with an interval of z
// standard errors, if there are enough numbers for one. On an atom the interval reaches
// to the bins' outer edges, and there is no standard error: the quantile of a sample then
// jumps; so it is where an end lies beyond the scale. Where a bin is not fine its width stands beside the value.
func (f *CellEstimates) AddQuantile(
	r result.Estimate, e quantile.Estimate, scale OnScale, z float64, atom, enough bool,
) {
	r.Value, r.SE = result.Number(scale.Back(e.At)), result.Absent()
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
		r.SE = result.Number(float64(math.Abs(scale.Slope(e.At))*(e.Hi-e.Lo)) / float64(2*z))
	}
	r.Lo, r.Hi, r.Level = result.Number(min(lo, hi)), result.Number(max(lo, hi)), Level
	if !r.Hi.Present() {
		r.Lo, r.Level, r.SE = result.Absent(), result.Absent(), result.Absent()
		f.Warn(r, fmt.Sprintf("no interval: it may be greater than e^%d", quantile.Limit))
	}
	f.Estimates = append(f.Estimates, r)
}
