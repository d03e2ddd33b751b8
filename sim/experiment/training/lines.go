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

// newRateSlopes returns the slope of the best rate as a function of d_k, for each rule that was
// trained at several d_k.
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
// expected value. To obtain the interval, each single choosing seed chooses its rates and has its
// slope; the interval is the interval of the median of these slopes, extended to the value.
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
	// The reference rates have the expected slope, so only sweeps of all rates can find another
	// slope. The prediction is for the declared number of steps.
	isUnpredicted := func(s *sweep) bool { return !s.isComplete() || s.Steps != names.ContrastSteps }
	if !slices.ContainsFunc(line, isUnpredicted) {
		r.Theory, r.TheoryKind = result.Number(training.RateSlope(line[0].Rule, line[0].Adam)), names.TheoryLimit
	}
	return r
}

// fitSlope returns the least-squares slope of ln y as a function of ln d_k, rounded to 12 decimals.
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
