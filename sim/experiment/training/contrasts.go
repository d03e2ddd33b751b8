package training

import (
	"cmp"
	"math"
	"slices"

	"mcsim/sim/attention/training"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// finish adds what needs several cells: the best rates, slopes over d_k, and contrasts of rules.
func finish(sampled experiment.Sampled, doc *result.Document) error {
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
		doc.Estimates = append(doc.Estimates, s.rows()...)
	}
	doc.Estimates = append(doc.Estimates, lineEstimates(sweeps)...)
	contrasts := contrastsOf(sweeps)
	for _, c := range contrasts {
		doc.Estimates = append(doc.Estimates, c.ratio(begun(c.rule.point, names.StepsRatio), usual), c.difference())
		doc.Estimates = append(doc.Estimates, c.apart()...)
	}
	doc.Estimates = append(doc.Estimates, adjusted(contrasts)...)
	return nil
}

// contrast compares a rule with 1/√d_k, on the same seeds and data.
type contrast struct {
	rule, root         *sweep
	ratios                       // at the rates that were chosen
	lowest, highest    []float64 // the least and the most that the median is in sets of seeds drawn again, sorted each
	learnt, rootLearnt float64   // the shares of the seeds that reach the threshold
}

// ratios are those of the steps of the seeds that tell of one.
type ratios struct {
	least, most      []float64 // between which the ratio of each lies, sorted each
	alone, rootAlone int64     // seeds that learn under the rule and not under 1/√d_k, and the other way round
}

// ratiosOf are the ratios of the steps of a rule and of 1/√d_k, of T at most, of some of the seeds that judge.
func ratiosOf(of, to []float64, T float64, judges []int) (c ratios) {
	for _, seed := range judges {
		c.add(of[seed], to[seed], T)
	}
	slices.Sort(c.least)
	slices.Sort(c.most)
	return c
}

// add takes the steps of a seed under the rule and under 1/√d_k, of T at most. A run that does not
// learn takes more than T; where neither does, nobody knows the ratio.
func (c *ratios) add(of, to, T float64) {
	learns, rootLearns := !math.IsInf(of, 1), !math.IsInf(to, 1)
	least, most := of/to, of/to
	switch {
	case !learns && !rootLearns:
		return
	case !learns:
		c.rootAlone++
		least, most = T/to, math.Inf(1)
	case !rootLearns:
		c.alone++
		least, most = 0, of/T
	}
	c.least, c.most = append(c.least, least), append(c.most, most)
}

// limits are those between which the median ratio lies in all sets of seeds but the given share: half
// of them lie beyond either. A limit that rests on seeds whose ratio has no end to that side is open.
func (c *contrast) limits(share float64) (lo, hi float64) {
	n := len(c.lowest)
	beyond := min(max(int(float64(share*float64(n+1))/2)-1, 0), (n-1)/2)
	return c.lowest[beyond], c.highest[n-1-beyond]
}

// ratio gives a row the median ratio and its limits, beyond which the given share of sets of seeds has
// it. The value is the least that the median can be.
func (c *contrast) ratio(r result.Estimate, share float64) result.Estimate {
	n := len(c.least)
	if r.N = int64(n); n < 2 {
		return r
	}
	lo, hi := c.limits(share)
	r.Value, r.Lo, r.Hi, r.Level = finite(median(c.least)), finite(lo), finite(hi), result.Number(1-share)
	return r
}

// apart are the shares of seeds that learn under one of the two alone, and the chance of so uneven
// shares if both were as good (McNemar's test, exact: Psychometrika 12, 1947).
func (c *contrast) apart() []result.Estimate {
	p := begun(c.rule.point, names.PValue, names.ParamTest, "mcnemar")
	p.N = c.alone + c.rootAlone
	p.Value = result.Number(min(1, missed(int(p.N), int(min(c.alone, c.rootAlone))+1)))
	return []result.Estimate{c.rule.point.Share(names.LearnsAlone, c.alone, judging), c.rule.point.Share(names.RootLearnsAlone, c.rootAlone, judging), p}
}

// contrastsOf holds every rule against that of p = 1/2 without gain, of the same variant
// where it changes the task or the model.
func contrastsOf(sweeps []*sweep) (all []contrast) {
	for _, s := range sweeps {
		i := slices.IndexFunc(sweeps, func(o *sweep) bool { return o != s && isRootOf(o, s) })
		if i < 0 {
			continue
		}
		all = append(all, contrastOf(s, sweeps[i]))
	}
	return all
}

// contrastOf compares a rule with another, each at its best rate. How sure the median ratio is sets of
// seeds tell that are drawn again, those that choose and those that judge (B. Efron: Bootstrap
// methods, Annals of Statistics 7, 1979).
func contrastOf(rule, root *sweep) contrast {
	best, rootBest, T := rule.best(tuned), root.best(tuned), float64(rule.Steps)
	judges := make([]int, judging)
	for i := range judges {
		judges[i] = i
	}
	steps := map[*trial][]float64{}
	for _, t := range slices.Concat(rule.within(-mostOctaves, mostOctaves), root.within(-mostOctaves, mostOctaves)) {
		steps[t] = t.until(math.Inf(1))
	}
	c := contrast{rule: rule, root: root, ratios: ratiosOf(steps[best], steps[rootBest], T, judges)}
	c.learnt, c.rootLearnt = float64(best.reached())/judging, float64(rootBest.reached())/judging
	of, to := rule.mightChoose(), root.mightChoose()
	for i, set := range drawnAgain() {
		if r := ratiosOf(steps[of[i]], steps[to[i]], T, set.judges); len(r.least) > 0 {
			c.lowest, c.highest = append(c.lowest, median(r.least)), append(c.highest, median(r.most))
		}
	}
	slices.Sort(c.lowest)
	slices.Sort(c.highest)
	return c
}

// isRootOf reports whether a rule is the one that another is held against.
func isRootOf(root, s *sweep) bool {
	variant := training.Plain
	if s.Rule.Variant == training.Copying || s.Rule.Variant == training.TwoLayers {
		variant = s.Rule.Variant
	}
	return root.Rule == training.Rule{Variant: variant, Exponent: 0.5} && root.Dimension == s.Dimension &&
		root.Adam == s.Adam && root.All == s.All && root.Steps == s.Steps
}

// primary reports whether the contrast was declared: at its d_k, in all its steps, and at all
// rates on both sides.
func (c *contrast) primary() bool {
	r := c.rule.Rule
	return r.Variant == training.Plain && r.Gain == 0 && (r.Exponent == 0 || r.Exponent == 1) && !c.rule.All &&
		c.rule.Dimension == names.ContrastDimension && c.rule.Steps == names.ContrastSteps && c.rule.whole() && c.root.whole()
}

// difference is the mean of the paired differences of min(steps, T), with Student's
// interval.
func (c *contrast) difference() result.Estimate {
	of, to := c.rule.best(tuned).until(float64(c.rule.Steps)), c.root.best(tuned).until(float64(c.rule.Steps))
	for i := range of {
		of[i] -= to[i]
	}
	m := moments.Of(of, 2)
	se := math.Sqrt(m.Variance() / float64(m.N))
	r := c.rule.point.Estimate("steps_difference", m.N, m.Mean, se)
	half := result.Number(theory.StudentQuantile(usual/2, float64(m.N-1)) * se)
	r.Lo, r.Hi, r.Level = r.Value-half, r.Value+half, experiment.Level
	return r
}

// decides is the least share at which the interval of the ratio decides, 1 where none does.
func (c *contrast) decides() float64 {
	for beyond := 1; 2*beyond <= len(c.lowest); beyond++ {
		share := 2 * float64(beyond) / float64(len(c.lowest)+1)
		if lo, hi := c.limits(share); decided(lo, hi, c.learnt, c.rootLearnt) {
			return share
		}
	}
	return 1
}

// adjusted are the ratios of the declared contrasts with intervals that miss, all together,
// no more than one interval may: Holm's steps (S. Holm: A simple sequentially rejective
// multiple test procedure, Scandinavian Journal of Statistics 6, 1979), by which the
// verdicts of all of them err together in no more than one interval may. The contrast that
// is decided at the least share may miss a fourth of it, the next a third, and so on; once
// one is not decided, neither are those behind it.
func adjusted(contrasts []contrast) (rows []result.Estimate) {
	var declared []contrast
	for _, c := range contrasts {
		if c.primary() {
			declared = append(declared, c)
		}
	}
	if len(declared) != names.Contrasts {
		return nil
	}
	slices.SortStableFunc(declared, func(a, b contrast) int { return cmp.Compare(a.decides(), b.decides()) })
	chance := 0.0
	for i, c := range declared {
		if next := usual / float64(len(declared)-i); i == 0 || declared[i-1].decides() <= chance {
			chance = next
		}
		rows = append(rows, c.ratio(begun(c.rule.point, names.StepsRatio, names.ParamTests, float64(len(declared))), chance))
	}
	return rows
}

// enough is the share of the judging seeds that must learn under both rules before equal steps
// say anything: where fewer do, they are those of runs that were cut off.
const enough = 0.5

// decided reports whether a contrast supports or refutes the story that training suffers, by
// the interval of the ratio of steps, where such shares of the seeds learn under the rule and
// under 1/√d_k.
func decided(lo, hi, rule, root float64) bool {
	within := lo >= names.ContrastLow && hi <= names.ContrastHigh
	return lo > names.ContrastHigh || within && rule >= enough && root >= enough
}
