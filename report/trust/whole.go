package trust

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcsim/report/chart"
	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// wholeView is what is said of the document as a whole.
type wholeView struct {
	Intervals string // how many hold theory
	Chosen    string // the number that stands for a cell of each experiment
	Verdict   string // of the tests together
	Agrees    bool
	Tests     view.Table
	Repeats   view.Table
}

// whole fills the part on the document as a whole; without its rows all of it is empty.
func whole(s *view.Source) wholeView {
	v := wholeView{Intervals: heldIntervals(s), Chosen: chosen(s), Repeats: repeats(s)}
	v.Verdict, v.Agrees = joint(s)
	if v.Verdict != "" {
		v.Tests = tests(s)
	}
	return v
}

// ofAll names rows that judge the document as a whole.
func ofAll(quantity string) rows.Filter {
	return rows.Filter{Experiment: names.ExperimentAgreement, Quantity: quantity}
}

// ofTest names such rows of one test.
func ofTest(quantity, test string) rows.Filter { return ofAll(quantity).With(names.ParamTest, test) }

// heldIntervals says how many intervals hold their theory.
func heldIntervals(s *view.Source) string {
	e, ok := rows.One(s.Doc, ofAll(names.IntervalShare))
	if !ok {
		return ""
	}
	text := fmt.Sprintf("Of %s intervals of %s beside a theory, %s hold it: %s ± %s, with %s limits from %s to %s.", digits.Count(e.N), digits.Percent(float64(e.Theory)),
		digits.Count(int64(float64(e.Value)*float64(e.N)+0.5)), digits.Alone(100*float64(e.Value), 100*float64(e.SE)), digits.Rough(100*float64(e.SE))+"\u00a0%",
		digits.Percent(float64(e.Level)), percentLimit(e.Lo), percentLimit(e.Hi))
	if e.Lo <= e.Theory && e.Theory <= e.Hi {
		text += " The share that is to be expected lies within them."
	} else {
		text += " **The share that is to be expected does not lie within them.**"
	}
	if clusters, ok := rows.One(s.Doc, ofAll(names.Clusters)); ok {
		text += fmt.Sprintf(" Intervals that rest on the same draws hold or miss together, so that the error and the limits come from the scatter over %s sets of rows with draws of their own: they are those of Clopper and Pearson for as many independent intervals as would scatter so. Where the rows of most sets nearly repeat each other they are too narrow, and hold the truth in some 9 of 10 cases.", view.Short(clusters.Value))
	}
	return text
}

// percentLimit is the end of an interval of a share, in per cent.
func percentLimit(x result.Number) string {
	return strconv.FormatFloat(100*float64(x), 'f', 1, 64) + "\u00a0%"
}

// chosen says which number stands for the cells of each experiment.
func chosen(s *view.Source) string {
	var experiments, out []string
	of := map[string][]string{}
	for _, e := range s.Estimates(ofAll(names.ZScore)) {
		x, _ := e.Params.Text(names.ParamOfExperiment)
		q, _ := e.Params.Text(names.ParamOfQuantity)
		if !slices.Contains(experiments, x) {
			experiments = append(experiments, x)
		}
		if !slices.Contains(of[x], q) {
			of[x] = append(of[x], q)
		}
	}
	for _, x := range experiments {
		quantities := []string{}
		for _, q := range of[x] {
			quantities = append(quantities, view.QuantityName(q))
		}
		out = append(out, markdown.Escape(x)+": "+strings.Join(quantities, " or "))
	}
	return strings.Join(out, "; ")
}

// joint says in words how the tests together come out.
func joint(s *view.Source) (text string, agrees bool) {
	p, ok := rows.One(s.Doc, ofTest(names.PValue, names.TestJoint))
	level, declared := rows.One(s.Doc, ofTest(names.RejectionLevel, names.TestJoint))
	if !ok || !declared {
		return "", false
	}
	chances := fmt.Sprintf("the chance of so great a disagreement is %s, and the declared level %s", digits.Rough(float64(p.Value)), view.Short(level.Value))
	if p.Value < level.Value {
		return fmt.Sprintf("**Taken together, the %s z-scores do not agree with theory and their errors:** %s.", digits.Count(p.N), chances), false
	}
	return fmt.Sprintf("Taken together, the %s z-scores agree with theory and their errors: %s.", digits.Count(p.N), chances), true
}

// testOf are the tests, with the statistic of each and what it is called.
var testOf = []struct{ test, quantity, what string }{
	{names.TestLargest, names.ZLargest, "the largest in size"},
	{names.TestDistribution, names.ZDistance, "distance of their distribution from the normal one (Kolmogorov)"},
	{names.TestSquares, names.ZSquares, "sum of their squares (χ²)"},
}

// tests holds each test with its chance and its part of the level.
func tests(s *view.Source) view.Table {
	t := view.Table{
		Caption: "Are the z-scores independent normal numbers? A chance below its level says that they are not. The level declared for all of them together is shared equally among the tests.",
		Head:    []string{"test of the z-scores", "found", "chance of as much or more", "level"},
	}
	for _, of := range testOf {
		x, ok := rows.One(s.Doc, ofAll(of.quantity))
		if !ok {
			continue
		}
		found := digits.Rough(float64(x.Value))
		if x.Theory.Present() {
			found += " (" + view.Short(x.Theory) + " on average)"
		}
		t.Rows = append(t.Rows, append([]string{of.what, found}, chanceAndLevel(s, of.test)...))
	}
	t.Rows = append(t.Rows, append([]string{"all of them: the smallest chance, times their number", ""}, chanceAndLevel(s, names.TestJoint)...))
	return t
}

// chanceAndLevel are a test's chance, in bold where it is below the level, and the level.
func chanceAndLevel(s *view.Source, test string) []string {
	p, _ := rows.One(s.Doc, ofTest(names.PValue, test))
	level, _ := rows.One(s.Doc, ofTest(names.RejectionLevel, test))
	chance := digits.Rough(float64(p.Value))
	if p.Value < level.Value {
		chance = "**" + chance + "**"
	}
	return []string{chance, digits.Rough(float64(level.Value))}
}

// repeats says of how many repeats the interval holds theory, for each of their numbers.
func repeats(s *view.Source) view.Table {
	t := view.Table{
		Caption: "Of how many repeats the 95 % interval holds theory, with the exact 95 % limits of that share.",
		Head:    []string{"number", "law", names.ParamDimension, "intervals that hold theory", "share"},
		Left:    []int{1},
	}
	for _, n := range chart.RepeatedNumbers {
		for _, e := range s.Estimates(chart.HeldRepeats(n.Quantity)) {
			t.Rows = append(t.Rows, []string{n.Text, markdown.Escape(view.LawOf(e.Params)), view.NumberIn(e.Params, names.ParamDimension), chart.Held(e), share(e)})
		}
	}
	return t
}
