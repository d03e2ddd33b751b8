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

// finish adds what needs several cells: the best rate of each rule and the results of its seeds at
// that rate, the slope of the best rate over d_k, and the ratio of the steps of each rule to those
// of 1/√d_k.
func finish(sampled experiment.SampledCells, doc *result.Document) error {
	trials := make([]trial, len(sampled.Cells))
	for i, c := range sampled.Cells {
		n, err := sampled.Node(i)
		if err != nil {
			return err
		}
		trials[i] = trial{c, cellOctave(c), readRecords(n)}
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
		if root := findReference(s, sweeps); root != nil {
			doc.Estimates = append(doc.Estimates, newContrast(s, root).ratioEstimate(s.aggregate))
		}
	}
	return nil
}

// findReference returns the sweep with which a rule is compared: p = 1/2 without gain, of the same
// variant if that changes the task or the model. It returns nil for that sweep itself, and if
// there is none.
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

// contrast compares a rule with 1/√d_k on the same seeds and data, each at its best rate.
type contrast struct {
	ratios                               // at the chosen rates
	lowerMedians, upperMedians []float64 // bounds of the median over resampled sets of seeds, sorted
}

// ratios has the ratios of steps of seeds. If one of the two runs of a seed does not learn, only a
// bound of the ratio is known; if neither learns, the seed has no ratio.
type ratios struct {
	lower, upper []float64 // bounds of the ratio of each seed, each sorted
}

// newRatios returns the ratios of the steps of a rule to those of 1/√d_k over the given judging
// seeds. maxSteps is the length of the runs.
func newRatios(rule, root []float64, maxSteps float64, judges []int) (r ratios) {
	for _, seed := range judges {
		r.add(rule[seed], root[seed], maxSteps)
	}
	slices.Sort(r.lower)
	slices.Sort(r.upper)
	return r
}

// add adds the ratio of one seed. Infinite steps mean that the run does not learn, so it would
// take more than maxSteps. If neither run learns, nothing is added.
func (r *ratios) add(rule, root, maxSteps float64) {
	ruleLearns, rootLearns := !math.IsInf(rule, 1), !math.IsInf(root, 1)
	lower, upper := rule/root, rule/root
	switch {
	case !ruleLearns && !rootLearns:
		return
	case !ruleLearns:
		lower, upper = maxSteps/root, math.Inf(1)
	case !rootLearns:
		lower, upper = 0, rule/maxSteps
	}
	r.lower, r.upper = append(r.lower, lower), append(r.upper, upper)
}

// newContrast compares a rule with root, each at its best rate. Both the choosing and the judging
// seeds are resampled, so that the interval of the median ratio includes the choice of the rate
// (B. Efron: Bootstrap methods, Annals of Statistics 7, 1979).
func newContrast(rule, root *sweep) contrast {
	maxSteps := float64(rule.Steps)
	judges := make([]int, judgingSeeds)
	for i := range judges {
		judges[i] = i
	}
	steps := map[*trial][]float64{}
	for _, s := range []*sweep{rule, root} {
		for _, t := range s.trialsBetween(-maxOctaves, maxOctaves) {
			steps[t] = t.stepsToThreshold()
		}
	}
	c := contrast{ratios: newRatios(steps[rule.best(tuningLoss)], steps[root.best(tuningLoss)], maxSteps, judges)}
	choices, rootChoices := rule.bootstrapChoices(), root.bootstrapChoices()
	for i, set := range resamples() {
		r := newRatios(steps[choices[i]], steps[rootChoices[i]], maxSteps, set.judges)
		if len(r.lower) > 0 {
			c.lowerMedians = append(c.lowerMedians, elementary.Median(r.lower))
			c.upperMedians = append(c.upperMedians, elementary.Median(r.upper))
		}
	}
	slices.Sort(c.lowerMedians)
	slices.Sort(c.upperMedians)
	return c
}

// limits returns the limits of the 95 % interval of the median ratio, percentiles over the
// resampled sets. A limit that depends on seeds without a bound on that side is infinite, or 0.
func (c contrast) limits() (lo, hi float64) {
	n := len(c.lowerMedians)
	tailCount := min(max(int(float64(maxMissProbability*float64(n+1))/2)-1, 0), (n-1)/2)
	return c.lowerMedians[tailCount], c.upperMedians[n-1-tailCount]
}

// ratioEstimate returns the estimate of the median ratio. Its value is the smallest median that
// the bounds allow.
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
