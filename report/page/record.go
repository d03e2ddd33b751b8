package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// recordView is the data of the record.
type recordView struct {
	Verdict             string
	Name                string // name of the plan
	SelectedExperiments string // experiments that were sampled; "" if all experiments of the plan were
	Seed                string
	Digest              string
	Experiments         []experimentView
	Checks              checksView
	Facts               Table  // facts about the run
	Plan                string // JSON text of the plan
}

// experimentView is a section of the record.
type experimentView struct {
	Name, Title, About string
	Figures            []string
	Rows               Table  // chosen estimates
	Names              string // explanations of the names in Rows
}

// checksView is the section on gates.
type checksView struct {
	Gates       string // number of gates
	Alpha, Beta string // error probabilities of all gates together; see result.Budget
	Kinds       Table  // verdicts by kind of gate
	NotPassed   Table  // gates that do not pass
	Warnings    Table
}

// newRecordView returns the data of the record.
func newRecordView(s *Source) any {
	v := recordView{
		Verdict:             s.Verdict(),
		Name:                markdown.Escape(s.Plan.Name),
		SelectedExperiments: markdown.Escape(strings.Join(s.Plan.Experiments, ", ")),
		Seed:                strconv.FormatUint(s.Doc.Seed, 10),
		Digest:              markdown.EscapeCode(s.Doc.Digest),
		Checks:              newChecksView(s.Doc),
		Facts:               factsTable(s.Run),
	}
	experiments, byExperiment := groupBy(s.Doc.Estimates, func(e result.Estimate) string { return e.Experiment })
	if len(s.EssayEstimates) > 0 { // plans do not have the experiment cost, but the essay has its figures
		experiments = append(experiments, names.ExperimentCost)
	}
	for _, name := range experiments {
		v.Experiments = append(v.Experiments, newExperimentView(s, name, byExperiment[name]))
	}
	var b bytes.Buffer
	if json.Indent(&b, s.Doc.Plan, "", "  ") == nil {
		v.Plan = escapeHidden(b.String())
	}
	return v
}

// escapeHidden escapes the invisible characters of a JSON text except line breaks.
func escapeHidden(text string) string {
	var b strings.Builder
	for _, r := range text {
		if names.IsHidden(r) && r != '\n' {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Figures returns the names of the figures of all experiments, in the order of the record.
func (v recordView) Figures() (figures []string) {
	for _, x := range v.Experiments {
		figures = append(figures, x.Figures...)
	}
	return figures
}

// notOfID matches what the name of an experiment, which is also the ID of its section, cannot have.
var notOfID = regexp.MustCompile(`[^a-z0-9-]`)

// newExperimentView returns the section of an experiment with the given estimates.
func newExperimentView(s *Source, name string, estimates []result.Estimate) experimentView {
	entry := names.EntryOf(names.GroupExperiment, name)
	v := experimentView{Name: notOfID.ReplaceAllString(name, "-"), Title: "Experiment " + markdown.Escape(name),
		About: markdown.EscapeExceptVariables(entry.Definition)}
	var shown []result.Estimate
	for _, f := range s.Figures {
		if f.Experiment() == name && f.HasData() {
			v.Figures = append(v.Figures, f.Name)
			shown = append(shown, f.ShownEstimates()...)
		}
	}
	v.Rows = Table{Head: []string{"quantity", "at", "measured", "interval", "theory"}, Left: []int{1}}
	chosen := chooseEstimates(s, estimates, shown)
	for _, e := range chosen {
		value, interval := FormatMeasured(e), FormatInterval(e)
		if strings.Contains(value, "[") {
			interval = "" // the value already contains the interval
		}
		theory := digits.Reference(float64(e.Theory), float64(e.SE))
		cells := []string{QuantityName(e.Quantity), FormatParams(e.Params), value, interval, theory}
		v.Rows.Rows = append(v.Rows.Rows, cells)
	}
	v.Rows.Caption = fmt.Sprintf("%s of the %s rows of this experiment.", formatCount(v.Rows.Rows),
		formatCount(estimates))
	v.Names = Definitions(chosen)
	return v
}

// maxLines is the maximum number of lines of the record's tables of estimates and warnings.
const maxLines = 16

// chooseEstimates chooses at most maxLines estimates of an experiment for a table. If figures or
// the essay show estimates of a quantity, it chooses only from these. If not, it chooses from the
// estimates of the quantity only if the quantity has gates. If this leaves no estimates to choose
// from, it chooses from all. The quantities get equal numbers of lines as far as possible. The
// chosen estimates of a quantity are at equal distances from the first to the last.
func chooseEstimates(s *Source, estimates, shown []result.Estimate) (chosen []result.Estimate) {
	estimateID := func(e result.Estimate) string { return fmt.Sprint(e.Cell, e.Quantity, e.Params) }
	quantityID := func(experiment, quantity string) string { return experiment + "." + quantity }
	isShown, hasShown, hasGates := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range slices.Concat(shown, s.EssayEstimates) {
		isShown[estimateID(e)] = true
		hasShown[quantityID(e.Experiment, e.Quantity)] = true
	}
	for _, g := range s.Doc.Gates {
		hasGates[quantityID(g.Experiment, g.Quantity)] = true
	}
	candidates := slices.DeleteFunc(slices.Clone(estimates), func(e result.Estimate) bool {
		q := quantityID(e.Experiment, e.Quantity)
		if hasShown[q] {
			return !isShown[estimateID(e)]
		}
		return !hasGates[q]
	})
	if len(candidates) == 0 {
		candidates = estimates
	}
	quantities, byQuantity := groupBy(candidates, func(e result.Estimate) string { return e.Quantity })
	for i, n := range distributeLines(quantities, byQuantity, min(maxLines, len(candidates))) {
		available := byQuantity[quantities[i]]
		last := len(available) - 1
		if n == 1 {
			chosen = append(chosen, available[last/2])
			continue
		}
		for j := range n {
			chosen = append(chosen, available[j*last/(n-1)])
		}
	}
	return chosen
}

// distributeLines distributes lines among quantities, and returns the number of lines of each. It
// gives one line after the other to the quantities in turn, but no quantity gets more lines than it
// has estimates. There must be at least as many estimates as lines.
func distributeLines(quantities []string, byQuantity map[string][]result.Estimate, lines int) []int {
	counts := make([]int, len(quantities))
	for lines > 0 {
		for i, q := range quantities {
			if lines > 0 && counts[i] < len(byQuantity[q]) {
				counts[i]++
				lines--
			}
		}
	}
	return counts
}

// newChecksView returns the section on gates.
func newChecksView(doc *result.Document) checksView {
	return checksView{
		Gates:     formatCount(doc.Gates),
		Alpha:     digits.Short(float64(doc.Budget.Alpha)),
		Beta:      digits.Short(float64(doc.Budget.Beta)),
		Kinds:     gateKindsTable(doc.Gates),
		NotPassed: notPassedTable(doc.Gates),
		Warnings:  warningsTable(doc.Warnings),
	}
}

// gateKindsTable counts the verdicts of each kind of gate.
func gateKindsTable(gates []result.Gate) Table {
	t := Table{
		Caption: "Gates by experiment and kind. " +
			"A gate that expects its quantity outside the band fails if the quantity lies inside.",
		Head: []string{"experiment", "gate", "quantity", "expects", "gates", "pass", "undecided", "fail"},
		Left: []int{1, 2, 3},
	}
	type gateKind struct{ experiment, name, quantity, expect string }
	kinds, byKind := groupBy(gates, func(g result.Gate) gateKind {
		return gateKind{g.Experiment, g.Name, g.Quantity, g.Expect}
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

// notPassedTable lists the gates that do not pass.
func notPassedTable(gates []result.Gate) Table {
	t := Table{
		Caption: "Every gate that does not pass.",
		Head: []string{"experiment", "gate", "at", "measured", "interval compared with the band", "band", "verdict",
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
		scoresToDecide := ""
		if g.NToDecide != nil {
			scoresToDecide = digits.Count(*g.NToDecide)
		}
		t.Rows = append(t.Rows, []string{
			markdown.Escape(g.Experiment), markdown.Escape(g.Name), FormatParams(g.Params),
			digits.PlusMinus(float64(g.Value), float64(g.SE)),
			digits.IntervalWithSE(float64(g.Lo), float64(g.Hi), float64(g.SE)),
			band, "**" + markdown.Escape(string(g.Verdict)) + "**", scoresToDecide,
		})
	}
	return t
}

// warningsTable counts the warnings of each kind. It has at most maxLines kinds.
func warningsTable(list []result.Warning) Table {
	t := Table{
		Caption: "What a reader of a row must know. Nothing here is a failure.",
		Head:    []string{"what", "rows"},
	}
	texts, byText := groupBy(list, func(w result.Warning) string { return w.Quantity + ": " + w.Text })
	if len(texts) > maxLines {
		t.Caption += fmt.Sprintf(" The first %d of %s kinds; results.json has all.", maxLines, formatCount(texts))
		texts = texts[:maxLines]
	}
	for _, text := range texts {
		t.Rows = append(t.Rows, []string{markdown.EscapeExceptVariables(text), fmt.Sprint(len(byText[text]))})
	}
	return t
}
