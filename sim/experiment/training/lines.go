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

// newRateSlopes returns, for each rule that was trained at several d_k, the slope of its best rate
// over d_k.
func newRateSlopes(sweeps []*sweep) (slopes []result.Estimate) {
	lineAggregate := func(s *sweep) experiment.Cell { return aggregateOver(s.trials[0].cell, names.ParamDimension) }
	for _, line := range experiment.GroupBy(sweeps, func(s *sweep) string { return lineAggregate(s).ID }) {
		if len(line) < 2 {
			continue
		}
		slices.SortFunc(line, func(a, b *sweep) int { return a.Dimension - b.Dimension })
		slopes = append(slopes, newRateSlope(lineAggregate(line[0]), line))
	}
	return slopes
}

// newRateSlope returns the exponent p for which the best rate is proportional to d_k^p, with its
// expected value. The interval is that of the median of the slopes through the rates that each
// choosing seed would choose by itself.
func newRateSlope(aggregate experiment.Cell, line []*sweep) result.Estimate {
	fitRates := func(loss func(*trial) float64) float64 {
		return fitSlope(line, func(s *sweep) float64 { return octaveRate(s.Setting, s.best(loss).octave) })
	}
	seedSlopes := make([]float64, tuningSeeds)
	for i := range seedSlopes {
		seedSlopes[i] = fitRates(seedLoss(i))
	}
	r := withMedian(newEstimate(aggregate, "rate_slope"), seedSlopes)
	r.Value = result.Number(fitRates(tuningLoss))
	r.Lo, r.Hi = min(r.Lo, r.Value), max(r.Hi, r.Value)
	// The rates are near a reference with the expected slope, so only a complete sweep can find
	// another one. The prediction is for the declared number of steps.
	differs := func(s *sweep) bool { return !s.isComplete() || s.Steps != names.ContrastSteps }
	if !slices.ContainsFunc(line, differs) {
		r.Theory, r.TheoryKind = result.Number(training.RateSlope(line[0].Rule, line[0].Adam)), names.TheoryLimit
	}
	return r
}

// fitSlope returns the least-squares slope of ln y on ln d_k.
func fitSlope(line []*sweep, y func(*sweep) float64) float64 {
	var points experiment.Slope
	for _, s := range line {
		points.X = append(points.X, elementary.Log(float64(s.Dimension)))
		points.Y = append(points.Y, elementary.Log(y(s)))
		points.Weight = append(points.Weight, 1)
	}
	slope, _ := points.FitLine()
	return math.Round(float64(slope*1e12))/1e12 + 0 // + 0 turns −0 into 0
}
