package inspection

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/scalefit"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Report is the result of an inspection of samples or weights.
type Report struct {
	QueryName string `json:"q"` // name of the array of queries in its file
	KeyName   string `json:"k"` // name of the array of keys in its file
	inspect.Summary
	Applied   *inspect.AppliedScale `json:"logits,omitempty"`
	Judgement *inspect.Judgement    `json:"judgement,omitempty"`
	Planned   *inspect.SamplePlan   `json:"plan,omitempty"`
}

// Format selects the output format of an inspection; the default is text for people.
type Format struct {
	JSON, CSV bool
	Rows      bool // text and JSON have every head
}

// Print prints the result of an inspection.
func Print(w io.Writer, a *Report, format Format) error {
	switch {
	case format.CSV:
		return a.printCSV(w)
	case format.JSON && !format.Rows:
		summary := *a
		summary.Heads = nil
		return show.JSON(w, summary)
	case format.JSON:
		return show.JSON(w, a)
	}
	a.print(w, format.Rows)
	return nil
}

// indent is the width of the headings of paragraphs.
const indent = 11

// printParagraphs prints a paragraph for each text, of which only the first has the heading.
func printParagraphs(w io.Writer, heading string, texts []string) {
	for _, text := range texts {
		show.Paragraph(w, heading, indent, text)
		heading = ""
	}
}

// print prints the verdict, the sizes of q·k and of the logits, the effect of softmax, and the
// heads.
func (a *Report) print(w io.Writer, allHeads bool) {
	if a.Judgement != nil {
		a.printVerdict(w)
	}
	if a.Planned != nil {
		show.Paragraph(w, "Plan", indent, a.describePlan())
		fmt.Fprintln(w)
	}
	printParagraphs(w, "Judged", a.Subject)
	// printTexts prints a paragraph for each text that is not empty.
	printTexts := func(heading, end string, texts ...string) {
		for _, text := range texts {
			if text != "" {
				show.Paragraph(w, heading, indent, text+end)
			}
		}
	}
	if a.Judgement == nil { // otherwise printVerdict prints the caveats
		printTexts("Caveat", ".", a.Caveats...)
	}
	hasSoftmax := len(a.Overall.ByScale) > 0 // the effect of softmax is known
	printTexts("Scores", "", a.describeScores())
	printTexts("Logits", "", a.describeLogits())
	printTexts("Heads", "", a.describeHeadVariation())
	if hasSoftmax {
		printTexts("Softmax", "", a.describeSoftmax())
	}
	printTexts("Directions", "", a.describeDirections())
	printTexts("Factor", "", a.describeAppliedFactor())
	show.Paragraph(w, "Error", indent, a.Dependence)
	printTexts("Note", "", a.Notes...)
	printTexts("Warning", ".", a.Warnings...)
	if hasSoftmax {
		fmt.Fprintln(w)
		a.printEffects(w)
	}
	if len(a.Formats) > 0 {
		fmt.Fprintln(w)
		a.printFormat(w, allHeads)
	}
	if len(a.Heads) > 1 {
		fmt.Fprintln(w)
		a.printHeads(w, allHeads)
	}
}

// describePlan says how much data a check needs, in multiples of the inspected data.
func (a *Report) describePlan() string {
	p := a.Planned
	if !p.Heads.Present() {
		return "the errors of this pilot are not known: save longer texts, " +
			"or several, one after the other on the first axis."
	}
	size, unit := float64(a.Texts), "texts like these"
	if a.Texts < 2 {
		size, unit = float64(max(a.Queries, a.Keys)), "rows of one text like this"
	}
	formatSize := func(multiple result.Number) string {
		return digits.Significant(math.Ceil(size*float64(multiple)), 2)
	}
	text := fmt.Sprintf("--check %s %% at α = %s and β = %s needs about %s %s", digits.Short(100*p.Tolerance),
		digits.Short(p.Alpha), digits.Short(p.Beta), formatSize(p.Heads), unit)
	if len(a.Heads) > 1 {
		text += fmt.Sprintf(" for every head; for the mean over heads %s", formatSize(p.Mean))
	}
	return text + ". This assumes that all variances are 1, that heads err as those of the pilot do on average, " +
		"and that errors fall like the root of the number: then the intervals of α/2 and β fill half the band " +
		"on a logarithmic scale. Decide by one file of that size."
}

// describeHeadVariation says how much the heads differ. The text is empty if this is not known.
func (a *Report) describeHeadVariation() string {
	if !a.HeadsSD.Present() {
		return ""
	}
	text := fmt.Sprintf("their scaled variances have a standard deviation of %s over %s",
		digits.Significant(float64(a.HeadsSD), 3), show.FormatCount(len(a.Heads), "head"))
	if a.HeadsError.Present() {
		text += "; if heads differed only by their errors, it would be about " +
			digits.Significant(float64(a.HeadsError), 3)
	}
	return text + "."
}

// describeScores gives the variance and the mean of q·k.
func (a *Report) describeScores() string {
	n := a.Overall
	return fmt.Sprintf("Var(q·k) is %s, which is %s of d_k = %d. The mean is %s. "+
		"Components of queries have variance %s, those of keys %s.",
		formatWithError(n.Variance), formatWithError(n.VarianceOverDK), a.Dimension, show.FormatPlain(n.Mean),
		show.FormatPlain(n.QueryVariance), show.FormatPlain(n.KeyVariance))
}

// describeLogits gives the variance and the standard deviation of the logits.
func (a *Report) describeLogits() string {
	n := a.Overall
	interval := ""
	if n.ScaledVariance.SE.Present() {
		interval = ", 95 % interval " + formatInterval(n.ScaledVariance) + ","
	}
	text := fmt.Sprintf("multiplied by %s, q·k has a variance of %s%s and a standard deviation of %s.",
		digits.Significant(float64(a.Scale), 4), formatWithError(n.ScaledVariance), interval,
		formatWithError(n.LogitSD))
	if n.MaxLogit.Value.Present() {
		text += " The largest is " + digits.Significant(float64(n.MaxLogit.Value), 3) + "."
	}
	if n.UnitScale.Value.Present() {
		text += " To have variance 1, multiply q·k by " + formatWithError(n.UnitScale) + "."
	}
	return text
}

// maxRatio is the largest ratio of upper to lower end for which an interval is printed.
const maxRatio = 1e6

// formatInterval formats the interval of an estimate, or "not known" if it is too wide.
func formatInterval(e inspect.Estimate) string {
	if e.Hi > maxRatio*e.Lo && e.Lo > 0 {
		return "not known"
	}
	return digits.IntervalWithSE(float64(e.Lo), float64(e.Hi), float64(e.SE))
}

// describeSoftmax describes the weights of rows at the scale of the model.
func (a *Report) describeSoftmax() string {
	e := a.Overall.ByScale[0]
	interval := ""
	if e.EffectiveKeys.SE.Present() {
		interval = ", 95 % interval " + formatInterval(e.EffectiveKeys)
	}
	text := fmt.Sprintf("rows of %s have %s effective keys%s: %s. Below %s they are concentrated. "+
		"The largest weight is on average %s times 1/n.",
		show.FormatCount(e.Keys, "key"), formatWithError(e.EffectiveKeys), interval, e.Label,
		digits.Significant(float64(e.EffectiveKeysLimit), 3), show.FormatPlain(e.PeakRatio))
	text += fmt.Sprintf(" The first key has %s of the weight", formatPercentage(e.FirstKeyWeight))
	if e.SinkWeight != nil {
		text += fmt.Sprintf(" without the sink; the sink takes %s of all weight", formatPercentage(*e.SinkWeight))
	}
	text += "."
	if e.Label == names.LabelDead {
		text += fmt.Sprintf(" Of the rows %s are dead: the gradient at their keys is below 1/%.0f of that of uniform "+
			"weights and logits of standard deviation 1.",
			digits.Percent(math.Round(100*float64(e.DeadProportion))/100),
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
	var counts []string
	for _, label := range slices.Sorted(maps.Keys(count)) {
		counts = append(counts, fmt.Sprintf("%d %s", count[label], label))
	}
	return strings.Join(counts, ", ")
}

// describeDirections says how far queries and keys point in the same direction.
func (a *Report) describeDirections() string {
	text := ""
	if a.Overall.Exponent.Value.Present() {
		text = fmt.Sprintf("q·k grows like d_k^p with p = %s: 1/2 is independent components, 1 is aligned ones. ",
			formatWithError(a.Overall.Exponent))
	}
	return text + fmt.Sprintf("On average q·k is %s of |q||k|.", show.FormatPlain(a.Overall.MeanCosine))
}

// describeAppliedFactor gives the factor that the inspected code applies to q·k, and the number of
// masked pairs. It omits the factor if the reasons for the verdict state it already.
func (a *Report) describeAppliedFactor() string {
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
		text += fmt.Sprintf(" %s of %s pairs are masked, and omitted here.", masked, pairs)
	}
	return strings.TrimSpace(text)
}

// DescribeFactor gives the factor that the inspected code applies to q·k. If the factor looks like
// a known mistake, the text names the mistake.
func DescribeFactor(f *inspect.AppliedScale) string {
	if !f.SE.Present() {
		return f.Diagnosis
	}
	const minPrintedError = 1e-5 // relative
	factor := digits.PlusMinus(float64(f.Factor), float64(f.SE))
	if math.Abs(float64(f.SE)) < minPrintedError*math.Abs(float64(f.Factor)) {
		factor = digits.Significant(float64(f.Factor), 5)
	}
	text := fmt.Sprintf("by the %s the code multiplies q·k by %s; the scale is %s", f.Source, factor,
		digits.Significant(float64(f.Scale), 4))
	isRight := math.Abs(float64(f.Factor/f.Scale)-1) < scalefit.FactorTolerance
	switch {
	case f.Diagnosis == "":
		return text
	case isRight && f.Verdict == result.Fail:
		return f.Diagnosis + "; " + text
	}
	return text + ": " + f.Diagnosis
}

// formatWithError formats an estimate with its standard error.
func formatWithError(e inspect.Estimate) string {
	return digits.PlusMinus(float64(e.Value), float64(e.SE))
}

// formatPercentage formats an estimate of a proportion, with its error, as a percentage.
func formatPercentage(e inspect.Estimate) string {
	return digits.PlusMinus(100*float64(e.Value), 100*float64(e.SE)) + " %"
}
