package experiment

import (
	"fmt"
	"math"

	"mcsim/sim/quantile"
	"mcsim/sim/result"
)

// OnScale is how a place on the scale of a histogram becomes a value: Back rises or falls
// with the place throughout, and Slope is how steeply it rises.
type OnScale struct{ Back, Slope func(place float64) float64 }

// AddQuantile adds a quantile that was read from a histogram with an interval of z
// standard errors, if there are enough numbers for one. On an atom the interval reaches
// to the bins' outer edges, and there is no standard error: the quantile of a sample then
// jumps; so it is where an end lies beyond the scale. Where a bin is not fine its width stands beside the value.
func (f *Findings) AddQuantile(r result.Estimate, e quantile.Estimate, on OnScale, z float64, atom, enough bool) {
	r.Value, r.SE = result.Number(on.Back(e.At)), result.Absent()
	if width := math.Abs(on.Back(e.BinHi) - on.Back(e.BinLo)); (atom || !e.Fine) && !math.IsInf(width, 0) {
		r.Resolution = result.Number(width)
	}
	if !enough {
		f.AddWithout(r, "no interval: too few of them for its ranks")
		return
	}
	lo, hi := on.Back(e.Lo), on.Back(e.Hi)
	if beyond := math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0); atom || beyond {
		lo, hi = on.Back(e.OuterLo), on.Back(e.OuterHi)
	} else { // to first order
		r.SE = result.Number(float64(math.Abs(on.Slope(e.At))*(e.Hi-e.Lo)) / float64(2*z))
	}
	r.Lo, r.Hi, r.Level = result.Number(min(lo, hi)), result.Number(max(lo, hi)), Level
	if !r.Hi.Present() {
		r.Lo, r.Level, r.SE = result.Absent(), result.Absent(), result.Absent()
		f.Warn(r, fmt.Sprintf("no interval: it may be greater than e^%d", quantile.Limit))
	}
	f.Rows = append(f.Rows, r)
}
