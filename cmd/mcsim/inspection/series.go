package inspection

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/sim/model/series"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Series is the result of an inspection of several files.
type Series struct{ series.Series }

// Add adds a file, with what its inspection says of the arrays.
func (s *Series) Add(p series.Point, answer *Report) {
	p.Subject, p.Judgement = answer.Subject, answer.Judgement
	if p.Judgement != nil {
		p.Reasons = p.File + ": " + strings.Join(answer.verdictReasons(), "; ")
	}
	s.Series.Add(p, slices.Concat(answer.Caveats, answer.Warnings))
}

// Print prints a line for each file and layer, and the trends or the comparison.
func (s *Series) Print(w io.Writer, format Format) error {
	switch {
	case format.JSON:
		return show.JSON(w, s)
	case format.CSV:
		return s.table(true).CSV(w)
	}
	if s.hasGate() {
		show.Paragraph(w, strings.ToUpper(string(s.Verdict()))+":", indent, s.describeVerdict())
		fmt.Fprintln(w)
	}
	printParagraphs(w, "Found", s.sentences())
	for _, caveat := range s.Caveats {
		show.Paragraph(w, "Caveat", indent, caveat+".")
	}
	const maxShown = 6
	subject := s.Subject
	if len(subject) > maxShown {
		subject = append(subject[:maxShown:maxShown], "More sentences on the files are in --json.")
	}
	printParagraphs(w, "Judged", subject)
	fmt.Fprintln(w)
	s.table(false).Print(w)
	fmt.Fprintln(w)
	s.evaluation().Print(w)
	return nil
}

func (s *Series) hasGate() bool { return s.Points[0].Judgement != nil }

// describeVerdict says how many files have each verdict, and the reasons of the first files with
// the verdict of the series.
func (s *Series) describeVerdict() string {
	count := map[result.Verdict]int{}
	var reasons []string
	for _, p := range s.Points {
		count[p.Judgement.Verdict]++
		if p.Judgement.Verdict == s.Verdict() {
			reasons = append(reasons, p.Reasons)
		}
	}
	const maxShown = 3
	return fmt.Sprintf("%d pass, %d fail, %d undecided. %s.", count[result.Pass], count[result.Fail],
		count[result.Undecided], names.List(reasons, ". ", maxShown))
}

// table returns a table with a line for each file and layer. In CSV, errors have their own columns.
func (s *Series) table(forCSV bool) *show.Table {
	columns := []string{"file", "layer"}
	if s.By != "" {
		columns = []string{"file", s.By, "layer"}
	}
	for _, q := range series.Quantities {
		columns = append(columns, q.Name)
		if forCSV {
			columns = append(columns, q.Name+"_se")
		}
	}
	t := show.NewTable(columns...)
	for _, p := range s.Points {
		for _, l := range p.Layers {
			cells := []any{p.File}
			if s.By != "" {
				cells = append(cells, digits.Short(float64(p.X)))
			}
			if forCSV {
				cells = append(cells, l.Name)
			} else {
				cells = append(cells, cmp.Or(l.Name, digits.None))
			}
			for _, q := range series.Quantities {
				e := q.Get(l)
				if forCSV {
					cells = append(cells, e.Value, e.SE)
				} else {
					cells = append(cells, formatWithError(e))
				}
			}
			t.Add(cells...)
		}
	}
	return t
}

// evaluation returns the table of the slopes, exponents or differences.
func (s *Series) evaluation() *show.Table {
	const allLayers = "all layers"
	switch s.By {
	case "":
		t := show.NewTable("layer", "quantity", "first", "second", "difference", "significant")
		for _, d := range s.Differences {
			significant := "no"
			switch {
			case !d.SE.Present():
				significant = "not known"
			case d.IsSignificant:
				significant = "yes"
			}
			t.Add(cmp.Or(d.Layer, digits.None), d.Quantity, formatWithError(d.A), formatWithError(d.B),
				digits.PlusMinus(float64(d.Value), float64(d.SE)), significant)
		}
		return t
	case "width":
		t := show.NewTable("layer", "exponent of logit_sd", "interval")
		for _, w := range s.Scaling {
			exponent, interval := formatLine(w.Exponent)
			t.Add(cmp.Or(w.Layer, allLayers), exponent, interval)
		}
		return t
	}
	columns := []string{"slopes per " + s.By}
	for _, q := range series.Quantities {
		columns = append(columns, q.Name)
	}
	if s.Limit > 0 {
		columns = append(columns, s.By+" at limit")
	}
	t := show.NewTable(columns...)
	for _, trend := range s.Trends {
		cells := []any{cmp.Or(trend.Layer, allLayers)}
		for _, q := range series.Quantities {
			slope, _ := formatLine(trend.Lines[q.Name])
			cells = append(cells, slope)
		}
		if trend.Crossing != nil {
			cells = append(cells, describeCrossing(*trend.Crossing))
		}
		t.Add(cells...)
	}
	return t
}

// formatLine formats the slope of a line with its error, and its interval.
func formatLine(l series.Line) (slope, interval string) {
	if !l.SE.Present() {
		return digits.None, digits.None
	}
	return digits.PlusMinus(float64(l.Slope), float64(l.SE)),
		digits.IntervalWithSE(float64(l.Lo), float64(l.Hi), float64(l.SE))
}

// describeCrossing says at which coordinate the limit is reached.
func describeCrossing(c series.Crossing) string {
	if !c.X.Present() {
		return c.How
	}
	end := func(x result.Number) string {
		if !x.Present() {
			return "not known"
		}
		return digits.Significant(float64(x), 3)
	}
	return fmt.Sprintf("%s (%s to %s), %s", end(c.X), end(c.Lo), end(c.Hi), c.How)
}

// sentences says what was found, and under which assumptions.
func (s *Series) sentences() []string {
	switch s.By {
	case "":
		return []string{s.describeDifferences(s.Differences) + "." + independentFiles + s.describeSizes()}
	case "width":
		return s.describeWidths()
	}
	return s.describeTrends()
}

const independentFiles = " The errors of the files are assumed to be independent."

// describeWidths gives the exponent of all layers in the width, and the predictions that it
// excludes.
func (s *Series) describeWidths() []string {
	w := s.Scaling[0]
	if !w.Exponent.SE.Present() {
		return []string{"The exponent is not known: it takes three widths, or two with errors."}
	}
	var consistent, excluded []string
	for _, p := range w.Predictions {
		text := fmt.Sprintf("%s (%s)", p.Name, digits.Short(p.Exponent))
		if p.IsExcluded {
			excluded = append(excluded, text)
		} else {
			consistent = append(consistent, text)
		}
	}
	hasOneDimension := w.DimensionExponent == 0
	if hasOneDimension {
		excluded, consistent = nil, []string{"cannot be told, since d_k is the same in all files"}
	}
	exponent, interval := formatLine(w.Exponent)
	text := fmt.Sprintf("The logits' standard deviation changes like width^e with e = %s; %s interval %s. "+
		"Consistent with: %s. Excluded: %s.", exponent, digits.Percent(1-s.Alpha), interval,
		cmp.Or(strings.Join(consistent, ", "), "none"), cmp.Or(strings.Join(excluded, ", "), "none"))
	text += s.describeError(w.Exponent)
	if hasOneDimension {
		return []string{text}
	}
	return []string{text, fmt.Sprintf("d_k grows like width^%s, and the scale like d_k^%s (standard −0.5, muP −1). "+
		"The predictions are for components of q and k whose size does not depend on the width.",
		digits.Short(w.DimensionExponent), digits.Significant(w.ScaleExponent, 3))}
}

// describeTrends gives the slope over all layers, the change from the first file to the last, and
// where the largest logit reaches the limit.
func (s *Series) describeTrends() []string {
	line := s.Trends[0].Lines["logit_sd"]
	if !line.SE.Present() {
		return []string{"Slopes are not known: they take three files, or two with errors."}
	}
	direction := "has no significant linear trend"
	switch {
	case line.Lo > 0:
		direction = "grows"
	case line.Hi < 0:
		direction = "falls"
	}
	slope, interval := formatLine(line)
	first, last := s.Points[0], s.Points[len(s.Points)-1]
	sentences := []string{
		fmt.Sprintf("The logits' standard deviation %s: its slope is %s per %s over all layers; %s interval %s.",
			direction, slope, s.By, digits.Percent(1-s.Alpha), interval) + s.describeError(line),
		fmt.Sprintf("From %s %s to %s, %s; over all layers the standard deviation goes from %s to %s.", s.By,
			digits.Short(float64(first.X)), digits.Short(float64(last.X)),
			s.describeDifferences(series.Compare(first, last, s.Alpha)), formatWithError(first.All.LogitSD),
			formatWithError(last.All.LogitSD))}
	c := s.Trends[0].Crossing
	switch {
	case c == nil:
		return sentences
	case !c.X.Present():
		return append(sentences, fmt.Sprintf("The limit %s of the largest logit: %s.", digits.Short(c.Limit), c.How))
	}
	return append(sentences, fmt.Sprintf("The largest logit reaches %s at %s %s; 95 %% interval.",
		digits.Short(c.Limit), s.By, describeCrossing(*c)))
}

// describeSizes says that two compared files differ in size. The text is empty if they do not.
func (s *Series) describeSizes() string {
	a, b := s.Points[0], s.Points[1]
	if a.Dimension == b.Dimension && a.All.Heads == b.All.Heads {
		return ""
	}
	return fmt.Sprintf(" The models differ in size: %s of d_k = %d, and %s of d_k = %d.",
		show.FormatCount(a.All.Heads, "head"), a.Dimension, show.FormatCount(b.All.Heads, "head"), b.Dimension)
}

// describeDifferences says how many differences are significant, of those whose error is known.
func (s *Series) describeDifferences(differences []series.Difference) string {
	significant, unknown := 0, 0
	for _, d := range differences {
		if !d.SE.Present() {
			unknown++
		}
		if d.IsSignificant {
			significant++
		}
	}
	text := fmt.Sprintf("%d of %d differences are significant at α = %s for all of them together", significant,
		len(differences)-unknown, digits.Short(s.Alpha))
	if unknown > 0 {
		text += fmt.Sprintf(" (%d more have no known error)", unknown)
	}
	return text
}

// describeError says which error a line has.
func (s *Series) describeError(l series.Line) string {
	switch {
	case l.Layers > 0:
		return fmt.Sprintf(" The error is from the scatter of %d layers, which are assumed to be independent.",
			l.Layers)
	case l.FromScatter:
		return fmt.Sprintf(" The error is from the scatter of %d files about the line, because it is larger than their "+
			"own errors explain, or these are not known.", len(s.Points))
	}
	return independentFiles
}

// HeadMap returns a figure of the layers' standard deviations of logits over the files.
func (s *Series) HeadMap(lo, hi float64, meaning string) series.HeadMap {
	m := series.HeadMap{Lo: lo, Hi: hi, Meaning: meaning, Axis: s.By}
	for _, p := range s.Points {
		m.Columns = append(m.Columns, digits.Short(float64(p.X)))
	}
	for _, l := range s.Points[0].Layers {
		layer := series.HeadLayer{Name: l.Name}
		for _, p := range s.Points {
			layer.SD = append(layer.SD, float64(p.Layer(l.Name).LogitSD.Value))
		}
		m.Layers = append(m.Layers, layer)
	}
	return m
}

// MarkdownSummary returns the verdict, the findings and the table of evaluations in Markdown.
func (s *Series) MarkdownSummary() string {
	verdict, findings := result.Verdict("no gate"), s.sentences()
	if s.hasGate() {
		verdict, findings = s.Verdict(), append([]string{s.describeVerdict()}, findings...)
	}
	return formatSummary(verdict, findings, s.Caveats) + "\n" + s.evaluation().Markdown()
}
