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

// finish adds the estimates that need several cells: the best rate of each rule and the results of
// its seeds at this rate, the slope of the best rate as a function of d_k, and the ratio of the
// steps under each rule to the steps under the rule 1/√d_k.
func finish(sampled experiment.SampledCells, doc *result.Document) error {
	trials := make([]trial, len(sampled.Cells))
	for i, c := range sampled.Cells {
		n, err := sampled.Node(i)
		if err != nil {
			return err
		}
		trials[i] = trial{cell: c, octave: cellOctave(c), records: readRecords(n)}
	}
	sweeps := groupSweeps(trials)
	for _, s := range sweeps {
		doc.Warnings = append(doc.Warnings, s.warnings()...)
	}
	sweeps = slices.DeleteFunc(sweeps, func(s *sweep) bool { return s.best(tuningLoss) == nil })
	for _, s := range sweeps {
		doc.Estimates = append(doc.Estimates, s.estimates()...)
	}
	doc.Estimates = append(doc.Estimates, newRateSlopes(sweeps)...)
	for _, s := range sweeps {
		if reference := findReference(s, sweeps); reference != nil {
			doc.Estimates = append(doc.Estimates, newContrast(s, reference).ratioEstimate(s.aggregate))
		}
	}
	return nil
}

// findReference returns the sweep with which the rule of s is compared: exponent 1/2 without gain,
// and otherwise the same setting. The variant is the same if it changes the task or the model, and
// the plain one otherwise. findReference returns nil if there is no such sweep, or if it is s.
func findReference(s *sweep, sweeps []*sweep) *sweep {
	variant := training.Plain
	if s.Rule.Variant == training.Copying || s.Rule.Variant == training.TwoLayers {
		variant = s.Rule.Variant
	}
	setting := s.Setting
	setting.Rule = training.Rule{Variant: variant, Exponent: 0.5}
	i := slices.IndexFunc(sweeps, func(candidate *sweep) bool { return candidate != s && candidate.Setting == setting })
	if i < 0 {
		return nil
	}
	return sweeps[i]
}

// contrast compares a rule with the reference rule 1/√d_k on the same seeds and data, each at its
// best rate.
type contrast struct {
	ratios // at the chosen rates
	// lowerMedians and upperMedians have the medians of the lower and the upper bounds of the
	// ratios for each set of resamples, in ascending order.
	lowerMedians, upperMedians []float64
}

// ratios has the ratios of the steps of seeds under a rule to their steps under the reference. A
// run learns if it reaches the threshold. If only one of the two runs of a seed learns, there is a
// bound of the ratio. If neither learns, the seed has no ratio.
type ratios struct {
	lower, upper []float64 // bounds of the ratios, each in ascending order
}

// newRatios returns the ratios of the given judging seeds. ruleSteps and referenceSteps have the
// steps of all judging seeds, and maxSteps is the length of the runs.
func newRatios(ruleSteps, referenceSteps []float64, maxSteps float64, judges []int) (r ratios) {
	for _, seed := range judges {
		r.add(ruleSteps[seed], referenceSteps[seed], maxSteps)
	}
	slices.Sort(r.lower)
	slices.Sort(r.upper)
	return r
}

// add appends the ratio of one seed without sorting. Infinite steps mean that the run does not
// learn, so that it would take more than maxSteps.
func (r *ratios) add(ruleSteps, referenceSteps, maxSteps float64) {
	ruleLearns, referenceLearns := !math.IsInf(ruleSteps, 1), !math.IsInf(referenceSteps, 1)
	lower, upper := ruleSteps/referenceSteps, ruleSteps/referenceSteps
	switch {
	case !ruleLearns && !referenceLearns:
		return
	case !ruleLearns:
		lower, upper = maxSteps/referenceSteps, math.Inf(1)
	case !referenceLearns:
		lower, upper = 0, ruleSteps/maxSteps
	}
	r.lower, r.upper = append(r.lower, lower), append(r.upper, upper)
}

// newContrast compares a rule with the reference, each at its best rate. Both the choosing and the
// judging seeds are resampled, so that the interval of the median ratio allows for the choice of
// the rates (B. Efron: Bootstrap methods, Annals of Statistics 7, 1979).
func newContrast(rule, reference *sweep) contrast {
	maxSteps := float64(rule.Steps)
	judges := make([]int, judgingSeeds)
	for i := range judges {
		judges[i] = i
	}
	steps := map[*trial][]float64{}
	for _, s := range []*sweep{rule, reference} {
		for _, t := range s.trialsBetween(-maxOctaves, maxOctaves) {
			steps[t] = t.stepsToThreshold()
		}
	}
	c := contrast{ratios: newRatios(steps[rule.best(tuningLoss)], steps[reference.best(tuningLoss)], maxSteps, judges)}
	ruleChoices, referenceChoices := rule.bootstrapChoices(), reference.bootstrapChoices()
	for i, set := range resamples() {
		r := newRatios(steps[ruleChoices[i]], steps[referenceChoices[i]], maxSteps, set.judges)
		if len(r.lower) > 0 {
			c.lowerMedians = append(c.lowerMedians, elementary.Median(r.lower))
			c.upperMedians = append(c.upperMedians, elementary.Median(r.upper))
		}
	}
	slices.Sort(c.lowerMedians)
	slices.Sort(c.upperMedians)
	return c
}

// limits returns the limits of the 95 % interval of the median ratio, which are percentiles over
// the resamples. A lower limit is 0, and an upper limit infinite, if it depends on seeds without a
// bound on this side.
func (c contrast) limits() (lo, hi float64) {
	n := len(c.lowerMedians)
	tailCount := min(max(int(float64(maxMissProbability*float64(n+1))/2)-1, 0), (n-1)/2)
	return c.lowerMedians[tailCount], c.upperMedians[n-1-tailCount]
}

// ratioEstimate returns the estimate of the median ratio, which is the median of the lower bounds.
func (c contrast) ratioEstimate(aggregate experiment.Cell) result.Estimate {
	n := len(c.lower)
	r := newEstimate(aggregate, names.StepsRatio)
	r.N = int64(n)
	if n < 2 {
		return r
	}
	lo, hi := c.limits()
	r.Value = finiteNumber(elementary.Median(c.lower))
	r.Lo, r.Hi, r.Level = finiteNumber(lo), finiteNumber(hi), experiment.Level
	return r
}
