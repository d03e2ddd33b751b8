package training

import (
	"mcsim/sim/attention/training"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// missRate is the chance that an interval misses.
const missRate = 1 - experiment.Level

// cellEstimates returns what is said of one rate: the loss by which it is chosen, and the steps to
// the threshold.
func cellEstimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	t := trial{c, octaveOf(c), recordsOf(n)}
	f.Estimates = append(f.Estimates,
		addMedian(begin(c, names.TuningLoss), t.losses()),
		addMedian(begin(c, names.StepsToThreshold), t.until()))
	return f
}

// begin begins an estimate, without a standard error.
func begin(c experiment.Cell, quantity string, more ...result.Params) result.Estimate {
	absent := float64(result.Absent())
	return c.Estimate(quantity, judging, absent, absent, more...)
}

// estimates returns what is said of a rule at its best rate.
func (s *sweep) estimates() []result.Estimate {
	best := s.best(tuned)
	learningRate := addMedian(begin(s.point, names.LearningRate), s.ownRates())
	learningRate.Value = result.Number(rate(s.Setting, best.octave))
	learningRate.Lo = min(learningRate.Lo, learningRate.Value)
	learningRate.Hi = max(learningRate.Hi, learningRate.Value)
	steps := begin(s.point, names.StepsToThreshold, result.Params{names.ParamChosen: names.ChosenBest})
	estimates := []result.Estimate{
		learningRate,
		s.untriedRates(),
		addMedian(steps, best.until()),
		s.point.Proportion(names.ReachedShare, best.reached(), judging,
			result.Params{names.ParamChosen: names.ChosenBest}),
	}
	for c := range training.Checkpoints + 1 {
		loss := each(best.judges(), func(r *training.Record) float64 { return r.Losses[c] })
		step := float64(training.Checkpoint(c, s.Steps))
		estimates = append(estimates,
			addMedian(begin(s.point, names.RelativeLoss, result.Params{names.ParamStep: step}), loss))
	}
	return estimates
}

// untriedRates returns the number of octaves that might hold a better rate than the best one and
// were not tried: 0 if the best lies inside the rates that were tried. The count is exact, so its
// interval is a point.
func (s *sweep) untriedRates() result.Estimate {
	holes, beside := s.holes()
	r := begin(s.point, "untried_rates")
	r.Value, r.SE = result.Number(len(holes)+len(beside)), 0
	r.Lo, r.Hi, r.Level = r.Value, r.Value, experiment.Level
	return r
}

// each returns a number of each record.
func each(records []training.Record, number func(*training.Record) float64) []float64 {
	x := make([]float64, len(records))
	for i := range records {
		x[i] = number(&records[i])
	}
	return x
}
