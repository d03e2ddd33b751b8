package training

import (
	"math"
	"mcsim/sim/attention/training"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// usual is the chance that an interval misses.
const usual = 1 - experiment.Level

// cellEstimates are what is said of one rate: the loss by which it is chosen, and the steps to
// the threshold.
func cellEstimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	t := trial{c, octaveOf(c), recordsOf(n)}
	f.Estimates = append(f.Estimates,
		addMedian(begun(c, names.TuningLoss), t.losses(), usual),
		addMedian(begun(c, names.StepsToThreshold), t.until(math.Inf(1)), usual))
	return f
}

// begun begins a row.
func begun(c experiment.Cell, quantity string, more ...any) result.Estimate {
	absent := float64(result.Absent())
	return c.Estimate(quantity, judging, absent, absent, more...)
}

// ruleRows are what is said of a rule at its best rate, and at the shared one.
func (s *sweep) rows() (rows []result.Estimate) {
	best := s.best(tuned)
	if best == nil {
		return nil
	}
	at := addMedian(begun(s.point, names.LearningRate), s.ownRates(), usual)
	at.Value = result.Number(rate(s.Setting, best.octave))
	at.Lo, at.Hi = min(at.Lo, at.Value), max(at.Hi, at.Value)
	rows = append(rows, at,
		s.constant("lowest_rate", rate(s.Setting, s.trials[0].octave)),
		s.constant("highest_rate", rate(s.Setting, s.trials[len(s.trials)-1].octave)),
		s.untriedRates())
	rows = append(rows, s.steps(best, names.ChosenBest)...)
	rows = append(rows, s.point.Share(names.ReachedShare, s.everReached(), judging, names.ParamChosen, "any-rate"))
	if shared := s.shared(); shared != nil {
		rows = append(rows, s.steps(shared, "shared-rate")...)
	}
	rows = append(rows, s.losses(best)...)
	rows = append(rows, s.attention(best, 0, atStart)...)
	rows = append(rows, s.attention(best, s.Steps, atEnd)...)
	if s.Adam {
		rows = append(rows, addMedian(begun(s.point, "gradient_over_epsilon"), each(best.judges(), func(r *training.Record) float64 { return r.Gradient / s.Epsilon }), usual))
	}
	return rows
}

// untriedRates returns the number of octaves that might hold a better rate than the best one and
// were not tried: 0 if the best lies inside the rates that were tried. The count is exact, so its
// interval is a point.
func (s *sweep) untriedRates() result.Estimate {
	holes, beside := s.holes()
	r := s.constant("untried_rates", float64(len(holes)+len(beside)))
	r.Lo, r.Hi, r.Level = r.Value, r.Value, experiment.Level
	return r
}

// constant is a row of a number that does not vary.
func (s *sweep) constant(quantity string, x float64) result.Estimate {
	r := begun(s.point, quantity)
	r.Value, r.SE = result.Number(x), 0
	return r
}

// steps are the steps to the threshold, and the share of seeds that reach it.
func (s *sweep) steps(t *trial, chosen string) []result.Estimate {
	return []result.Estimate{
		addMedian(begun(s.point, names.StepsToThreshold, names.ParamChosen, chosen), t.until(math.Inf(1)), usual),
		s.point.Share(names.ReachedShare, t.reached(), judging, names.ParamChosen, chosen),
	}
}

// losses are the medians of the loss on the way.
func (s *sweep) losses(t *trial) (rows []result.Estimate) {
	for c := range training.Checkpoints + 1 {
		loss := each(t.judges(), func(r *training.Record) float64 { return r.Losses[c] })
		rows = append(rows, addMedian(begun(s.point, names.RelativeLoss, names.ParamStep, float64(training.Checkpoint(c, s.Steps))), loss, usual))
	}
	return rows
}

// each is a number of each record.
func each(records []training.Record, of func(*training.Record) float64) []float64 {
	x := make([]float64, len(records))
	for i := range records {
		x[i] = of(&records[i])
	}
	return x
}

// attentions are the quantities of a look, in the order of looks, but for the last, the cosine.
var attentions = []string{"largest_logit", names.EntropyRatio,
	names.Quantile(names.RelativeTrace, 0.5), "root_relative_trace",
	names.Quantile(names.KeyGradient, 0.5), names.RootKeyGradient}

// attention is what attention looks like after so many steps, in the median of the seeds
// that have not diverged.
func (s *sweep) attention(t *trial, step int, of func(*training.Record) *training.Look) (rows []result.Estimate) {
	product := s.Rule.Variant != training.Normalised && s.Rule.Variant != training.Additive
	var seen []training.Record
	for _, r := range t.judges() {
		if !r.Blown {
			seen = append(seen, r)
		}
	}
	for i, quantity := range attentions {
		if key := quantity == names.RootKeyGradient || quantity == names.Quantile(names.KeyGradient, 0.5); key && !product {
			continue // there is no such derivative
		}
		x := each(seen, func(r *training.Record) float64 { return *looks(of(r))[i] })
		rows = append(rows, addMedian(begun(s.point, quantity, names.ParamStep, float64(step)), x, usual))
	}
	return rows
}
