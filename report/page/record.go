package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcsim/report/chart"
	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// recordView is what the record says: what was measured, and nothing else.
type recordView struct {
	Verdict     string
	Name        string // of the plan
	Only        string // the experiments that are drawn, if not all of the plan are
	Seed        string
	Digest      string
	Experiments []experimentView
	Checks      checksView
	Facts       view.Table // of the run
	Plan        string     // the whole plan, indented
}

// experimentView is a section of the record.
type experimentView struct {
	Name, Title, About string
	Figures            []string
	Rows, Names        view.Table
}

// checksView are the gates.
type checksView struct {
	Gates, Alpha, Beta      string
	Kinds, Missed, Warnings view.Table
}

// mainRows is how many rows of an experiment the record shows.
const mainRows = 16

// recorded fills the record.
func recorded(s *view.Source) any {
	v := recordView{Verdict: s.Verdict(), Name: markdown.Escape(s.Plan.Name), Only: markdown.Escape(strings.Join(s.Plan.Only, ", ")), Seed: strconv.FormatUint(s.Doc.Seed, 10), Digest: markdown.Code(s.Doc.Digest),
		Checks: checks(s), Facts: facts(s.Run)}
	order, of := view.ByKey(s.Doc.Estimates, func(e result.Estimate) string { return e.Experiment })
	if slices.ContainsFunc(s.Doc.Curves, func(c result.Curve) bool { return c.Experiment == names.ExperimentCost }) {
		order = append(order, names.ExperimentCost)
	}
	for _, name := range order {
		v.Experiments = append(v.Experiments, section(s, name, of[name]))
	}
	var b bytes.Buffer
	if json.Indent(&b, s.Doc.Plan, "", "  ") == nil {
		v.Plan = visible(b.String())
	}
	return v
}

// visible writes what does not show in a JSON text by its number.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if names.Hidden(r) && r != '\n' {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Figures are those of the experiments, in their order.
func (v recordView) Figures() (all []string) {
	for _, x := range v.Experiments {
		all = append(all, x.Figures...)
	}
	return all
}

// section is that of an experiment.
func section(s *view.Source, name string, es []result.Estimate) experimentView {
	entry := names.Of(names.GroupExperiment, name)
	v := experimentView{Name: name, Title: "Experiment " + name, About: markdown.WithSubscripts(entry.Definition)}
	for _, c := range chart.All {
		if c.Experiment() == name && c.Of(s.Doc).Shows() {
			v.Figures = append(v.Figures, c.Name)
		}
	}
	main := mainOf(s, es)
	v.Rows = view.Table{Head: []string{"quantity", "at", "measured", "interval", "theory"}, Left: []int{1}}
	for i := range min(len(main), mainRows) { // spread over all of them
		e := main[i*len(main)/min(len(main), mainRows)]
		v.Rows.Rows = append(v.Rows.Rows, []string{view.QuantityName(e.Quantity), view.AtPoint(e.Params), view.Measured(e), view.Interval(e), digits.Beside(float64(e.Theory), float64(e.SE))})
	}
	v.Rows.Caption = fmt.Sprintf("%s of the %s rows of this experiment; all are in `estimates.csv`.", digits.Count(int64(len(v.Rows.Rows))), digits.Count(int64(len(es))))
	v.Names = view.Definitions("The names of this experiment.", es)
	return v
}

// mainOf are the rows that gates judge, or where there are none those of the quantities that
// figures show, or all.
func mainOf(s *view.Source, es []result.Estimate) []result.Estimate {
	judged := map[string]bool{}
	for _, g := range s.Doc.Gates {
		judged[g.Experiment+"."+g.Quantity] = true
	}
	for _, wanted := range []map[string]bool{judged, shownQuantities()} {
		main := slices.DeleteFunc(slices.Clone(es), func(e result.Estimate) bool { return !wanted[e.Experiment+"."+e.Quantity] })
		if len(main) > 0 {
			return main
		}
	}
	return es
}

// shownQuantities are the quantities of figures.
func shownQuantities() map[string]bool {
	of := map[string]bool{}
	for _, c := range chart.All {
		for _, p := range c.Panels {
			for _, points := range p.Points {
				of[points.Rows.Experiment+"."+points.Rows.Quantity] = true
			}
		}
	}
	return of
}

// checks fills what is said of the gates.
func checks(s *view.Source) checksView {
	b := s.Doc.Budget
	v := checksView{Gates: digits.Count(int64(len(s.Doc.Gates))), Alpha: digits.Short(float64(b.Alpha)), Beta: digits.Short(float64(b.Beta))}
	v.Kinds = view.Table{Caption: "Gates by experiment and kind. A gate that expects its quantity outside fails when the band still holds it.",
		Head: []string{"experiment", "gate", "quantity", "expects", "gates", "pass", "undecided", "fail"}, Left: []int{1, 2, 3}}
	type kind struct{ experiment, name, quantity, expect string }
	kinds, of := view.ByKey(s.Doc.Gates, func(g result.Gate) kind { return kind{g.Experiment, g.Name, g.Quantity, g.Expect} })
	for _, k := range kinds {
		n := view.Count(of[k])
		v.Kinds.Rows = append(v.Kinds.Rows, []string{markdown.Escape(k.experiment), markdown.Escape(k.name), view.QuantityName(k.quantity), markdown.Escape(k.expect),
			fmt.Sprint(n.Gates), fmt.Sprint(n.Pass), view.Alarm(n.Undecided), view.Alarm(n.Fail)})
	}
	v.Missed = view.Table{Caption: "Every gate that does not pass.", Head: append([]string{"experiment"}, append(slices.Clone(view.GateHead), "scores that would decide")...), Left: []int{1, 2}}
	for _, g := range s.Doc.Gates {
		if g.Verdict == result.Pass {
			continue
		}
		need := ""
		if g.NToDecide != nil {
			need = digits.Count(*g.NToDecide)
		}
		v.Missed.Rows = append(v.Missed.Rows, append([]string{markdown.Escape(g.Experiment)}, append(view.GateRow(g), need)...))
	}
	v.Warnings = view.Table{Caption: "What a reader of a row must know. Nothing here is a failure.", Head: []string{"what", "rows"}}
	texts, warned := view.ByKey(s.Doc.Warnings, func(w result.Warning) string { return w.Quantity + ": " + w.Text })
	for _, text := range texts[:min(len(texts), mainRows)] {
		v.Warnings.Rows = append(v.Warnings.Rows, []string{markdown.WithSubscripts(text), fmt.Sprint(len(warned[text]))})
	}
	if n := len(texts); n > mainRows {
		v.Warnings.Caption += fmt.Sprintf(" The first %d of %s kinds; results.json has all.", mainRows, digits.Count(int64(n)))
	}
	return v
}
