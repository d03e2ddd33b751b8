package training

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/names/story"
	"mcsim/sim/result"
)

// judged is what a ratio says of the story.
func judged(s *view.Source, e result.Estimate) story.Verdict {
	rule, root := rows.Learnt(s.Doc, e)
	return story.Of(float64(e.Lo), float64(e.Hi), rule, root)
}

// bound is what stands before a ratio of which a side was cut off.
func bound(s *view.Source, e result.Estimate) string {
	return map[rows.Bound]string{rows.AtLeast: "≥ ", rows.AtMost: "≤ "}[rows.BoundOf(s.Doc, e)]
}

// ratio writes a ratio of steps.
func ratio(s *view.Source, e result.Estimate) string {
	text := bound(s, e) + digits.Within(float64(e.Value), float64(e.Lo), float64(e.Hi))
	if judged(s, e) == story.NeitherLearns {
		text += ", neither learns"
	}
	return text
}

// together are the rows of the declared contrasts, by which the story is judged.
func together(s *view.Source) (found []result.Estimate) {
	for _, e := range allTrained(s, names.StepsRatio, nil) {
		if _, ok := e.Params[names.ParamTests]; ok {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b result.Estimate) int { return strings.Compare(called(a), called(b)) })
	return found
}

// called names the rule and the optimiser of a row in a sentence.
func called(e result.Estimate) string {
	p, _ := e.Params.Number(names.ParamExponent)
	return map[float64]string{0: "no scale", 1: "$1/d_k$"}[p] + " under " + optimiserOf(e)
}

// declared are the declared contrasts.
func declared(s *view.Source) view.Table {
	t := view.Table{Caption: "The declared contrasts, at d_k" + view.Equals + digits.Short(story.Dimension) + ": steps over those of the same seed under 1/√d_k, with the interval of each by itself and the one by which the story is judged, widened by Holm's steps so that of all the verdicts together one errs no more often than a single one may. ≥ is a lower bound: half of the runs or more were cut off at the last step.",
		Head: []string{"scale", "optimiser", "ratio of steps", "to judge by", "the story is"}, Left: []int{1, 4}}
	for _, e := range together(s) {
		one, _ := exact(s, names.StepsRatio, without(e.Params, names.ParamTests))
		t.Rows = append(t.Rows, []string{trainedRule(e), optimiserOf(e), ratio(s, one), view.Interval(e), string(judged(s, e))})
	}
	return t
}

// lead says in one sentence what was found of the contrasts that are declared, or of the same
// ones at the d_k that is shown.
func lead(s *view.Source, grid result.Params) string {
	es := together(s)
	if len(es) == 0 {
		es = likeDeclared(s, grid)
	}
	if text := said(s, es); text != "" {
		return fmt.Sprintf("At $d_k$ = %s, each time at the best rate of learning that was tried, one small layer %s.", digits.Short(rows.TrainingDimension(s.Doc)), text)
	}
	return ""
}

// said is what contrasts say of a layer: which rules take more steps, which about as many, and
// of which neither is known.
func said(s *view.Source, es []result.Estimate) string {
	var more, same, open []string
	for _, e := range es {
		switch judged(s, e).Kind() {
		case story.Supported:
			more = append(more, inWords(s, e)+" times as many steps with "+called(e))
		case story.Refuted:
			same = append(same, "about as many with "+called(e)+" ("+inWords(s, e)+")")
		default:
			open = append(open, "with "+called(e))
		}
	}
	if len(more) == 0 && len(same) > 0 {
		same[0] = strings.Replace(same[0], "as many", "as many steps", 1)
	}
	takes := ""
	if sure := append(more, same...); len(sure) > 0 {
		takes = "takes " + view.Listed(sure) + " as with $1/\\sqrt{d_k}$"
	}
	switch {
	case len(open) == 0:
		return takes
	case takes == "":
		return "is not shown to take more steps " + view.ListedOr(open) + " than with $1/\\sqrt{d_k}$"
	}
	return takes + "; it is not shown to take more " + view.ListedOr(open)
}

// likeDeclared are the contrasts that are declared at another d_k, in other steps or at fewer
// rates.
func likeDeclared(s *view.Source, grid result.Params) (found []result.Estimate) {
	at := with(grid, names.ParamDimension, rows.TrainingDimension(s.Doc))
	for _, exponent := range []float64{0, 1} {
		for _, optimiser := range []string{names.OptimiserDescent, names.OptimiserAdam} {
			if e, ok := exact(s, names.StepsRatio, with(with(at, names.ParamExponent, exponent), names.ParamOptimiser, optimiser)); ok {
				found = append(found, e)
			}
		}
	}
	slices.SortFunc(found, func(a, b result.Estimate) int { return strings.Compare(called(a), called(b)) })
	return found
}

// inWords writes a ratio in a sentence.
func inWords(s *view.Source, e result.Estimate) string {
	return rows.BoundOf(s.Doc, e).Words() + digits.Within(float64(e.Value), float64(e.Lo), float64(e.Hi))
}

// findings are sentences on what was declared, what is an identity, and what was predicted.
func findings(s *view.Source, grid result.Params) (out []string) {
	for _, text := range []string{counts(s), evenSteeper(s, grid), slower(s), otherUnits(s, grid), predictions(s)} {
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

// counts says of how many declared contrasts the story is supported.
func counts(s *view.Source) string {
	by := map[story.Verdict][]string{}
	all := together(s)
	for _, e := range all {
		kind := judged(s, e).Kind()
		by[kind] = append(by[kind], called(e))
	}
	if len(all) == 0 {
		return ""
	}
	var parts []string
	for _, kind := range []story.Verdict{story.Supported, story.Refuted, story.Undecided} {
		text := fmt.Sprintf("%s in %d", kind, len(by[kind]))
		if len(by[kind]) > 0 {
			text += " (" + strings.Join(by[kind], "; ") + ")"
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("Of the %d declared contrasts with $1/\\sqrt{d_k}$, the story that training suffers under another scale is %s.", len(all), strings.Join(parts, ", "))
}

// evenSteeper says how many steps 1/d_k takes, by itself.
func evenSteeper(s *view.Source, grid result.Params) string {
	var parts []string
	for _, e := range likeDeclared(s, grid) {
		if p, _ := e.Params.Number(names.ParamExponent); p == 1 && judged(s, e) != story.NeitherLearns {
			parts = append(parts, inWords(s, e)+" under "+optimiserOf(e))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "With $1/d_k$ the ratio of steps is " + view.Listed(parts) + "; below 1 it learns in fewer steps than with $1/\\sqrt{d_k}$."
}

// slower says whether 1/d_k is slower at its own best rate.
func slower(s *view.Source) string {
	var slow []string
	n := 0
	for _, e := range together(s) {
		if e.Params[names.ParamExponent] != 1.0 {
			continue
		}
		n++
		if judged(s, e) == story.Supported {
			slow = append(slow, optimiserOf(e))
		}
	}
	switch {
	case n == 0:
		return ""
	case len(slow) == 0:
		return "Division by $d_k$ is not found to be slower at its own best rate of learning, under either optimiser."
	}
	return "Division by $d_k$ is slower, at its own best rate of learning too, under " + strings.Join(slow, " and ") + "."
}

// otherUnits says what smaller initial weights do without a scale.
func otherUnits(s *view.Source, grid result.Params) string {
	at := with(with(with(grid, names.ParamDimension, rows.TrainingDimension(s.Doc)), names.ParamExponent, 0.0), names.ParamGain, -0.25)
	var parts []string
	for _, optimiser := range []string{names.OptimiserDescent, names.OptimiserAdam} {
		if e, ok := exact(s, names.StepsRatio, with(at, names.ParamOptimiser, optimiser)); ok {
			parts = append(parts, digits.Within(float64(e.Value), float64(e.Lo), float64(e.Hi))+" under "+optimiserOf(e))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Without a scale, but with initial weights that are smaller by $d_k^{1/4}$, the ratio of steps is " + strings.Join(parts, " and ") +
		". This layer is that of $1/\\sqrt{d_k}$ in other units, so this checks the program and is no evidence."
}

// predicted reports whether the power of a row of rates was predicted.
func predicted(e result.Estimate) bool {
	p, _ := e.Params.Number(names.ParamExponent)
	adam := e.Params[names.ParamOptimiser] == names.OptimiserAdam
	return !otherWeights(e) && e.Params[names.ParamTrained] == names.TrainedQueryKey && (p == 0.5 || p == 1 && adam)
}

// What becomes of a prediction.
const (
	untested = "predicted, not tested by so few rates or steps"
	held     = "predicted, held"
	failed   = "predicted, not held"
)

// prediction is what became of a predicted power of d_k, of none nothing. Rates stand about a
// reference that goes as predicted, so that a sweep of few rates tests nothing.
func prediction(e result.Estimate) string {
	switch {
	case !predicted(e):
		return ""
	case !e.Theory.Present():
		return untested
	case e.Lo <= e.Theory && e.Theory <= e.Hi:
		return held
	}
	return failed
}

// predictions says whether the predicted powers of d_k were found.
func predictions(s *view.Source) string {
	count := map[string]int{}
	for _, e := range plainRules(allTrained(s, names.RateSlope, nil)) {
		count[prediction(e)]++
	}
	all := count[held] + count[failed]
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("Of the powers of $d_k$ with which the best rate goes %s predicted and tested here, of which %s within the interval of what was measured.",
		digits.InWords(all)+digits.Form(all, " was", " were"), digits.InWords(count[held])+digits.Form(count[held], " lies", " lie"))
}

// rates are the powers of d_k with which the best rate goes, beside what was predicted.
func rates(s *view.Source) view.Table {
	t := view.Table{Caption: "The power of d_k with which the best rate of learning goes, beside that at which the first step changes logits as much at every d_k, where enough rates were tried to find another. Three were predicted before anything was trained. Rates are an octave apart, and the interval holds what each of the five seeds that choose would choose alone.",
		Head: []string{"scale", "optimiser", "trained", "by the first step", "measured", "predicted"}, Left: []int{1, 2, 5}}
	for _, e := range plainRules(allTrained(s, names.RateSlope, nil)) {
		expected := ""
		if e.Theory.Present() {
			expected = digits.Short(float64(e.Theory))
		}
		t.Rows = append(t.Rows, []string{trainedRule(e), optimiserOf(e), trainedOf(e), expected, digits.Within(float64(e.Value), float64(e.Lo), float64(e.Hi)), prediction(e)})
	}
	return t
}

// unsettled is at how many rules the best rate may lie where none was tried.
func unsettled(s *view.Source) (n int) {
	for _, w := range s.Doc.Warnings {
		if w.Quantity == names.TuningLoss {
			n++
		}
	}
	return n
}

// more are the share of the seeds that learns, the paired difference of steps and the first
// gradient over ε, of every rule at its best rate.
func more(s *view.Source) view.Table {
	t := view.Table{Caption: "At the best rate of each scale: the share of the 20 judging seeds that reaches the threshold; steps less those of the same seed under 1/√d_k, both no more than all steps of a run, as a mean; and the first gradient over the ε of Adam, which plays no part where it is far above 1.",
		Head: []string{"scale", "optimiser", "trained", names.ParamDimension, "share that learns", "difference of steps", "gradient over ε"}, Left: []int{1, 2}}
	for _, e := range plainRules(allTrained(s, names.ReachedShare, result.Params{names.ParamChosen: names.ChosenBest})) {
		at := without(e.Params, names.ParamChosen)
		row := []string{trainedRule(e), optimiserOf(e), trainedOf(e), view.NumberIn(e.Params, names.ParamDimension), fmt.Sprintf("%d of %d", learners(e), e.N), "", ""}
		if d, ok := exact(s, names.StepsDifference, at); ok {
			row[5] = view.Measured(d)
		}
		if g, ok := exact(s, names.GradientOverEpsilon, at); ok {
			row[6] = digits.Magnitude(math.Abs(float64(g.Value)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// aligned is the exponent that keeps the score of queries and keys, before and after.
func aligned(s *view.Source) view.Table {
	t := view.Table{Caption: "The power of d_k that keeps the score of a query and the key it asks for: 1/2 where they are independent, 1 where they point the same way at every d_k.",
		Head: []string{"scale", "optimiser", "trained", "step", "exponent"}, Left: []int{1, 2}}
	for _, e := range plainRules(allTrained(s, names.LearntExponent, nil)) {
		t.Rows = append(t.Rows, []string{trainedRule(e), optimiserOf(e), trainedOf(e), view.NumberIn(e.Params, names.ParamStep), view.Concise(e)})
	}
	return t
}
