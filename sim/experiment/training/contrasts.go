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

// finish adds what needs several cells: the best rate of each rule and what its seeds do there, the
// slope of the best rate over d_k, and the ratio of the steps of each rule to those of 1/√d_k.
func finish(sampled experiment.SampledCells, doc *result.Document) error {
	trials := make([]trial, len(sampled.Cells))
	for i, c := range sampled.Cells {
		n, err := sampled.Node(i)
		if err != nil {
			return err
		}
		trials[i] = trial{c, octaveOf(c), recordsOf(n)}
	}
	sweeps := sweepsOf(trials)
	for _, s := range sweeps {
		doc.Warnings = append(doc.Warnings, s.warnings()...)
	}
	sweeps = slices.DeleteFunc(sweeps, func(s *sweep) bool { return s.best(tuned) == nil })
	for _, s := range sweeps {
		doc.Estimates = append(doc.Estimates, s.estimates()...)
	}
	doc.Estimates = append(doc.Estimates, rateSlopes(sweeps)...)
	for _, s := range sweeps {
		if root := rootOf(s, sweeps); root != nil {
			doc.Estimates = append(doc.Estimates, contrastOf(s, root).ratio(s.point))
		}
	}
	return nil
}

// rootOf returns the sweep that a rule is compared with: p = 1/2 without gain, of the same variant
// if that changes the task or the model. It is nil for that sweep itself, and if there is none.
func rootOf(s *sweep, sweeps []*sweep) *sweep {
	variant := training.Plain
	if s.Rule.Variant == training.Copying || s.Rule.Variant == training.TwoLayers {
		variant = s.Rule.Variant
	}
	want := s.Setting
	want.Rule = training.Rule{Variant: variant, Exponent: 0.5}
	i := slices.IndexFunc(sweeps, func(other *sweep) bool { return other != s && other.Setting == want })
	if i < 0 {
		return nil
	}
	return sweeps[i]
}

// contrast compares a rule with 1/√d_k on the same seeds and data, each at its best rate.
type contrast struct {
	ratios                    // at the rates that were chosen
	lowest, highest []float64 // the bounds of the median in resampled sets of seeds, each sorted
}

// ratios are the ratios of the steps of the seeds that tell one. If one of the two runs of a seed
// does not learn, only a bound of its ratio is known.
type ratios struct {
	lower, upper []float64 // bounds of the ratio of each seed, each sorted
}

// ratiosOf returns the ratios of the steps of a rule to those of 1/√d_k for the given judges. Runs
// have at most the given number of steps.
func ratiosOf(rule, root []float64, maxSteps float64, judges []int) (r ratios) {
	for _, seed := range judges {
		r.add(rule[seed], root[seed], maxSteps)
	}
	slices.Sort(r.lower)
	slices.Sort(r.upper)
	return r
}

// add takes the steps of one seed. A run that does not learn, of infinitely many steps, takes more
// than the given maximum. If neither run learns, nothing is known of the ratio.
func (r *ratios) add(rule, root, maxSteps float64) {
	learns, rootLearns := !math.IsInf(rule, 1), !math.IsInf(root, 1)
	lower, upper := rule/root, rule/root
	switch {
	case !learns && !rootLearns:
		return
	case !learns:
		lower, upper = maxSteps/root, math.Inf(1)
	case !rootLearns:
		lower, upper = 0, rule/maxSteps
	}
	r.lower, r.upper = append(r.lower, lower), append(r.upper, upper)
}

// contrastOf compares a rule with another, each at its best rate. The sets of seeds are resampled,
// those that choose and those that judge, so that the interval of the median ratio includes the
// choice of the rate (B. Efron: Bootstrap methods, Annals of Statistics 7, 1979).
func contrastOf(rule, root *sweep) contrast {
	maxSteps := float64(rule.Steps)
	judges := make([]int, judging)
	for i := range judges {
		judges[i] = i
	}
	steps := map[*trial][]float64{}
	for _, t := range slices.Concat(rule.within(-maxOctaves, maxOctaves), root.within(-maxOctaves, maxOctaves)) {
		steps[t] = t.until()
	}
	c := contrast{ratios: ratiosOf(steps[rule.best(tuned)], steps[root.best(tuned)], maxSteps, judges)}
	chosen, rootChosen := rule.choices(), root.choices()
	for i, set := range resamples() {
		r := ratiosOf(steps[chosen[i]], steps[rootChosen[i]], maxSteps, set.judges)
		if len(r.lower) > 0 {
			c.lowest, c.highest = append(c.lowest, elementary.Median(r.lower)),
				append(c.highest, elementary.Median(r.upper))
		}
	}
	slices.Sort(c.lowest)
	slices.Sort(c.highest)
	return c
}

// limits returns the limits of the 95 % interval of the median ratio: percentiles over the
// resampled sets. A limit that rests on seeds whose ratio is unbounded to that side is infinite, or
// 0.
func (c contrast) limits() (lo, hi float64) {
	n := len(c.lowest)
	beyond := min(max(int(float64(missRate*float64(n+1))/2)-1, 0), (n-1)/2)
	return c.lowest[beyond], c.highest[n-1-beyond]
}

// ratio returns the estimate of the median ratio, whose value is the least that the median can be.
func (c contrast) ratio(point experiment.Cell) result.Estimate {
	n := len(c.lower)
	r := begin(point, names.StepsRatio)
	if r.N = int64(n); n < 2 {
		return r
	}
	lo, hi := c.limits()
	r.Value, r.Lo, r.Hi, r.Level = finite(elementary.Median(c.lower)), finite(lo), finite(hi), experiment.Level
	return r
}
