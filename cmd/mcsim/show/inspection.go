package show

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/scalefit"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Inspected is what was found of samples or weights.
type Inspected struct {
	QueryName string `json:"q"` // what they are called in the files
	KeyName   string `json:"k"`
	inspect.Summary
	Applied   *inspect.AppliedScale `json:"logits,omitempty"`
	Judgement *inspect.Judgement    `json:"judgement,omitempty"`
	Planned   *inspect.SamplePlan   `json:"plan,omitempty"`
}

// Form is how an inspection is printed.
type Form struct{ JSON, CSV, Rows bool }

// Inspection prints what was found of samples or weights.
func Inspection(w io.Writer, a *Inspected, form Form) error {
	switch {
	case form.CSV:
		return a.csv(w)
	case form.JSON && !form.Rows:
		summary := *a
		summary.Heads = nil
		return JSON(w, summary)
	case form.JSON:
		return JSON(w, a)
	}
	a.print(w, form.Rows)
	return nil
}

// print prints the verdict first, then how large q·k is, what softmax makes of it, and the heads.
func (a *Inspected) print(w io.Writer, allHeads bool) {
	const indent = 11
	if a.Judgement != nil {
		a.printVerdict(w)
	}
	if a.Planned != nil {
		Paragraph(w, "Plan", indent, a.planned())
		fmt.Fprintln(w)
	}
	heading := "Judged"
	for _, sentence := range a.Subject {
		Paragraph(w, heading, indent, sentence)
		heading = ""
	}
	printAll := func(heading, end string, texts ...string) {
		for _, text := range texts {
			if text != "" {
				Paragraph(w, heading, indent, text+end)
			}
		}
	}
	if a.Judgement == nil { // else the verdict has the caveats
		printAll("Caveat", ".", a.Caveats...)
	}
	hasEffects := len(a.Overall.ByScale) > 0
	printAll("Scores", "", a.scores())
	printAll("Logits", "", a.logits())
	printAll("Heads", "", a.spread())
	if hasEffects {
		printAll("Softmax", "", a.softmax())
	}
	printAll("Directions", "", a.directions())
	printAll("Factor", "", a.factor())
	Paragraph(w, "Error", indent, a.Dependence)
	printAll("Note", "", a.Notes...)
	printAll("Warning", ".", a.Warnings...)
	if hasEffects {
		fmt.Fprintln(w)
		a.printEffects(w)
	}
	if len(a.Heads) > 1 {
		fmt.Fprintln(w)
		a.printHeads(w, allHeads)
	}
}

// planned says what a check needs.
func (a *Inspected) planned() string {
	p := a.Planned
	if !p.Heads.Present() {
		return "the errors of this pilot are not known: save longer texts, " +
			"or several, one after the other on the first axis."
	}
	size, unit := float64(a.Texts), "texts like these"
	if a.Texts < 2 {
		size, unit = float64(max(a.Queries, a.Keys)), "rows of one text like this"
	}
	count := func(times result.Number) string { return digits.Significant(math.Ceil(size*float64(times)), 2) }
	text := fmt.Sprintf("--check %s %% at α = %s and β = %s needs about %s %s", digits.Short(100*p.Tolerance),
		digits.Short(p.Alpha), digits.Short(p.Beta), count(p.Heads), unit)
	if len(a.Heads) > 1 {
		text += fmt.Sprintf(" for every head; for the mean over heads %s", count(p.Mean))
	}
	return text + ". This assumes that all variances are 1, that heads err as those of the pilot do on average, " +
		"and that errors fall like the root of the number: then the intervals of α/2 and β fill half the band, " +
		"on the scale of logarithms. Decide by one file of that size."
}

// spread says how much the heads differ; empty if that is not known.
func (a *Inspected) spread() string {
	if !a.HeadsSD.Present() {
		return ""
	}
	text := fmt.Sprintf("their scaled variances have a standard deviation of %s over %s",
		digits.Significant(float64(a.HeadsSD), 3), Counted(len(a.Heads), "head"))
	if a.HeadsError.Present() {
		text += ", of which the errors of the heads alone would give " + digits.Significant(float64(a.HeadsError), 3)
	}
	return text + "."
}

// scores says how large q·k is.
func (a *Inspected) scores() string {
	n := a.Overall
	return fmt.Sprintf("Var(q·k) is %s, which is %s of d_k = %d. The mean is %s. "+
		"Components of queries have variance %s, those of keys %s.",
		formatError(n.Variance), formatError(n.VarianceOverDK), a.Dimension, plainly(n.Mean), plainly(n.QueryVariance),
		plainly(n.KeyVariance))
}

// logits says how large they are under the scale.
func (a *Inspected) logits() string {
	n := a.Overall
	interval := ""
	if n.ScaledVariance.SE.Present() {
		interval = ", 95 % interval " + formatInterval(n.ScaledVariance) + ","
	}
	text := fmt.Sprintf("multiplied by %s, q·k has a variance of %s%s and a standard deviation of %s.",
		digits.Significant(float64(a.Scale), 4), formatError(n.ScaledVariance), interval, formatError(n.LogitSD))
	if n.MaxLogit.Present() && !math.IsInf(float64(n.MaxLogit), 0) {
		text += " The largest is " + digits.Significant(float64(n.MaxLogit), 3) + "."
	}
	if n.UnitScale.Value.Present() {
		text += " To have variance 1, multiply q·k by " + formatError(n.UnitScale) + "."
	}
	return text
}

// maxRatio is the largest ratio of the ends of an interval; a wider one says nothing.
const maxRatio = 1e6

// formatInterval formats the interval of an estimate.
func formatInterval(e inspect.Estimate) string {
	if e.Hi > maxRatio*e.Lo && e.Lo > 0 {
		return "not known"
	}
	return digits.IntervalWithSE(float64(e.Lo), float64(e.Hi), float64(e.SE))
}

// softmax says what becomes of rows.
func (a *Inspected) softmax() string {
	e := a.Overall.ByScale[0]
	interval := ""
	if e.EffectiveKeys.SE.Present() {
		interval = ", 95 % interval " + formatInterval(e.EffectiveKeys)
	}
	text := fmt.Sprintf("rows of %s have %s effective keys%s: %s. Below %s they are concentrated. "+
		"The greatest weight is on average %s times 1/n.", Counted(e.Keys, "key"), formatError(e.EffectiveKeys), interval,
		e.Label, digits.Significant(float64(e.EffectiveKeysLimit), 3), plainly(e.PeakRatio))
	if e.Label == names.LabelDead {
		text += fmt.Sprintf(" Of the rows %s are dead: the gradient at their keys is below 1/%.0f of that of uniform "+
			"weights and logits of standard deviation 1.", digits.Percent(math.Round(100*float64(e.DeadProportion))/100),
			1/names.DeadThreshold)
	}
	if counts := countLabels(a.Heads); strings.Contains(counts, ",") {
		text += " Heads: " + counts + "."
	}
	return text
}

// countLabels counts heads by their labels.
func countLabels(heads []inspect.Head) string {
	count := map[string]int{}
	for _, h := range heads {
		count[h.FirstScale().Label]++
	}
	var said []string
	for _, label := range slices.Sorted(maps.Keys(count)) {
		said = append(said, fmt.Sprintf("%d %s", count[label], label))
	}
	return strings.Join(said, ", ")
}

// directions says how far queries and keys point the same way.
func (a *Inspected) directions() string {
	text := ""
	if a.Overall.Exponent.Value.Present() {
		text = fmt.Sprintf("q·k grows like d_k^p with p = %s: 1/2 is independent components, 1 is aligned ones. ",
			formatError(a.Overall.Exponent))
	}
	return text + fmt.Sprintf("On average q·k is %s of |q||k|.", plainly(a.Overall.MeanCosine))
}

// factor says what the code multiplies q·k by, unless the verdict does, and how many pairs are left out.
func (a *Inspected) factor() string {
	f := a.Applied
	if f == nil {
		return ""
	}
	text := ""
	if a.Judgement == nil || f.Verdict == result.Pass {
		text = DescribeFactor(f) + "."
	}
	if f.MaskedPairs > 0 {
		masked, pairs := digits.Count(int64(f.MaskedPairs)), digits.Count(int64(f.Pairs))
		text += fmt.Sprintf(" %s of %s pairs are masked, and left out.", masked, pairs)
	}
	return strings.TrimSpace(text)
}

// DescribeFactor says what the code multiplies q·k by, and which mistake that looks like.
func DescribeFactor(f *inspect.AppliedScale) string {
	if !f.SE.Present() {
		return f.Diagnosis
	}
	const exact = 1e-5 // errors below this part of the factor are not worth their digits
	factor := digits.PlusMinus(float64(f.Factor), float64(f.SE))
	if math.Abs(float64(f.SE)) < exact*math.Abs(float64(f.Factor)) {
		factor = digits.Significant(float64(f.Factor), 5)
	}
	text := fmt.Sprintf("by the %s the code multiplies q·k by %s; the scale is %s", f.Source, factor,
		digits.Significant(float64(f.Scale), 4))
	right := math.Abs(float64(f.Factor/f.Scale)-1) < scalefit.FactorTolerance
	switch {
	case f.Diagnosis == "":
		return text
	case right && f.Verdict == result.Fail:
		return f.Diagnosis + "; " + text
	}
	return text + ": " + f.Diagnosis
}

// formatError formats a number with its error.
func formatError(e inspect.Estimate) string { return digits.PlusMinus(float64(e.Value), float64(e.SE)) }
