package training

import (
	"math"
	"slices"

	"mcsim/sim/attention/training"
	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// rateSlopes returns for each rule that was trained at several d_k how its best rate goes with d_k.
func rateSlopes(sweeps []*sweep) (slopes []result.Estimate) {
	pointOver := func(s *sweep) experiment.Cell { return pointOf(s.trials[0].cell, names.ParamDimension) }
	for _, line := range experiment.GroupBy(sweeps, func(s *sweep) string { return pointOver(s).ID }) {
		if len(line) < 2 {
			continue
		}
		slices.SortFunc(line, func(a, b *sweep) int { return a.Dimension - b.Dimension })
		slopes = append(slopes, rateSlope(pointOver(line[0]), line))
	}
	return slopes
}

// rateSlope returns the power of d_k with which the best rate goes, with its expected value. The
// interval goes through the slopes of the rates that each of the seeds that choose would choose by
// itself.
func rateSlope(point experiment.Cell, line []*sweep) result.Estimate {
	through := func(loss func(*trial) float64) float64 {
		return slope(line, func(s *sweep) float64 { return rate(s.Setting, s.best(loss).octave) })
	}
	own := make([]float64, tuning)
	for i := range own {
		own[i] = through(ofSeed(i))
	}
	r := addMedian(begin(point, "rate_slope"), own)
	r.Value = result.Number(through(tuned))
	r.Lo, r.Hi = min(r.Lo, r.Value), max(r.Hi, r.Value)
	// Rates stand about a reference that goes as expected, so that only a sweep that is wide
	// enough can find another power; and what was predicted was so of the declared steps.
	declared := func(s *sweep) bool { return s.whole() && s.Steps == names.ContrastSteps }
	if !slices.ContainsFunc(line, func(s *sweep) bool { return !declared(s) }) {
		r.Theory, r.TheoryKind = result.Number(training.RateSlope(line[0].Rule, line[0].Adam)), names.TheoryLimit
	}
	return r
}

// slope returns the slope of ln y on ln d_k, by least squares.
func slope(line []*sweep, y func(*sweep) float64) float64 {
	var points experiment.Slope
	for _, s := range line {
		points.X = append(points.X, elementary.Log(float64(s.Dimension)))
		points.Y = append(points.Y, elementary.Log(y(s)))
		points.Weight = append(points.Weight, 1)
	}
	found, _ := points.FitLine()
	return math.Round(float64(found*1e12))/1e12 + 0 // and not −0
}
