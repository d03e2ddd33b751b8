// Package training is the page on whether training suffers: declared contrasts, steps, rates and variants.
package training

import (
	"fmt"
	"maps"
	"math"
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
	Verdict    view.Verdict
	Any        bool // a rate was chosen
	Tried      bool // something was trained
	Gains      bool // from initial weights of other sizes too
	Steps      string
	Dimension  string // at which it is shown
	Dimensions int    // at how many it was trained
	Declared   bool   // the declared contrasts are in the document
	Lead       string
	Findings   []string
	Unsettled  int // at how many rules the best rate may lie where none was tried
	Contrasts  view.Table
	Ratios     []view.Table // of either arm: all contrasts, exploratory
	Needed     []view.Table // of either arm: steps at the best rate, and at the shared one
	Rates      view.Table
	More       view.Table
	Alignment  view.Table
	Attention  view.Table
	Gradients  view.Table
	Variants   view.Table
}

// Page fills the page on training.
func Page(s *view.Source) pageView {
	chosen := allTrained(s, names.LearningRate, nil)
	v := pageView{Verdict: s.Verdict(), Any: len(chosen) > 0}
	for range s.Doc.Rows(names.ExperimentTraining, names.TuningLoss, nil) {
		v.Tried = true
		break
	}
	if !v.Any {
		return v
	}
	v.Gains = slices.ContainsFunc(chosen, otherWeights)
	v.Steps, v.Variants = view.NumberIn(chosen[0].Params, names.ParamSteps), varied(s)
	grid := rows.TrainingGrid(s.Doc)
	if grid == nil {
		return v // variants alone
	}
	v.Steps, v.Dimension = view.NumberIn(grid, names.ParamSteps), digits.Short(rows.TrainingDimension(s.Doc))
	v.Dimensions = len(rows.Numbers(plainRules(chosen), names.ParamDimension))
	v.Contrasts = declared(s)
	v.Declared = len(v.Contrasts.Rows) > 0
	v.Lead, v.Findings, v.Unsettled = lead(s, grid), findings(s, grid), unsettled(s)
	for _, arm := range arms {
		within := result.Params{names.ParamSteps: grid[names.ParamSteps], names.ParamTrained: arm.name}
		v.Ratios = append(v.Ratios, explored(s, within, arm.text))
		for _, at := range chosenRates {
			v.Needed = append(v.Needed, needed(s, within, at.name, fmt.Sprintf(at.caption, arm.text)))
		}
	}
	v.Rates, v.More, v.Alignment = rates(s), more(s), aligned(s)
	v.Attention = attended(s, grid, "Attention", weightHeads)
	v.Gradients = attended(s, grid, "Gradients of weights α by logits (R, the survival) and by keys", gradientHeads)
	return v
}

// arms are which weights train.
var arms = []struct{ name, text string }{
	{names.TrainedQueryKey, "W_Q and W_K train"}, {names.TrainedAll, "all weights train"},
}

// trainedOf writes which weights train in a row.
func trainedOf(e result.Estimate) string {
	which, _ := e.Params.Text(names.ParamTrained)
	if which == names.TrainedAll {
		return "all weights"
	}
	return "W_Q and W_K"
}

// chosenRates are the rates at which steps are shown.
var chosenRates = []struct{ name, caption string }{
	{names.ChosenBest, "Steps to the threshold where %s, at the best rate of each scale; ∞ where half of the seeds or more do not reach it, with how many do."},
	{names.ChosenShared, "Steps to the threshold where %s, at one rate for all scales, which is the reference of 1/√d_k; ∞ where half of the seeds or more do not reach it, with how many do, and nothing where the rate lies between two that were tried."},
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

// explored are all ratios of an arm, by d_k.
func explored(s *view.Source, within result.Params, arm string) view.Table {
	t := view.Table{Caption: "Exploratory: steps over those of the same seed under 1/√d_k where " + arm + ", each at its best rate. ≥ and ≤ are bounds: half of the runs or more that the ratio is of were cut off at the last step."}
	es := plainRules(allTrained(s, names.StepsRatio, within))
	if slices.ContainsFunc(es, otherWeights) {
		t.Caption += " A line with gain d_k^g is that of p − 2g without one, in other units, and checks the program."
	}
	return byRuleAndDimension(t, es, func(e result.Estimate) string { return ratio(s, e) })
}

// otherWeights reports whether a row is of initial weights of another size than the usual one.
func otherWeights(e result.Estimate) bool {
	_, ok := e.Params[names.ParamGain]
	return ok
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

// counted writes a median of steps with its interval, either of which may be infinite.
// They are counts, and stand as they are.
func counted(e result.Estimate) string {
	end := func(x result.Number) string {
		if !x.Present() {
			return "∞"
		}
		return digits.Short(float64(x))
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

// needed are the steps to the threshold in an arm, at the best rate or at the shared one.
func needed(s *view.Source, within result.Params, chosen, caption string) view.Table {
	es := plainRules(allTrained(s, names.StepsToThreshold, with(within, names.ParamChosen, chosen)))
	return byRuleAndDimension(view.Table{Caption: caption}, es, func(e result.Estimate) string { return stepsOf(s, e) })
}

// stepsOf writes the steps of a row, and where there is no median how many seeds learn, and
// at the best rate how many do at any, or that none does.
func stepsOf(s *view.Source, e result.Estimate) string {
	if e.Value.Present() {
		return counted(e)
	}
	most, known := exact(s, names.ReachedShare, with(e.Params, names.ParamChosen, names.ChosenAny))
	if known && most.Value == 0 {
		return fmt.Sprintf("∞ (0 of %d at any rate)", most.N)
	}
	share, ok := exact(s, names.ReachedShare, e.Params)
	switch {
	case !ok:
		return "∞"
	case known && e.Params[names.ParamChosen] == names.ChosenBest && learners(most) > learners(share):
		return fmt.Sprintf("∞ (%d of %d, %d at some rate)", learners(share), share.N, learners(most))
	}
	return fmt.Sprintf("∞ (%d of %d)", learners(share), share.N)
}

// learners are how many seeds a share stands for.
func learners(share result.Estimate) int {
	return int(math.Round(float64(share.Value) * float64(share.N)))
}

// exact is the row of a quantity that has these parameters and no other.
func exact(s *view.Source, quantity string, at result.Params) (result.Estimate, bool) {
	for _, e := range allTrained(s, quantity, at) {
		if len(e.Params) == len(at) {
			return e, true
		}
	}
	return result.Estimate{}, false
}

// quantityHead is a quantity with the head of its column.
type quantityHead struct{ quantity, head string }

// weightHeads are what the weights of attention are asked.
var weightHeads = []quantityHead{{names.LargestLogit, "largest logit"}, {names.EntropyRatio, "entropy ratio"}}

// gradientHeads are what its gradients are asked.
var gradientHeads = []quantityHead{
	{names.Quantile(names.GradientSurvival, 0.5), "median R"}, {names.RootSurvival, "root mean square of R"},
	{names.Quantile(names.KeyGradient, 0.5), "median ‖∂α/∂K‖"}, {names.RootKeyGradient, "its root mean square"},
}

// attended is what attention looks like before training and after it.
func attended(s *view.Source, grid result.Params, what string, heads []quantityHead) view.Table {
	d := rows.TrainingDimension(s.Doc)
	t := view.Table{Caption: what + " before the first step and after the last, at d_k" + view.Equals + digits.Short(d) + " where W_Q and W_K train, in the median of the seeds.",
		Head: []string{"scale", "optimiser", "step"}, Left: []int{1}}
	for _, h := range heads {
		t.Head = append(t.Head, h.head)
	}
	within := with(grid, names.ParamDimension, d)
	for _, first := range plainRules(allTrained(s, names.LargestLogit, within)) {
		row := []string{trainedRule(first), optimiserOf(first), view.NumberIn(first.Params, names.ParamStep)}
		for _, h := range heads {
			text := ""
			if e, ok := exact(s, h.quantity, first.Params); ok {
				text = view.Concise(e)
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
		over := ""
		if r, ok := exact(s, names.StepsRatio, without(e.Params, names.ParamChosen)); ok {
			over = ratio(s, r)
		}
		t.Rows = append(t.Rows, []string{trainedRule(e), optimiserOf(e), view.NumberIn(e.Params, names.ParamDimension), stepsOf(s, e), over})
	}
	return t
}
