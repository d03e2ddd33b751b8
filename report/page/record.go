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
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// recordView fills the record, which says what was measured, and nothing else.
type recordView struct {
	Verdict     string
	Name        string // of the plan
	Only        string // the experiments that are drawn, if not all of the plan are
	Seed        string
	Digest      string
	Experiments []experimentView
	Checks      checksView
	Facts       Table  // of the run
	Plan        string // the whole plan, indented
}

// experimentView is a section of the record.
type experimentView struct {
	Name, Title, About string
	Figures            []string
	Rows               Table
	Names              string // explanations of the names in the rows
}

// checksView are the gates.
type checksView struct {
	Gates, Alpha, Beta      string
	Kinds, Missed, Warnings Table
}

// recordOf fills the record.
func recordOf(s *Source) any {
	v := recordView{
		Verdict: s.Verdict(),
		Name:    markdown.Escape(s.Plan.Name),
		Only:    markdown.Escape(strings.Join(s.Plan.Only, ", ")),
		Seed:    strconv.FormatUint(s.Doc.Seed, 10),
		Digest:  markdown.Code(s.Doc.Digest),
		Checks:  checksOf(s.Doc),
		Facts:   factsOf(s.Run),
	}
	order, byExperiment := groupBy(s.Doc.Estimates, func(e result.Estimate) string { return e.Experiment })
	if len(s.EssayRows) > 0 { // cost is of no plan, and only of the essay
		order = append(order, names.ExperimentCost)
	}
	for _, name := range order {
		v.Experiments = append(v.Experiments, section(s, name, byExperiment[name]))
	}
	var b bytes.Buffer
	if json.Indent(&b, s.Doc.Plan, "", "  ") == nil {
		v.Plan = escapeHidden(b.String())
	}
	return v
}

// escapeHidden writes characters of a JSON text that are not visible by their numbers.
func escapeHidden(text string) string {
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

// Figures returns the figures of the experiments, in their order.
func (v recordView) Figures() (figures []string) {
	for _, x := range v.Experiments {
		figures = append(figures, x.Figures...)
	}
	return figures
}

// section returns the section of an experiment.
func section(s *Source, name string, estimates []result.Estimate) experimentView {
	entry := names.EntryOf(names.GroupExperiment, name)
	v := experimentView{Name: name, Title: "Experiment " + name, About: markdown.WithSubscripts(entry.Definition)}
	var shown []result.Estimate
	for _, f := range s.Figures {
		if f.Experiment() == name && f.HasData() {
			v.Figures = append(v.Figures, f.Name)
			shown = append(shown, f.ShownEstimates()...)
		}
	}
	v.Rows = Table{Head: []string{"quantity", "at", "measured", "interval", "theory"}, Left: []int{1}}
	sample := chooseRows(s, estimates, shown)
	for _, e := range sample {
		value, interval := Measured(e), Interval(e)
		if strings.Contains(value, "[") {
			interval = "" // the value has it already
		}
		theory := digits.Reference(float64(e.Theory), float64(e.SE))
		row := []string{QuantityName(e.Quantity), AtPoint(e.Params), value, interval, theory}
		v.Rows.Rows = append(v.Rows.Rows, row)
	}
	v.Rows.Caption = fmt.Sprintf("%s of the %s rows of this experiment.", count(v.Rows.Rows), count(estimates))
	v.Names = Definitions(sample)
	return v
}

// maxRows is the number of rows of an experiment that the record shows.
const maxRows = 16

// chooseRows returns at most maxRows rows for a table: of those that figures show or the essay reads,
// and of quantities that gates judge; of all rows if there are none of these. The quantities get
// equal room, and the rows of each are spread from its first to its last.
func chooseRows(s *Source, estimates, shown []result.Estimate) (chosen []result.Estimate) {
	id := func(e result.Estimate) string { return fmt.Sprint(e.Cell, e.Quantity, e.Params) }
	quantity := func(experiment, quantity string) string { return experiment + "." + quantity }
	rows, hasRows, judged := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range slices.Concat(shown, s.EssayRows) {
		rows[id(e)] = true
		hasRows[quantity(e.Experiment, e.Quantity)] = true
	}
	for _, g := range s.Doc.Gates {
		judged[quantity(g.Experiment, g.Quantity)] = true
	}
	candidates := slices.DeleteFunc(slices.Clone(estimates), func(e result.Estimate) bool {
		q := quantity(e.Experiment, e.Quantity)
		if hasRows[q] {
			return !rows[id(e)]
		}
		return !judged[q]
	})
	if len(candidates) == 0 {
		candidates = estimates
	}
	quantities, byQuantity := groupBy(candidates, func(e result.Estimate) string { return e.Quantity })
	room := map[string]int{}
	for left := min(maxRows, len(candidates)); left > 0; {
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
			chosen = append(chosen, byQuantity[q][last/2])
			continue
		}
		for i := range room[q] {
			chosen = append(chosen, byQuantity[q][i*last/(room[q]-1)])
		}
	}
	return chosen
}

// checksOf fills the section on gates.
func checksOf(doc *result.Document) checksView {
	return checksView{
		Gates:    count(doc.Gates),
		Alpha:    digits.Short(float64(doc.Budget.Alpha)),
		Beta:     digits.Short(float64(doc.Budget.Beta)),
		Kinds:    gateKinds(doc.Gates),
		Missed:   missedGates(doc.Gates),
		Warnings: warnings(doc.Warnings),
	}
}

// gateKinds counts the verdicts of each kind of gate.
func gateKinds(gates []result.Gate) Table {
	t := Table{
		Caption: "Gates by experiment and kind. " +
			"A gate that wants its quantity outside the band fails if the quantity lies inside.",
		Head: []string{"experiment", "gate", "quantity", "expects", "gates", "pass", "undecided", "fail"},
		Left: []int{1, 2, 3},
	}
	type kind struct{ experiment, name, quantity, expect string }
	kinds, byKind := groupBy(gates, func(g result.Gate) kind {
		return kind{g.Experiment, g.Name, g.Quantity, g.Expect}
	})
	for _, k := range kinds {
		n := countVerdicts(byKind[k])
		t.Rows = append(t.Rows, []string{
			markdown.Escape(k.experiment), markdown.Escape(k.name), QuantityName(k.quantity), markdown.Escape(k.expect),
			fmt.Sprint(len(byKind[k])), fmt.Sprint(n.pass), boldUnlessZero(n.undecided), boldUnlessZero(n.fail),
		})
	}
	return t
}

// missedGates lists the gates that do not pass.
func missedGates(gates []result.Gate) Table {
	t := Table{
		Caption: "Every gate that does not pass.",
		Head: []string{"experiment", "gate", "at", "measured", "interval held against the band", "band", "verdict",
			"scores that would decide"},
		Left: []int{1, 2},
	}
	for _, g := range gates {
		if g.Verdict == result.Pass {
			continue
		}
		band := digits.Band(float64(g.Band[0]), float64(g.Band[1]), float64(g.Hi-g.Lo)/2)
		if g.Expect == names.ExpectOutside {
			band = "not in " + band
		}
		need := ""
		if g.NToDecide != nil {
			need = digits.Count(*g.NToDecide)
		}
		t.Rows = append(t.Rows, []string{
			markdown.Escape(g.Experiment), markdown.Escape(g.Name), AtPoint(g.Params),
			digits.PlusMinus(float64(g.Value), float64(g.SE)),
			digits.IntervalWithSE(float64(g.Lo), float64(g.Hi), float64(g.SE)),
			band, "**" + markdown.Escape(string(g.Verdict)) + "**", need,
		})
	}
	return t
}

// warnings counts the warnings of each kind.
func warnings(all []result.Warning) Table {
	t := Table{
		Caption: "What a reader of a row must know. Nothing here is a failure.",
		Head:    []string{"what", "rows"},
	}
	texts, byText := groupBy(all, func(w result.Warning) string { return w.Quantity + ": " + w.Text })
	if len(texts) > maxRows {
		t.Caption += fmt.Sprintf(" The first %d of %s kinds; results.json has all.", maxRows, count(texts))
		texts = texts[:maxRows]
	}
	for _, text := range texts {
		t.Rows = append(t.Rows, []string{markdown.WithSubscripts(text), fmt.Sprint(len(byText[text]))})
	}
	return t
}
