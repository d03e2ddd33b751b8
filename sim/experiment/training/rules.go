package training

import (
	"mcsim/sim/attention/training"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// maxMissProbability is the largest probability with which an interval may miss the true value.
const maxMissProbability = 1 - experiment.Level

// cellEstimates returns the estimates at one rate: the loss by which rates are chosen, over the
// choosing seeds, and the steps to the threshold, over the judging seeds.
func cellEstimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	t := trial{cell: c, octave: cellOctave(c), records: readRecords(n)}
	f.Estimates = append(f.Estimates,
		withMedian(newEstimate(c, names.TuningLoss), t.tuningLosses()),
		withMedian(newEstimate(c, names.StepsToThreshold), t.stepsToThreshold()))
	return f
}

// newEstimate returns an estimate from the judging seeds without a value and a standard error.
func newEstimate(c experiment.Cell, quantity string, extra ...result.Params) result.Estimate {
	absent := float64(result.Absent())
	return c.Estimate(quantity, judgingSeeds, absent, absent, extra...)
}

// estimates returns the best rate of a rule and the estimates at this rate.
func (s *sweep) estimates() []result.Estimate {
	best := s.best(tuningLoss)
	learningRate := withMedian(newEstimate(s.aggregate, names.LearningRate), s.ratesBySeed())
	learningRate.Value = result.Number(octaveRate(s.Setting, best.octave))
	learningRate.Lo = min(learningRate.Lo, learningRate.Value)
	learningRate.Hi = max(learningRate.Hi, learningRate.Value)
	steps := newEstimate(s.aggregate, names.StepsToThreshold, result.Params{names.ParamChosen: names.ChosenBest})
	estimates := []result.Estimate{
		learningRate,
		s.untriedRates(),
		withMedian(steps, best.stepsToThreshold()),
		s.aggregate.Proportion(names.ReachedShare, best.countReached(), judgingSeeds,
			result.Params{names.ParamChosen: names.ChosenBest}),
	}
	for c := range training.Checkpoints + 1 {
		losses := mapRecords(best.judgingRecords(), func(r *training.Record) float64 { return r.Losses[c] })
		step := float64(training.Checkpoint(c, s.Steps))
		estimates = append(estimates,
			withMedian(newEstimate(s.aggregate, names.RelativeLoss, result.Params{names.ParamStep: step}), losses))
	}
	return estimates
}

// untriedRates returns the number of octaves that were not tried but might be better than the best
// one (see untriedOctaves). The count is exact, so its interval has no width.
func (s *sweep) untriedRates() result.Estimate {
	gaps, neighbours := s.untriedOctaves()
	r := newEstimate(s.aggregate, "untried_rates")
	r.Value, r.SE = result.Number(len(gaps)+len(neighbours)), 0
	r.Lo, r.Hi, r.Level = r.Value, r.Value, experiment.Level
	return r
}

// mapRecords returns number(r) for each record r.
func mapRecords(records []training.Record, number func(*training.Record) float64) []float64 {
	numbers := make([]float64, len(records))
	for i := range records {
		numbers[i] = number(&records[i])
	}
	return numbers
}
