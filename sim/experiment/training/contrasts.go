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

// The story is that training suffers under another scale. It counts as supported where the
// interval of the ratio of steps lies above the greater bound, and as refuted where it lies
// between both.
const (
	boundLow  = 0.8
	boundHigh = 1.25
	// primaryDimension is the d_k of the contrasts that were declared; all others are
	// exploratory.
	primaryDimension = 256
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
	sweeps := slices.DeleteFunc(sweepsOf(trials), func(s *sweep) bool { return s.best(tuned) == nil })
	for _, s := range sweeps {
		doc.Estimates = append(doc.Estimates, s.rows()...)
	}
	doc.Estimates = append(doc.Estimates, lineRows(sweeps)...)
	contrasts := contrastsOf(sweeps)
	for _, c := range contrasts {
		doc.Estimates = append(doc.Estimates, c.rows()...)
	}
	doc.Estimates = append(doc.Estimates, adjusted(contrasts)...)
	return nil
}

// contrast holds a rule against 1/√d_k, on the same seeds and data.
type contrast struct {
	rule, root *sweep
	ratios     []float64 // of the steps of each seed, sorted
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
		of, to := s.best(tuned).capped(s.Steps), c.root.best(tuned).capped(s.Steps)
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

// primary reports whether the contrast was declared.
func (c *contrast) primary() bool {
	r := c.rule.Rule
	return r.Variant == training.Plain && r.Gain == 0 && (r.Exponent == 0 || r.Exponent == 1) && !c.rule.All && c.rule.Dimension == primaryDimension
}

// rows are the ratio and the difference of the steps.
func (c *contrast) rows() []result.Estimate {
	return []result.Estimate{addMedian(begun(c.rule.point, names.StepsRatio), c.ratios, usual), c.difference()}
}

// difference is the mean of the paired differences of min(steps, T), with Student's
// interval.
func (c *contrast) difference() result.Estimate {
	of, to := c.rule.best(tuned).capped(c.rule.Steps), c.root.best(tuned).capped(c.rule.Steps)
	for i := range of {
		of[i] -= to[i]
	}
	m := moments.Of(of, 2)
	se := math.Sqrt(m.Variance() / float64(m.N))
	r := c.rule.point.Row(names.StepsDifference, m.N, m.Mean, se)
	half := result.Number(theory.StudentQuantile(usual/2, float64(m.N-1)) * se)
	r.Lo, r.Hi, r.Level = r.Value-half, r.Value+half, experiment.Level
	return r
}

// decides is the least chance of a miss at which the interval of the ratio decides, 1 where
// none does. Wider intervals miss less, so that the widest that decides is it.
func (c *contrast) decides() float64 {
	n := len(c.ratios)
	for k := 1; 2*k <= n; k++ {
		lo, hi := c.ratios[k-1], c.ratios[n-k]
		if lo > boundHigh || lo >= boundLow && hi <= boundHigh {
			return missed(n, k)
		}
	}
	return 1
}

// adjusted are the ratios of the declared contrasts with intervals that miss, all together,
// no more than one interval may: Holm's steps (S. Holm: A simple sequentially rejective
// multiple test procedure, Scandinavian Journal of Statistics 6, 1979). The contrast that
// is decided at the least chance may miss a fourth of it, the next a third, and so on; once
// one is not decided, neither are those behind it.
func adjusted(contrasts []contrast) (rows []result.Estimate) {
	var declared []contrast
	for _, c := range contrasts {
		if c.primary() {
			declared = append(declared, c)
		}
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
