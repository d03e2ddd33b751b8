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
	t := view.Table{Caption: "The declared contrasts, at d_k" + view.Equals + digits.Short(story.Dimension) + ": steps over those of the same seed under 1/√d_k, with the interval of each by itself and the one that holds for all of them together (Holm), by which the story is judged. ≥ is a lower bound: half of the runs or more were cut off at the last step.",
		Head: []string{"scale", "optimiser", "ratio of steps", "together", "the story is"}, Left: []int{1, 4}}
	for _, e := range together(s) {
		one, _ := exact(s, names.StepsRatio, without(e.Params, names.ParamTests))
		t.Rows = append(t.Rows, []string{trainedRule(e), optimiserOf(e), ratio(s, one), view.Interval(e), string(judged(s, e))})
	}
	return t
}

// lead says in one sentence what was found without a scale.
func lead(s *view.Source, grid result.Params) string {
	at := with(grid, names.ParamDimension, rows.TrainingDimension(s.Doc))
	times := func(exponent float64, optimiser string) (string, bool) {
		e, ok := exact(s, names.StepsRatio, with(with(at, names.ParamExponent, exponent), names.ParamOptimiser, optimiser))
		if !ok || judged(s, e) == story.NeitherLearns {
			return "", false
		}
		text := digits.Within(float64(e.Value), float64(e.Lo), float64(e.Hi))
		said := map[rows.Bound]string{rows.AtLeast: "at least ", rows.AtMost: "at most "}[rows.BoundOf(s.Doc, e)]
		return said + text, true
	}
	var parts []string
	for _, c := range []struct {
		exponent         float64
		optimiser, words string
	}{
		{0, names.OptimiserAdam, "without a scale under Adam"}, {0, names.OptimiserDescent, "without one under gradient descent"},
	} {
		if text, ok := times(c.exponent, c.optimiser); ok {
			parts = append(parts, text+" times as many steps "+c.words)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	text := parts[len(parts)-1]
	if rest := parts[:len(parts)-1]; len(rest) > 0 {
		text = strings.Join(rest, ", ") + " and " + text
	}
	return fmt.Sprintf("At $d_k$ = %s, from the usual initial weights and each time at the best rate of learning, one small layer takes %s as it does with $1/\\sqrt{d_k}$.",
		digits.Short(rows.TrainingDimension(s.Doc)), text)
}

// findings are sentences on what was declared, what is an identity, and what was predicted.
func findings(s *view.Source, grid result.Params) (out []string) {
	for _, text := range []string{counts(s), byDimension(s, grid), slower(s), otherUnits(s, grid), predictions(s)} {
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

// byDimension says how many steps 1/d_k takes, by itself.
func byDimension(s *view.Source, grid result.Params) string {
	at := with(with(grid, names.ParamDimension, rows.TrainingDimension(s.Doc)), names.ParamExponent, 1.0)
	var parts []string
	for _, optimiser := range []string{names.OptimiserDescent, names.OptimiserAdam} {
		if e, ok := exact(s, names.StepsRatio, with(at, names.ParamOptimiser, optimiser)); ok {
			parts = append(parts, ratio(s, e)+" under "+optimiserOf(e))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "With $1/d_k$ the ratio of steps is " + strings.Join(parts, " and ") + "; below 1 it learns in fewer steps than with $1/\\sqrt{d_k}$."
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
	_, gain := e.Params[names.ParamGain]
	return !gain && e.Params[names.ParamTrained] == names.TrainedQueryKey && (p == 0.5 || p == 1 && adam)
}

// held reports whether what was expected lies in the interval.
func held(e result.Estimate) bool { return e.Lo <= e.Theory && e.Theory <= e.Hi }

// predictions says whether the predicted powers of d_k were found.
func predictions(s *view.Source) string {
	var yes, all int
	for _, e := range plainRules(allTrained(s, names.RateSlope, nil)) {
		if predicted(e) {
			all++
			if held(e) {
				yes++
			}
		}
	}
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("Of the %d predicted powers of $d_k$ with which the best rate goes, %d %s within the interval of what was measured.", all, yes, digits.Form(yes, "lies", "lie"))
}

// rates are the powers of d_k with which the best rate goes, beside what was predicted.
func rates(s *view.Source) view.Table {
	t := view.Table{Caption: "The power of d_k with which the best rate of learning goes, beside that at which the first step changes logits as much at every d_k. Three were predicted before anything was trained. Rates are an octave apart, and the interval holds what each of the five seeds that choose would choose alone.",
		Head: []string{"scale", "optimiser", "trained", "by the first step", "measured", "predicted"}, Left: []int{1, 2, 5}}
	for _, e := range plainRules(allTrained(s, names.RateSlope, nil)) {
		mark := ""
		if predicted(e) {
			mark = "predicted, not held"
			if held(e) {
				mark = "predicted, held"
			}
		}
		t.Rows = append(t.Rows, []string{trainedRule(e), optimiserOf(e), trainedOf(e), digits.Short(float64(e.Theory)), digits.Within(float64(e.Value), float64(e.Lo), float64(e.Hi)), mark})
	}
	return t
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
