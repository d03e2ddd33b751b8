package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	Rows               view.Table
	Names              string // what they mean
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
	if len(s.Told) > 0 { // cost is of no plan, and of the essay alone
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
	var shown []result.Estimate
	for _, f := range s.Figures {
		if f.Experiment() == name && f.Shows() {
			v.Figures, shown = append(v.Figures, f.Name), append(shown, f.Shown()...)
		}
	}
	v.Rows = view.Table{Head: []string{"quantity", "at", "measured", "interval", "theory"}, Left: []int{1}}
	main := mainOf(s, es, shown)
	for _, e := range main {
		measured, interval := view.Measured(e), view.Interval(e)
		if strings.Contains(measured, "[") {
			interval = "" // it stands behind the value
		}
		v.Rows.Rows = append(v.Rows.Rows, []string{view.QuantityName(e.Quantity), view.AtPoint(e.Params), measured, interval, digits.Beside(float64(e.Theory), float64(e.SE))})
	}
	v.Rows.Caption = fmt.Sprintf("%s of the %s rows of this experiment.", digits.Count(int64(len(v.Rows.Rows))), digits.Count(int64(len(es))))
	v.Names = view.Definitions(main)
	return v
}

// mainOf are rows for a table: of those that figures show and that the essay reads, and of
// quantities that gates judge, or of all. Each quantity has as many as there is room for,
// spread from the first of its own to the last.
func mainOf(s *view.Source, es, shown []result.Estimate) (main []result.Estimate) {
	id := func(e result.Estimate) string { return fmt.Sprint(e.Cell, e.Quantity, e.Params) }
	wanted, has := map[string]bool{}, map[string]bool{}
	for _, e := range slices.Concat(shown, s.Told) {
		quantity := e.Experiment + "." + e.Quantity
		wanted[id(e)], has[quantity] = true, true
	}
	for _, g := range s.Doc.Gates {
		if quantity := g.Experiment + "." + g.Quantity; !has[quantity] {
			wanted[quantity] = true
		}
	}
	of := slices.DeleteFunc(slices.Clone(es), func(e result.Estimate) bool {
		quantity := e.Experiment + "." + e.Quantity
		return !wanted[quantity] && !(has[quantity] && wanted[id(e)])
	})
	if len(of) == 0 {
		of = es
	}
	quantities, byQuantity := view.ByKey(of, func(e result.Estimate) string { return e.Quantity })
	room := map[string]int{}
	for left := min(mainRows, len(of)); left > 0; {
		for _, q := range quantities {
			if left > 0 && room[q] < len(byQuantity[q]) {
				room[q]++
				left--
			}
		}
	}
	for _, q := range quantities {
		last := len(byQuantity[q]) - 1
		if room[q] == 1 {
			main = append(main, byQuantity[q][last/2])
			continue
		}
		for i := range room[q] {
			main = append(main, byQuantity[q][i*last/(room[q]-1)])
		}
	}
	return main
}

// checks fills what is said of the gates.
func checks(s *view.Source) checksView {
	b := s.Doc.Budget
	v := checksView{Gates: digits.Count(int64(len(s.Doc.Gates))), Alpha: digits.Short(float64(b.Alpha)), Beta: digits.Short(float64(b.Beta))}
	v.Kinds = view.Table{Caption: "Gates by experiment and kind. A gate that wants its quantity outside the band fails if the quantity lies inside.",
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
