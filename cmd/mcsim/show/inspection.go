package show

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"mcsim/cmd/mcsim/headmap"
	"mcsim/report/digits"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/scalefit"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Inspected is what was found of given samples or weights.
type Inspected struct {
	QueryName string `json:"q"` // what they are called in the files
	KeyName   string `json:"k"`
	inspect.Summary
	Applied   *inspect.Applied   `json:"logits,omitempty"`
	Judgement *inspect.Judgement `json:"judgement,omitempty"`
	Planned   *inspect.Planned   `json:"plan,omitempty"`
}

// Form is how it is printed.
type Form struct{ JSON, CSV, Rows bool }

// Inspection prints what was found of given queries and keys, or of weights: the verdict first,
// then how large q·k is, what softmax makes of it, and the heads.
func Inspection(w io.Writer, a *Inspected, form Form) error {
	switch {
	case form.CSV:
		return a.csv(w)
	case form.JSON:
		shown := *a
		if !form.Rows {
			shown.Heads = nil
		}
		return JSON(w, shown)
	}
	if a.Judgement != nil {
		a.judged(w)
	}
	if a.Planned != nil {
		Paragraph(w, "Plan", 11, a.planned())
		fmt.Fprintln(w)
	}
	line := func(heading, text string) { Paragraph(w, heading, 11, text) }
	for i, sentence := range a.Subject {
		heading := ""
		if i == 0 {
			heading = "Judged"
		}
		line(heading, sentence)
	}
	for _, caveat := range a.Caveats {
		if a.Judgement == nil { // else the verdict says it
			line("Caveat", caveat+".")
		}
	}
	line("Scores", a.scores())
	line("Logits", a.logits())
	if a.HeadsSD.Present() {
		text := fmt.Sprintf("their scaled variances have a standard deviation of %s over %s", digits.Significant(float64(a.HeadsSD), 3), Counted(len(a.Heads), "head"))
		if a.HeadsError.Present() {
			text += ", of which the errors of the heads alone would give " + digits.Significant(float64(a.HeadsError), 3)
		}
		line("Heads", text+".")
	}
	if len(a.All.Effects) > 0 {
		line("Softmax", a.softmax())
	}
	line("Directions", a.directions())
	if text := a.factor(); text != "" {
		line("Factor", text)
	}
	line("Error", a.Dependence)
	for _, note := range a.Notes {
		line("Note", note)
	}
	for _, warning := range a.Warnings {
		line("Warning", warning+".")
	}
	if len(a.All.Effects) > 0 {
		fmt.Fprintln(w)
		a.effects(w)
	}
	if len(a.Heads) > 1 {
		fmt.Fprintln(w)
		a.heads(w, form.Rows)
	}
	return nil
}

// judged prints the verdict, and why: the factor, the mean over heads, and the head that is furthest
// from passing.
func (a *Inspected) judged(w io.Writer) {
	j := a.Judgement
	var lines []string
	if f := a.Applied; f != nil && (f.Verdict == j.Verdict || f.Looks != "") && f.Verdict != result.Pass {
		lines = append(lines, Factor(f))
	}
	heads, mean := map[string][]inspect.Judged{}, "" // heads by what is judged of them
	for _, g := range j.Gates {
		switch {
		case !g.Estimate.SE.Present() && g.Name == inspect.MeanOfHeads: // as of heads
		case g.Name != inspect.MeanOfHeads:
			heads[g.Quantity] = append(heads[g.Quantity], g)
		case g.Verdict == j.Verdict || j.Verdict == result.Pass:
			lines = append(lines, Said(g))
		default:
			mean = "; " + inspect.MeanOfHeads + ", " + estimated(g.Estimate) + ", " + doesOf[g.Verdict][0]
		}
	}
	for _, quantity := range slices.Sorted(maps.Keys(heads)) {
		heads := heads[quantity]
		some := slices.DeleteFunc(slices.Clone(heads), func(g inspect.Judged) bool { return g.Verdict != j.Verdict })
		if len(some) == 0 {
			continue
		}
		said := Said(slices.MaxFunc(some, func(a, b inspect.Judged) int { return cmp.Compare(a.Outside(), b.Outside()) }))
		if len(heads) > 1 {
			said = fmt.Sprintf("%s. %s: %s", verdictOfHeads(j.Verdict, heads), nearness(j.Verdict), said)
		}
		if quantity == names.ScaledVariance {
			said += mean
		}
		lines = append(lines, said)
	}
	heading := strings.ToUpper(string(j.Verdict))
	text := strings.Join(lines, "; ") + "."
	if len(a.Caveats) > 0 {
		text = "(" + strings.Join(a.Caveats, "; ") + "): " + text
	} else {
		heading += ":"
	}
	Paragraph(w, heading, len(heading)+1, text)
	fmt.Fprintln(w)
}

// doesOf is the verb of a verdict, of one and of several.
var doesOf = map[result.Verdict][2]string{
	result.Pass: {"passes", "pass"}, result.Fail: {"fails", "fail"}, result.Undecided: {"is undecided", "are undecided"},
}

// verdictOfHeads says how many heads have the verdict, and which, if they are few.
func verdictOfHeads(v result.Verdict, heads []inspect.Judged) string {
	const mostNames = 4
	var titles []string
	for _, g := range heads {
		if g.Verdict == v {
			titles = append(titles, g.Name)
		}
	}
	text := fmt.Sprintf("%d of %s ", len(titles), Counted(len(heads), "head"))
	if len(titles) == 1 {
		text += doesOf[v][0]
	} else {
		text += doesOf[v][1]
	}
	if v == result.Fail && len(titles) <= mostNames {
		text += " (" + strings.Join(titles, ", ") + ")"
	}
	return text
}

// nearness introduces the head that is nearest to failing, or furthest from passing.
func nearness(v result.Verdict) string {
	if v == result.Fail {
		return "Furthest out"
	}
	return "Nearest to an edge"
}

// Said is what is said of a gate.
func Said(g inspect.Judged) string {
	what := "the scaled variance of " + g.Name
	switch {
	case g.Quantity == names.LogitSD:
		what = "the standard deviation of the logits of " + g.Name
	case g.Name == inspect.MeanOfHeads:
		what = inspect.MeanOfHeads + " of the scaled variance"
	}
	text := fmt.Sprintf("%s is %s, and must lie in [%s, %s]", what, estimated(g.Estimate), digits.Short(g.Band[0]), digits.Short(g.Band[1]))
	switch {
	case g.Needed.Present():
		text += fmt.Sprintf("; unless it lies at an edge, about %s times as many %s would decide", digits.Significant(float64(g.Needed), 2), g.More)
	case g.Verdict == result.Undecided && g.Looks != "":
		return text + "; " + g.Looks
	case g.Verdict == result.Undecided:
		text += "; it lies near an edge"
	}
	if g.Looks != "" {
		text += ". It looks like " + g.Looks
	}
	return text
}

// planned says what a check needs.
func (a *Inspected) planned() string {
	p := a.Planned
	if !p.Heads.Present() {
		return "the errors of this pilot are not known: save longer texts, or several, one after the other on the first axis."
	}
	size, unit := float64(a.Texts), "texts like these"
	if a.Texts < 2 {
		size, unit = float64(max(a.Queries, a.Keys)), "rows of one text like this"
	}
	count := func(times result.Number) string { return digits.Significant(math.Ceil(size*float64(times)), 2) }
	text := fmt.Sprintf("--check %s %% at α = %s and β = %s needs about %s %s", digits.Short(100*p.Tolerance), digits.Short(p.Alpha),
		digits.Short(p.Beta), count(p.Heads), unit)
	if len(a.Heads) > 1 {
		text += fmt.Sprintf(" for every head; for the mean over heads %s", count(p.Mean))
	}
	return text + ". This assumes that all variances are 1, that heads err as those of the pilot do on average, and that " +
		"errors fall like the root of the number: then the intervals of α/2 and β fill half the band, on the scale of " +
		"logarithms. Decide by one file of that size."
}

// scores says how large q·k is.
func (a *Inspected) scores() string {
	n := a.All
	return fmt.Sprintf("Var(q·k) is %s, which is %s of d_k = %d. The mean is %s. Components of queries have variance %s, those of keys %s.",
		estimated(n.Variance), estimated(n.Ratio), a.Dimension, plainly(n.Mean), plainly(n.QueryVariance), plainly(n.KeyVariance))
}

// logits says how large they are under the scale.
func (a *Inspected) logits() string {
	n := a.All
	interval := ""
	if n.Scaled.SE.Present() {
		interval = ", 95 % interval " + within(n.Scaled) + ","
	}
	text := fmt.Sprintf("multiplied by %s, q·k has a variance of %s%s and a standard deviation of %s.",
		digits.Significant(float64(a.Scale), 4), estimated(n.Scaled), interval, estimated(n.LogitSD))
	if n.Largest.Present() && !math.IsInf(float64(n.Largest), 0) {
		text += " The largest is " + digits.Significant(float64(n.Largest), 3) + "."
	}
	if n.Unit.Value.Present() {
		text += " To have variance 1, multiply q·k by " + estimated(n.Unit) + "."
	}
	return text
}

// widest is over how much an interval may reach, as a factor: beyond it nothing is known.
const widest = 1e6

// within writes the interval of an estimate.
func within(e inspect.Estimate) string {
	if e.Hi > widest*e.Lo && e.Lo > 0 {
		return "not known"
	}
	return digits.IntervalOf(float64(e.Lo), float64(e.Hi), float64(e.SE))
}

// softmax says what becomes of rows.
func (a *Inspected) softmax() string {
	e := a.All.Effects[0]
	interval := ""
	if e.Effective.SE.Present() {
		interval = ", 95 % interval " + within(e.Effective)
	}
	text := fmt.Sprintf("rows of %s have %s effective keys%s: %s. Below %s they are concentrated. The greatest weight is on "+
		"average %s times 1/n.", Counted(e.Keys, "key"), estimated(e.Effective), interval, e.Label,
		digits.Significant(float64(e.Limit), 3), plainly(e.PeakRatio))
	if e.Label == names.LabelDead {
		text += fmt.Sprintf(" Of the rows %s are dead: the gradient at their keys is below 1/%.0f of that of uniform weights "+
			"and logits of standard deviation 1.", digits.Percent(math.Round(100*float64(e.Dead))/100), 1/names.DeadBelow)
	}
	if each := labels(a.Heads); strings.Contains(each, ",") {
		text += " Heads: " + each + "."
	}
	return text
}

// labels counts heads by their labels.
func labels(heads []inspect.Head) string {
	count := map[string]int{}
	for _, h := range heads {
		count[h.First().Label]++
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
	if a.All.Exponent.Value.Present() {
		text = fmt.Sprintf("q·k grows like d_k^p with p = %s: 1/2 is independent components, 1 is aligned ones. ", estimated(a.All.Exponent))
	}
	return text + fmt.Sprintf("On average q·k is %s of |q||k|.", plainly(a.All.Cosine))
}

// factor says what the code multiplies q·k by, unless the verdict does, and how many pairs are left out.
func (a *Inspected) factor() string {
	f := a.Applied
	if f == nil {
		return ""
	}
	text := ""
	if a.Judgement == nil || f.Verdict == result.Pass {
		text = Factor(f) + "."
	}
	if f.Masked > 0 {
		masked, pairs := digits.Count(int64(f.Masked)), digits.Count(int64(f.Pairs))
		text += fmt.Sprintf(" %s of %s pairs are masked, and left out.", masked, pairs)
	}
	return strings.TrimSpace(text)
}

// Factor says what the code multiplies q·k by, and which mistake that looks like.
func Factor(f *inspect.Applied) string {
	if !f.SE.Present() {
		return f.Looks
	}
	const exact = 1e-5 // errors below this part of the factor are not worth their digits
	factor := digits.PlusMinus(float64(f.Factor), float64(f.SE))
	if math.Abs(float64(f.SE)) < exact*math.Abs(float64(f.Factor)) {
		factor = digits.Significant(float64(f.Factor), 5)
	}
	text := fmt.Sprintf("by the %s the code multiplies q·k by %s; the scale is %s", f.From, factor,
		digits.Significant(float64(f.Scale), 4))
	right := math.Abs(float64(f.Factor/f.Scale)-1) < scalefit.Exactness
	switch {
	case f.Looks == "":
		return text
	case right && f.Verdict == result.Fail:
		return f.Looks + "; " + text
	}
	return text + ": " + f.Looks
}

// estimated writes a number with its error.
func estimated(e inspect.Estimate) string { return digits.PlusMinus(float64(e.Value), float64(e.SE)) }

// effects prints what the usual scales do, a line each.
func (a *Inspected) effects(w io.Writer) {
	Table(w, "q·k times\tlogit_sd\tmax_weight·n\tentropy_ratio\teffective keys", a.All.Effects, func(e inspect.Effect) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s", digits.Significant(float64(e.Scale), 4),
			estimated(e.LogitSD), plainly(e.PeakRatio), estimated(e.Entropy), labelled(e))
	})
	Paragraph(w, "", 0, fmt.Sprintf("logit_sd is within rows; max_weight·n and entropy_ratio are means over %s; effective keys "+
		"are 1 over the mean of Σα².", Counted(a.All.Effects[0].Rows, "row")))
}

// labelled writes the effective keys with their label.
func labelled(e inspect.Effect) string {
	return estimated(e.Effective) + ": " + e.Label
}

// mostHeads is how many heads are printed where not all are asked for.
const mostHeads = 24

// heads prints a line for each head, or for each layer where there are several.
func (a *Inspected) heads(w io.Writer, all bool) {
	if layers := a.layers(); !all && len(layers) > 1 {
		a.byLayer(w, layers)
		return
	}
	shown := a.Heads
	if !all {
		shown = shown[:min(mostHeads, len(shown))]
	}
	weights := a.Heads[0].Participation.Present()
	heading := "head\tlogit_sd\tscaled_variance\tlargest\tmax_weight·n\teffective keys\tp"
	if weights {
		heading += "\tdirections"
	}
	Table(w, heading, shown, func(h inspect.Head) string {
		cells := []string{h.Title(), estimated(h.LogitSD), estimated(h.Scaled), digits.None, digits.None, digits.None, digits.None}
		if len(h.Effects) > 0 {
			e := h.Effects[0]
			cells[3], cells[4] = digits.Significant(float64(h.Largest), 3), plainly(e.PeakRatio)
			cells[5] = labelled(e)
		}
		if h.Exponent.Value.Present() {
			cells[6] = estimated(h.Exponent)
		}
		if weights {
			cells = append(cells, digits.Significant(float64(h.Participation), 3))
		}
		return strings.Join(cells, "\t")
	})
	if weights {
		fmt.Fprintln(w, "directions is the participation ratio of W_QᵀW_K: in how many directions a head looks.")
	}
	if len(shown) < len(a.Heads) {
		fmt.Fprintf(w, "%d of %d heads are shown; --rows shows all.\n", len(shown), len(a.Heads))
	}
}

// layers are the heads of each layer.
func (a *Inspected) layers() (all [][]inspect.Head) {
	for i, h := range a.Heads {
		if i == 0 || h.Layer != a.Heads[i-1].Layer {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], h)
	}
	return all
}

// byLayer prints a line for each layer.
func (a *Inspected) byLayer(w io.Writer, layers [][]inspect.Head) {
	Table(w, "layer\theads\tlogit_sd: least\tmedian\tgreatest\tlargest logit\tlabels", layers, func(of []inspect.Head) string {
		sds, largest := make([]float64, len(of)), math.Inf(-1)
		for i, h := range of {
			sds[i] = float64(h.LogitSD.Value)
			largest = max(largest, float64(h.Largest))
		}
		slices.Sort(sds)
		cells := []string{of[0].Layer, strconv.Itoa(len(of))}
		for _, x := range []float64{sds[0], sds[len(sds)/2], sds[len(sds)-1], largest} {
			cells = append(cells, digits.Significant(x, 3))
		}
		return strings.Join(append(cells, labels(of)), "\t")
	})
	fmt.Fprintln(w, "--rows shows every head.")
}

// csv writes a line for each head.
func (a *Inspected) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	number := func(x result.Number) string {
		if !x.Present() {
			return ""
		}
		return strconv.FormatFloat(float64(x), 'g', -1, 64)
	}
	columns := []struct {
		name string
		of   func(inspect.Head) result.Number
	}{
		{"score_mean", func(h inspect.Head) result.Number { return h.Mean }},
		{"score_variance", func(h inspect.Head) result.Number { return h.Variance.Value }},
		{"score_variance_se", func(h inspect.Head) result.Number { return h.Variance.SE }},
		{"scaled_variance", func(h inspect.Head) result.Number { return h.Scaled.Value }},
		{"scaled_variance_se", func(h inspect.Head) result.Number { return h.Scaled.SE }},
		{"logit_sd", func(h inspect.Head) result.Number { return h.LogitSD.Value }},
		{"logit_sd_lo", func(h inspect.Head) result.Number { return h.LogitSD.Lo }},
		{"logit_sd_hi", func(h inspect.Head) result.Number { return h.LogitSD.Hi }},
		{"max_logit", func(h inspect.Head) result.Number { return h.Largest }},
		{"alignment_exponent", func(h inspect.Head) result.Number { return h.Exponent.Value }},
		{"alignment_exponent_se", func(h inspect.Head) result.Number { return h.Exponent.SE }},
		{"head_participation", func(h inspect.Head) result.Number { return h.Participation }},
		{"effective_keys", func(h inspect.Head) result.Number { return h.First().Effective.Value }},
		{"effective_keys_lo", func(h inspect.Head) result.Number { return h.First().Effective.Lo }},
		{"effective_keys_hi", func(h inspect.Head) result.Number { return h.First().Effective.Hi }},
		{"max_weight_times_keys", func(h inspect.Head) result.Number { return h.First().PeakRatio }},
		{"entropy_ratio", func(h inspect.Head) result.Number { return h.First().Entropy.Value }},
	}
	heading := []string{"layer", "head"}
	for _, c := range columns {
		heading = append(heading, c.name)
	}
	err := out.Write(append(heading, "label"))
	for _, h := range a.Heads {
		line := []string{h.Layer, strconv.Itoa(h.Head)}
		for _, c := range columns {
			line = append(line, number(c.of(h)))
		}
		err = cmp.Or(err, out.Write(append(line, h.First().Label)))
	}
	out.Flush()
	return cmp.Or(err, out.Error())
}

// Map is the map of the heads, with a band and what it is.
func (a *Inspected) Map(lo, hi float64, meaning string) headmap.Map {
	m := headmap.Map{Title: "Standard deviation of the logits of every head", Band: [2]float64{lo, hi}, Meaning: meaning}
	for _, h := range a.Heads {
		if len(m.Layers) == 0 || !slices.Contains(m.Layers[len(m.Layers)-1:], h.Layer) {
			m.Layers, m.SD = append(m.Layers, h.Layer), append(m.SD, nil)
		}
		last := len(m.SD) - 1
		m.SD[last] = append(m.SD[last], float64(h.LogitSD.Value))
	}
	return m
}

// plainly writes a number that describes given data, to three decimals, and of small
// numbers two digits.
func plainly[T ~float64](x T) string {
	if math.IsNaN(float64(x)) {
		return digits.None
	}
	return digits.Decimals(float64(x), 3)
}
