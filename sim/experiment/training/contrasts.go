package training

import (
	"cmp"
	"math"
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/theory"
	"mcsim/sim/training"
)

// across says what needs many cells at once.
func across(cells []experiment.Cell, node func(int) (moments.Node, error), doc *result.Document) error {
	trials := make([]trial, len(cells))
	for i, c := range cells {
		n, err := node(i)
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
	doc.Estimates = append(doc.Estimates, lineRows(sweeps)...)
	contrasts := contrastsOf(sweeps)
	for _, c := range contrasts {
		doc.Estimates = append(doc.Estimates, addMedian(begun(c.rule.point, names.StepsRatio), c.ratios, usual), c.difference())
	}
	doc.Estimates = append(doc.Estimates, adjusted(contrasts)...)
	return nil
}

// contrast holds a rule against 1/√d_k, on the same seeds and data.
type contrast struct {
	rule, root         *sweep
	ratios             []float64 // of the steps of each seed, sorted
	learnt, rootLearnt float64   // the shares of the seeds that reach the threshold
}

// contrastsOf holds every rule against that of p = 1/2 without gain, of the same variant
// where it changes the task or the model.
func contrastsOf(sweeps []*sweep) (all []contrast) {
	for _, s := range sweeps {
		i := slices.IndexFunc(sweeps, func(o *sweep) bool { return o != s && isRootOf(o, s) })
		if i < 0 {
			continue
		}
		c := contrast{rule: s, root: sweeps[i]}
		best, rootBest := s.best(tuned), c.root.best(tuned)
		c.learnt, c.rootLearnt = float64(best.reached())/judging, float64(rootBest.reached())/judging
		of, to := best.until(float64(s.Steps)), rootBest.until(float64(s.Steps))
		for seed := range of {
			c.ratios = append(c.ratios, of[seed]/to[seed])
		}
		slices.Sort(c.ratios)
		all = append(all, c)
	}
	return all
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
	r := c.rule.point.Row("steps_difference", m.N, m.Mean, se)
	half := result.Number(theory.StudentQuantile(usual/2, float64(m.N-1)) * se)
	r.Lo, r.Hi, r.Level = r.Value-half, r.Value+half, experiment.Level
	return r
}

// decides is the least chance of a miss at which the interval of the ratio decides, 1 where
// none does. Wider intervals miss less, so that the widest that decides is it.
func (c *contrast) decides() float64 {
	n := len(c.ratios)
	for k := 1; 2*k <= n; k++ {
		if decided(c.ratios[k-1], c.ratios[n-k], c.learnt, c.rootLearnt) {
			return missed(n, k)
		}
	}
	return 1
}

// adjusted are the ratios of the declared contrasts with intervals that miss, all together,
// no more than one interval may: Holm's steps (S. Holm: A simple sequentially rejective
// multiple test procedure, Scandinavian Journal of Statistics 6, 1979), by which the
// verdicts of all of them err together in no more than one interval may. The contrast that
// is decided at the least chance may miss a fourth of it, the next a third, and so on; once
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
		rows = append(rows, addMedian(begun(c.rule.point, names.StepsRatio, names.ParamTests, float64(len(declared))), c.ratios, chance))
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
