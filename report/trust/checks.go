// Package trust prepares the strings of the pages that say why the numbers may be relied
// on: every gate, the document judged as a whole, and the warnings (checks.go, whole.go,
// warnings.go), and how the numbers come about, with what was counted of their errors
// (methods.go, calibration.go).
package trust

import (
	"fmt"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// checksView is the view of the page of gates.
type checksView struct {
	Verdict   view.Verdict
	NotPassed view.Table
	Budget    view.Table
	Groups    view.Table
	Whole     wholeView
	Judged    view.Table // what the quantities of the gates mean
	Unjudged  string     // what no gate judges
	Health    view.Table
	// HealthHolds: every gate on the draws passes.
	HealthHolds bool
	Lists       []gateList
	Warnings    view.Table
}

// gateList is the full list of the gates of one experiment.
type gateList struct {
	Experiment string
	Gates      view.Table
}

// Checks fills the page on the gates.
func Checks(s *view.Source) checksView {
	return checksView{
		Verdict:     s.Verdict(),
		NotPassed:   notPassed(s),
		Budget:      budget(s),
		Groups:      groups(s),
		Whole:       whole(s),
		Judged:      judged(s),
		Unjudged:    unjudged(s),
		Health:      health(s),
		HealthHolds: healthHolds(s),
		Lists:       gateLists(s),
		Warnings:    warnings(s),
	}
}

// budget holds the error rates of all gates together.
func budget(s *view.Source) view.Table {
	if len(s.Doc.Gates) == 0 {
		return view.Table{}
	}
	b := s.Doc.Budget
	t := view.Table{Caption: "The error budget of all gates together.", Head: []string{"what", "value"}, Rows: [][]string{
		{"α, the chance that any gate does not pass although theory holds everywhere", view.Short(b.Alpha)},
		{"β, the chance that all pass although one quantity lies on or beyond its band", view.Short(b.Beta)},
		{"gates", digits.Count(int64(b.Gates))},
		{"verdict", view.Emphatic(b.Verdict)},
	}}
	if s.Plan.Tolerance.Present() {
		t.Rows = append(t.Rows, []string{"tolerance of the plan, relative to theory", digits.Percent(float64(s.Plan.Tolerance))})
	}
	return t
}

// groups counts the gates of each kind by verdict.
func groups(s *view.Source) view.Table {
	t := view.Table{
		Caption: "Gates by experiment and kind. A gate that expects its quantity outside fails when the band still holds it: its pass shows that the test can see a difference.",
		Head:    []string{"experiment", "gate", "quantity", "expects", "gates", "pass", "undecided", "fail", "shift that is noticed"},
		Left:    []int{1, 2, 3},
	}
	type kind struct{ experiment, name, quantity, expect string }
	kinds, of := view.ByKey(s.Doc.Gates, func(g result.Gate) kind { return kind{g.Experiment, g.Name, g.Quantity, g.Expect} })
	for _, k := range kinds {
		n := view.Count(of[k])
		t.Rows = append(t.Rows, []string{markdown.Escape(k.experiment), markdown.Escape(k.name), view.QuantityName(k.quantity), markdown.Escape(k.expect),
			fmt.Sprint(n.Gates), fmt.Sprint(n.Pass), view.Alarm(n.Undecided), view.Alarm(n.Fail), noticed(of[k])})
	}
	if !slices.ContainsFunc(s.Doc.Gates, func(g result.Gate) bool { return g.DetectableShift.Present() }) {
		t.Head = t.Head[:len(t.Head)-1]
		for i, row := range t.Rows {
			t.Rows[i] = row[:len(row)-1]
		}
		return t
	}
	t.Caption += " The limits of a gate on a mean of numbers that have bounds hold for every law, and are wide for most; " +
		"the last column says for these gates by how much the mean must be off theory for the gate to notice it nine times in ten, from the gate that sees most to the one that sees least."
	return t
}

// noticed is the range of the shifts that gates notice nine times in ten, of those that
// say so.
func noticed(gates []result.Gate) string {
	least, most := result.Absent(), result.Absent()
	for _, g := range gates {
		if shift := g.DetectableShift; shift.Present() {
			if !(shift >= least) {
				least = shift
			}
			if !(shift <= most) {
				most = shift
			}
		}
	}
	from, to := digits.Rough(float64(least)), digits.Rough(float64(most))
	switch {
	case !least.Present():
		return ""
	case from == to:
		return from
	}
	return from + " to " + to
}

// judged defines the quantities that gates judge.
func judged(s *view.Source) view.Table {
	var quantities []string
	for _, g := range s.Doc.Gates {
		if !slices.Contains(quantities, g.Quantity) {
			quantities = append(quantities, g.Quantity)
		}
	}
	return view.Definitions("What the gates judge.", quantities)
}

// notPassed holds the gates that do not pass, with the scores that would
// decide.
func notPassed(s *view.Source) view.Table {
	t := view.Table{
		Caption: "Every gate that does not pass.",
		Head:    append([]string{"experiment"}, append(slices.Clone(view.GateHead), "scores that would decide")...),
		Left:    []int{1, 2},
	}
	for _, g := range s.Doc.Gates {
		if g.Verdict == result.Pass {
			continue
		}
		need := ""
		if g.NToDecide != nil {
			need = digits.Count(*g.NToDecide)
		}
		t.Rows = append(t.Rows, append([]string{markdown.Escape(g.Experiment)}, append(view.GateRow(g), need)...))
	}
	return t
}

// gateLists holds every gate, a table for each experiment.
func gateLists(s *view.Source) []gateList {
	experiments, of := view.ByKey(s.Doc.Gates, func(g result.Gate) string { return g.Experiment })
	var out []gateList
	for _, experiment := range experiments {
		t := view.Table{Caption: "Every gate of the experiment " + markdown.Escape(experiment) + ".", Head: view.GateHead, Left: []int{1}}
		for _, g := range of[experiment] {
			t.Rows = append(t.Rows, view.GateRow(g))
		}
		out = append(out, gateList{experiment, t})
	}
	return out
}

// healthOf heads rows on the drawn components.
func healthOf(quantity, head string) view.Column {
	return view.Column{Heads: []string{head}, Rows: rows.Filter{Experiment: names.ExperimentHealth, Quantity: quantity}}
}

// healthColumns are the quantities that watch the random bits themselves.
var healthColumns = []view.Column{
	healthOf(names.ComponentMean, "mean"), healthOf(names.ComponentVariance, "variance"), healthOf(names.ComponentKurtosis, "kurtosis"),
	healthOf(names.LagCorrelation, "neighbours"), healthOf(names.QKCorrelation, "q with k"), healthOf(names.LaneCorrelation, "lanes"),
}

// healthHolds reports whether gates judge the drawn components, and all of them pass.
func healthHolds(s *view.Source) bool {
	var gates []result.Gate
	for _, c := range healthColumns {
		gates = append(gates, s.GatesAmong(names.ExperimentHealth, c.Rows.Quantity)...)
	}
	return len(gates) > 0 && view.Count(gates).Clean() && s.Verdict().Passed
}

// health holds what watches the random bits, by law.
func health(s *view.Source) view.Table {
	var es []result.Estimate
	for _, c := range healthColumns {
		es = append(es, s.Estimates(c.Rows)...)
	}
	t := view.Table{Head: []string{"law"}, Caption: "The components as drawn. Theory says mean 0 and variance 1, the kurtosis κ of the law, and correlation 0 " +
		"between neighbouring components, between q and k, and between lanes of the generator."}
	return s.Fill(t, view.LinesOf(names.ParamLaw, rows.Names(es, names.ParamLaw), markdown.Escape), healthColumns)
}
