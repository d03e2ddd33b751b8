// Package training is the page on whether training suffers: declared contrasts, steps, rates and variants.
package training

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// pageView is the view of the page on training.
type pageView struct {
	Verdict   view.Verdict
	Any       bool
	Steps     string
	Dimension string // at which it is shown
	Declared  bool   // the declared contrasts are in the document
	Finding   string
	Contrasts view.Table
	Ratios    []view.Table // of either arm: all contrasts, exploratory
	Needed    []view.Table // of either arm: steps at the best rate and at the shared one
	Rates     view.Table
	Attention view.Table
	Variants  view.Table
}

// The bounds between which a ratio of steps refutes the story, and above which it supports
// it.
const (
	storyLow  = 0.8
	storyHigh = 1.25
)

// Page fills the page on training.
func Page(s *view.Source) pageView {
	grid := rows.TrainingGrid(s.Doc)
	v := pageView{Verdict: s.Verdict(), Any: len(s.Estimates(rows.Training(names.LearningRate))) > 0,
		Steps: view.NumberIn(grid, names.ParamSteps), Dimension: digits.Short(rows.TrainingDimension(s.Doc))}
	if !v.Any {
		return v
	}
	v.Contrasts, v.Finding = declared(s)
	v.Declared = len(v.Contrasts.Rows) > 0
	for _, arm := range arms {
		within := result.Params{names.ParamSteps: grid[names.ParamSteps], names.ParamTrained: arm.name}
		v.Ratios = append(v.Ratios, explored(s, within, arm.text))
		v.Needed = append(v.Needed, needed(s, within, arm.text))
	}
	v.Rates, v.Attention, v.Variants = rates(s), attended(s, grid), varied(s)
	return v
}

// arms are which weights train.
var arms = []struct{ name, text string }{
	{names.TrainedQueryKey, "W_Q and W_K train"}, {names.TrainedAll, "all weights train"},
}

// allTrained are the rows of a quantity of training, of any rule, those without a number among
// them, but not those of one rate of many.
func allTrained(s *view.Source, quantity string, within result.Params) (found []result.Estimate) {
	for e := range s.Doc.Rows(names.ExperimentTraining, quantity, within) {
		if _, rate := e.Params[names.ParamOctave]; !rate {
			found = append(found, *e)
		}
	}
	return found
}

// trainedRule writes the rule of a row.
func trainedRule(e result.Estimate) string {
	p, _ := e.Params.Number(names.ParamExponent)
	text := "p" + view.Equals + digits.Fraction(p)
	if g, ok := e.Params.Number(names.ParamGain); ok {
		text += ", gain d_k^(" + digits.Fraction(g) + ")"
	}
	if variant, ok := e.Params.Text(names.ParamVariant); ok {
		text = variant + ", " + text
	}
	return text
}

// optimiserOf writes the optimiser of a row.
func optimiserOf(e result.Estimate) string {
	name, _ := e.Params.Text(names.ParamOptimiser)
	if name == names.OptimiserAdam {
		return "Adam"
	}
	return "gradient descent"
}

// undecided is what is said where an interval lies neither above the bounds nor between them.
const undecided = "undecided"

// story is what the interval of a ratio says of the story.
func story(e result.Estimate) string {
	switch {
	case e.Lo.Present() && float64(e.Lo) > storyHigh:
		return "supported"
	case e.Lo.Present() && e.Hi.Present() && float64(e.Lo) >= storyLow && float64(e.Hi) <= storyHigh:
		return "refuted"
	case e.Hi.Present() && float64(e.Hi) < storyLow:
		return undecided + ": fewer steps, not more"
	}
	return undecided
}

// declared are the declared contrasts, and what they say together.
func declared(s *view.Source) (t view.Table, finding string) {
	t = view.Table{Caption: "The declared contrasts, at d_k" + view.Equals + digits.Short(rows.DeclaredDimension) + ": steps over those of the same seed under 1/√d_k, with the interval of each by itself and the one that holds for all of them together (Holm), by which the story is judged.",
		Head: []string{"scale", "optimiser", "ratio of steps", "together", "the story is"}, Left: []int{1, 4}}
	counts := map[string]int{}
	for _, e := range allTrained(s, names.StepsRatio, nil) {
		if _, together := e.Params[names.ParamTests]; !together {
			continue
		}
		own := rows.Training(names.StepsRatio)
		for _, p := range []string{names.ParamExponent, names.ParamOptimiser, names.ParamTrained, names.ParamDimension, names.ParamSteps} {
			own = own.With(p, e.Params[p])
		}
		one, _ := rows.One(s.Doc, own)
		t.Rows = append(t.Rows, []string{trainedRule(e), optimiserOf(e), view.Measured(one), view.Interval(e), story(e)})
		verdict, _, _ := strings.Cut(story(e), ":")
		counts[verdict]++
	}
	if len(t.Rows) == 0 {
		return t, ""
	}
	slices.SortFunc(t.Rows, func(a, b []string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) })
	return t, fmt.Sprintf("Of the %d declared contrasts with $1/\\sqrt{d_k}$, the story that training suffers under another scale is supported in %d, refuted in %d and undecided in %d.",
		len(t.Rows), counts["supported"], counts["refuted"], counts[undecided])
}

// explored are all ratios of an arm, by d_k.
func explored(s *view.Source, within result.Params, arm string) view.Table {
	t := view.Table{Caption: "Exploratory: steps over those of the same seed under 1/√d_k where " + arm + ", each at its best rate."}
	return byRuleAndDimension(t, plainRules(allTrained(s, names.StepsRatio, within)), func(e result.Estimate) string { return bounded(e) })
}

// with is params with one more.
func with(p result.Params, name string, value any) result.Params {
	p = maps.Clone(p)
	p[name] = value
	return p
}

// without is params without one.
func without(p result.Params, name string) result.Params {
	p = maps.Clone(p)
	delete(p, name)
	return p
}

// plainRules are the rows that name no variant, and are no contrasts together.
func plainRules(es []result.Estimate) []result.Estimate {
	return slices.DeleteFunc(es, func(e result.Estimate) bool {
		_, variant := e.Params[names.ParamVariant]
		_, together := e.Params[names.ParamTests]
		return variant || together
	})
}

// bounded writes a median with its interval, either of which may be infinite.
func bounded(e result.Estimate) string {
	if e.Value.Present() && e.Hi.Present() {
		return view.Concise(e)
	}
	end := func(x result.Number) string {
		if !x.Present() {
			return "∞"
		}
		return digits.Rough(float64(x))
	}
	return end(e.Value) + " [" + end(e.Lo) + ", " + end(e.Hi) + "]"
}

// byRuleAndDimension lays rows out by rule and optimiser, with a column for each d_k.
func byRuleAndDimension(t view.Table, es []result.Estimate, write func(result.Estimate) string) view.Table {
	dims := rows.Numbers(es, names.ParamDimension)
	t.Head, t.Left = []string{"scale", "optimiser"}, []int{1}
	for _, d := range dims {
		t.Head = append(t.Head, names.ParamDimension+view.Equals+digits.Short(d))
	}
	at := map[string][]string{}
	for _, e := range es {
		rule, optimiser := trainedRule(e), optimiserOf(e)
		row, ok := at[rule+optimiser]
		if !ok {
			row = make([]string, 2+len(dims))
			row[0], row[1] = rule, optimiser
			at[rule+optimiser] = row
			t.Rows = append(t.Rows, row)
		}
		d, _ := e.Params.Number(names.ParamDimension)
		row[2+slices.Index(dims, d)] = write(e)
	}
	slices.SortStableFunc(t.Rows, func(a, b []string) int { return strings.Compare(b[1], a[1]) })
	return t
}

// needed are the steps to the threshold in an arm, at the best rate and at the shared one.
func needed(s *view.Source, within result.Params, arm string) view.Table {
	t := view.Table{Caption: "Steps to the threshold where " + arm + ", at the best rate of each scale and, behind a slash, at one rate for all of them, which is the reference of 1/√d_k; ∞ where half of the seeds or more do not reach it."}
	best := plainRules(allTrained(s, names.StepsToThreshold, with(within, names.ParamChosen, names.ChosenBest)))
	return byRuleAndDimension(t, best, func(e result.Estimate) string {
		text := bounded(e)
		if !e.Lo.Present() && !e.Value.Present() {
			text = "not learnt at any rate in " + ratesOf(s, e)
		}
		for _, o := range allTrained(s, names.StepsToThreshold, with(e.Params, names.ParamChosen, names.ChosenShared)) {
			if len(o.Params) == len(e.Params) {
				text += " / " + bounded(o)
			}
		}
		return text
	})
}

// ratesOf writes the rates at which the rule of a row was trained.
func ratesOf(s *view.Source, e result.Estimate) string {
	end := func(quantity string) string {
		at := without(e.Params, names.ParamChosen)
		for _, r := range allTrained(s, quantity, at) {
			if len(r.Params) == len(at) {
				return digits.Rough(float64(r.Value))
			}
		}
		return ""
	}
	return "[" + end(names.LowestRate) + ", " + end(names.HighestRate) + "]"
}

// rates are the powers of d_k with which the best rate goes, beside what was predicted.
func rates(s *view.Source) view.Table {
	t := view.Table{Caption: "The power of d_k with which the best rate of learning goes, beside what was predicted before anything was trained: that the first step changes logits as much at every d_k. Rates are an octave apart, and the interval holds what each of the five seeds that choose would choose alone.",
		Head: []string{"scale", "optimiser", "trained", "predicted", "measured"}, Left: []int{1, 2}}
	for _, e := range plainRules(allTrained(s, names.RateSlope, nil)) {
		which, _ := e.Params.Text(names.ParamTrained)
		t.Rows = append(t.Rows, []string{trainedRule(e), optimiserOf(e), which, digits.Short(float64(e.Theory)), digits.Within(float64(e.Value), float64(e.Lo), float64(e.Hi))})
	}
	return t
}

// attentionHeads are what attention is asked, and the heads of its columns.
var attentionHeads = []struct{ quantity, head string }{
	{names.LargestLogit, "largest logit"}, {names.EntropyRatio, "entropy ratio"},
	{names.Quantile(names.GradientSurvival, 0.5), "median R"}, {names.RootSurvival, "root mean square of R"},
	{names.Quantile(names.KeyGradient, 0.5), "median ‖∂α/∂K‖"}, {names.RootKeyGradient, "its root mean square"},
}

// attended is what attention looks like before training and after it.
func attended(s *view.Source, grid result.Params) view.Table {
	d := rows.TrainingDimension(s.Doc)
	t := view.Table{Caption: "Attention before the first step and after the last, at d_k" + view.Equals + digits.Short(d) + " where W_Q and W_K train, in the median of the seeds.",
		Head: []string{"scale", "optimiser", "step"}, Left: []int{1}}
	for _, h := range attentionHeads {
		t.Head = append(t.Head, h.head)
	}
	within := with(grid, names.ParamDimension, d)
	for _, first := range plainRules(allTrained(s, names.LargestLogit, within)) {
		row := []string{trainedRule(first), optimiserOf(first), view.NumberIn(first.Params, names.ParamStep)}
		for _, h := range attentionHeads {
			text := ""
			for _, e := range allTrained(s, h.quantity, first.Params) {
				if len(e.Params) == len(first.Params) {
					text = view.Concise(e)
				}
			}
			row = append(row, text)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// varied are the ratios of the variants.
func varied(s *view.Source) view.Table {
	t := view.Table{Caption: "Exploratory: what else might matter, each alone. Steps to the threshold at the best rate, and over those of the same seed under 1/√d_k in the same task and model, or in the plain one where the variant is the rule.",
		Head: []string{"variant", "optimiser", names.ParamDimension, "steps", "ratio of steps"}, Left: []int{1}}
	for _, e := range allTrained(s, names.StepsToThreshold, result.Params{names.ParamChosen: names.ChosenBest}) {
		if _, ok := e.Params[names.ParamVariant]; !ok {
			continue
		}
		ratio, at := "", without(e.Params, names.ParamChosen)
		for _, r := range allTrained(s, names.StepsRatio, at) {
			if len(r.Params) == len(at) {
				ratio = bounded(r)
			}
		}
		t.Rows = append(t.Rows, []string{trainedRule(e), optimiserOf(e), view.NumberIn(e.Params, names.ParamDimension), bounded(e), ratio})
	}
	return t
}
