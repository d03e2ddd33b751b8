package inspection

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/markdown"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/series"
	"mcsim/sim/result"
)

// Series is the result of an inspection of several files.
type Series struct {
	By      string         `json:"by,omitempty"` // axis over the files; empty for a comparison of two
	Alpha   float64        `json:"alpha"`
	Limit   float64        `json:"-"` // of the largest logit; 0 if none is given
	Points  []series.Point `json:"files"`
	Subject []string       `json:"subject"` // sentences on the arrays that are judged
	Caveats []string       `json:"caveats"` // caveats and warnings of all files, without repetitions
	Keys    int            `json:"-"`       // of a row in the first file

	Trends      []LayerTrend          `json:"trends,omitempty"`
	Scaling     []series.WidthScaling `json:"width,omitempty"`
	Differences []series.Difference   `json:"comparison,omitempty"`

	reasons map[string]string   // of the verdict, by file
	texts   map[string][]string // what the inspection says of the arrays, by file
}

// LayerTrend has the lines of a layer's quantities over the files.
type LayerTrend struct {
	Layer    string                 `json:"layer"` // empty for all layers
	Lines    map[string]series.Line `json:"slopes"`
	Crossing *series.Crossing       `json:"limit,omitempty"` // of the largest logit
}

// Add adds a file, with what its inspection says of the arrays.
func (s *Series) Add(p series.Point, answer *Report) {
	if len(s.Points) == 0 {
		s.Keys = answer.Keys
	}
	s.Points = append(s.Points, p)
	if s.texts == nil {
		s.texts, s.reasons = map[string][]string{}, map[string]string{}
	}
	s.texts[p.File] = answer.Subject
	for _, caveat := range slices.Concat(answer.Caveats, answer.Warnings) {
		if !slices.Contains(s.Caveats, caveat) {
			s.Caveats = append(s.Caveats, caveat)
		}
	}
	if p.Judgement != nil {
		judged := *answer
		judged.Judgement = p.Judgement
		s.reasons[p.File] = p.File + ": " + strings.Join(judged.verdictReasons(), "; ")
	}
}

// Verdict returns the worst verdict of the files, or pass if there is no gate.
func (s *Series) Verdict() result.Verdict {
	verdict := result.Pass
	for _, p := range s.Points {
		if p.Judgement != nil && (verdict == result.Pass || p.Judgement.Verdict == result.Fail) {
			verdict = p.Judgement.Verdict
		}
	}
	return verdict
}

// Evaluate compares two files, or fits the lines over several.
func (s *Series) Evaluate() {
	for _, p := range s.Points {
		for _, text := range s.texts[p.File] {
			if !slices.Contains(s.Subject, text) {
				s.Subject = append(s.Subject, text)
			}
		}
	}
	if s.By == "" {
		s.Differences = series.Compare(s.Points[0], s.Points[1], s.Alpha)
		return
	}
	for _, layer := range s.layerNames() {
		if s.By == "width" {
			s.Scaling = append(s.Scaling, series.FitWidth(s.Points, layer, s.Alpha))
			continue
		}
		trend := LayerTrend{Layer: layer, Lines: map[string]series.Line{}}
		for _, q := range series.Quantities {
			trend.Lines[q.Name] = series.Trend(s.Points, layer, q, s.Alpha)
		}
		if s.Limit > 0 {
			crossing := series.FindCrossing(s.Points, layer, s.Limit)
			trend.Crossing = &crossing
		}
		s.Trends = append(s.Trends, trend)
	}
}

// layerNames returns an empty name for all layers, then the names of the layers if there are
// several.
func (s *Series) layerNames() []string {
	layers := []string{""}
	if len(s.Points[0].Layers) > 1 {
		for _, l := range s.Points[0].Layers {
			layers = append(layers, l.Name)
		}
	}
	return layers
}

// Print prints a line for each file and layer, and the trends or the comparison.
func (s *Series) Print(w io.Writer, format Format) error {
	switch {
	case format.JSON:
		return show.JSON(w, s)
	case format.CSV:
		return s.table(func(e inspect.Estimate) []any { return []any{e.Value, e.SE} }).CSV(w)
	}
	const indent = 11
	if len(s.reasons) > 0 {
		show.Paragraph(w, strings.ToUpper(string(s.Verdict()))+":", indent, s.describeVerdict())
		fmt.Fprintln(w)
	}
	heading := "Found"
	for _, sentence := range s.sentences() {
		show.Paragraph(w, heading, indent, sentence)
		heading = ""
	}
	for _, caveat := range s.Caveats {
		show.Paragraph(w, "Caveat", indent, caveat+".")
	}
	heading = "Judged"
	for i, sentence := range s.Subject {
		const maxShown = 6
		if i == maxShown {
			sentence = "More sentences on the files are in --json."
		}
		show.Paragraph(w, heading, indent, sentence)
		heading = ""
		if i == maxShown {
			break
		}
	}
	fmt.Fprintln(w)
	s.table(func(e inspect.Estimate) []any { return []any{formatWithError(e)} }).Print(w)
	fmt.Fprintln(w)
	s.evaluation().Print(w)
	return nil
}

// describeVerdict says how many files have each verdict, and the reasons of the first files with the
// verdict of the series.
func (s *Series) describeVerdict() string {
	count := map[result.Verdict]int{}
	var reasons []string
	for _, p := range s.Points {
		count[p.Judgement.Verdict]++
		if p.Judgement.Verdict == s.Verdict() {
			reasons = append(reasons, s.reasons[p.File])
		}
	}
	const maxShown = 3
	if n := len(reasons); n > maxShown {
		reasons = append(reasons[:maxShown], fmt.Sprintf("and %d more", n-maxShown))
	}
	return fmt.Sprintf("%d pass, %d fail, %d undecided. %s.", count[result.Pass], count[result.Fail],
		count[result.Undecided], strings.Join(reasons, ". "))
}

// table returns a table with a line for each file and layer. format returns the cells of an
// estimate.
func (s *Series) table(format func(inspect.Estimate) []any) *show.Table {
	columns := []string{"file", "layer"}
	if s.By != "" {
		columns = []string{"file", s.By, "layer"}
	}
	cellsPerEstimate := len(format(inspect.Estimate{}))
	for _, q := range series.Quantities {
		columns = append(columns, []string{q.Name, q.Name + "_se"}[:cellsPerEstimate]...)
	}
	t := show.NewTable(columns...)
	for _, p := range s.Points {
		for _, l := range p.Layers {
			name := l.Name
			if cellsPerEstimate == 1 { // for people
				name = layerName(name)
			}
			cells := []any{p.File, name}
			if s.By != "" {
				cells = []any{p.File, digits.Short(float64(p.X)), name}
			}
			for _, q := range series.Quantities {
				cells = append(cells, format(q.Get(l))...)
			}
			t.Add(cells...)
		}
	}
	return t
}

// evaluation returns the table of the slopes, exponents or differences.
func (s *Series) evaluation() *show.Table {
	formatLine := func(l series.Line) string {
		if !l.SE.Present() {
			return digits.None
		}
		return digits.PlusMinus(float64(l.Slope), float64(l.SE))
	}
	switch {
	case s.By == "":
		t := show.NewTable("layer", "quantity", "first", "second", "difference", "significant")
		for _, d := range s.Differences {
			significant := "no"
			switch {
			case !d.SE.Present():
				significant = "not known"
			case d.IsSignificant:
				significant = "yes"
			}
			t.Add(layerName(d.Layer), d.Quantity, formatWithError(d.A), formatWithError(d.B),
				digits.PlusMinus(float64(d.Value), float64(d.SE)), significant)
		}
		return t
	case s.By == "width":
		t := show.NewTable("layer", "exponent of logit_sd", "interval")
		for _, w := range s.Scaling {
			interval := digits.None
			if w.Exponent.SE.Present() {
				interval = digits.IntervalWithSE(float64(w.Exponent.Lo), float64(w.Exponent.Hi), float64(w.Exponent.SE))
			}
			t.Add(allLayers(w.Layer), formatLine(w.Exponent), interval)
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
		cells := []any{allLayers(trend.Layer)}
		for _, q := range series.Quantities {
			cells = append(cells, formatLine(trend.Lines[q.Name]))
		}
		if trend.Crossing != nil {
			cells = append(cells, describeCrossing(*trend.Crossing))
		}
		t.Add(cells...)
	}
	return t
}

// allLayers returns the name of a layer in a table of evaluations.
func allLayers(layer string) string {
	if layer == "" {
		return "all layers"
	}
	return layer
}

// describeCrossing says at which coordinate the limit is reached.
func describeCrossing(c series.Crossing) string {
	end := func(x result.Number) string {
		if !x.Present() {
			return "not known"
		}
		return digits.Significant(float64(x), 3)
	}
	if !c.X.Present() {
		return c.How
	}
	return fmt.Sprintf("%s (%s to %s), %s", end(c.X), end(c.Lo), end(c.Hi), c.How)
}

// sentences says what was found, and under which assumptions.
func (s *Series) sentences() []string {
	switch s.By {
	case "":
		return []string{s.describeDifferences(s.Differences) + ". The errors of the files are assumed to be independent." +
			s.describeSizes()}
	case "width":
		return s.describeWidths()
	}
	return s.describeTrends()
}

// describeWidths gives the exponent of all layers in the width, and the predictions that it excludes.
func (s *Series) describeWidths() []string {
	w := s.Scaling[0]
	var consistent, excluded []string
	for _, p := range w.Predictions {
		text := fmt.Sprintf("%s (%s)", p.Name, digits.Short(p.Exponent))
		if p.IsExcluded {
			excluded = append(excluded, text)
		} else {
			consistent = append(consistent, text)
		}
	}
	if !w.Exponent.SE.Present() {
		return []string{"The exponent is not known: it takes three widths, or two with errors."}
	}
	if w.DimensionExponent == 0 {
		excluded, consistent = nil, []string{"cannot be told, since d_k is the same in all files"}
	}
	list := func(texts []string) string {
		if len(texts) == 0 {
			return "none"
		}
		return strings.Join(texts, ", ")
	}
	text := fmt.Sprintf("The logits' standard deviation changes like width^e with e = %s; %s interval %s. "+
		"Consistent with: %s. Excluded: %s.", digits.PlusMinus(float64(w.Exponent.Slope), float64(w.Exponent.SE)),
		digits.Percent(1-s.Alpha), digits.IntervalWithSE(float64(w.Exponent.Lo), float64(w.Exponent.Hi), float64(w.Exponent.SE)),
		list(consistent), list(excluded)) + s.describeError(w.Exponent)
	if w.DimensionExponent == 0 {
		return []string{text}
	}
	return []string{text, fmt.Sprintf("d_k grows like width^%s, and the scale like d_k^%s (standard −0.5, muP −1). The predictions are for "+
		"components of q and k whose size does not depend on the width.", digits.Short(w.DimensionExponent),
		digits.Significant(w.ScaleExponent, 3))}
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
	text := fmt.Sprintf("The logits' standard deviation %s: its slope is %s per %s over all layers; %s interval %s.",
		direction,
		digits.PlusMinus(float64(line.Slope), float64(line.SE)), s.By, digits.Percent(1-s.Alpha),
		digits.IntervalWithSE(float64(line.Lo), float64(line.Hi), float64(line.SE))) + s.describeError(line)
	first, last := s.Points[0], s.Points[len(s.Points)-1]
	sentences := []string{text, fmt.Sprintf("From %s %s to %s, %s; over all layers the standard deviation goes from %s to "+
		"%s.", s.By, digits.Short(float64(first.X)), digits.Short(float64(last.X)),
		s.describeDifferences(series.Compare(first, last, s.Alpha)), formatWithError(first.All.LogitSD), formatWithError(last.All.LogitSD))}
	if c := s.Trends[0].Crossing; c != nil {
		sentence := fmt.Sprintf("The largest logit reaches %s at %s %s; 95 %% interval.", digits.Short(c.Limit), s.By,
			describeCrossing(*c))
		if !c.X.Present() {
			sentence = fmt.Sprintf("The limit %s of the largest logit: %s.", digits.Short(c.Limit), c.How)
		}
		sentences = append(sentences, sentence)
	}
	return sentences
}

// describeSizes says that two compared files differ in size. The text is empty if they do not.
func (s *Series) describeSizes() string {
	a, b := s.Points[0], s.Points[1]
	if a.Dimension == b.Dimension && a.All.Heads == b.All.Heads {
		return ""
	}
	return fmt.Sprintf(" The models differ in size: %s of d_k = %d, and %s of d_k = %d.",
		show.FormatCount(a.All.Heads, "head"),
		a.Dimension, show.FormatCount(b.All.Heads, "head"), b.Dimension)
}

// describeDifferences says how many differences are significant, of those whose error is known.
func (s *Series) describeDifferences(differences []series.Difference) string {
	significant, tested := 0, 0
	for _, d := range differences {
		if d.SE.Present() {
			tested++
		}
		if d.IsSignificant {
			significant++
		}
	}
	text := fmt.Sprintf("%d of %d differences are significant at α = %s for all of them together", significant, tested,
		digits.Short(s.Alpha))
	if unknown := len(differences) - tested; unknown > 0 {
		text += fmt.Sprintf(" (%d more have no known error)", unknown)
	}
	return text
}

// describeError says which error a line has.
func (s *Series) describeError(l series.Line) string {
	if l.Layers > 0 {
		return fmt.Sprintf(" The error is from the scatter of %d layers, which are assumed to be independent.",
			l.Layers)
	}
	if l.FromScatter {
		return fmt.Sprintf(" The error is from the scatter of %d files about the line, because it is larger than their own "+
			"errors explain, or these are not known.", len(s.Points))
	}
	return " The errors of the files are assumed to be independent."
}

// Map returns a figure of the layers' standard deviations of logits over the files.
func (s *Series) Map(lo, hi float64, meaning string) figure.HeadMap {
	m := figure.HeadMap{Lo: lo, Hi: hi, Meaning: meaning, Axis: s.By}
	for _, p := range s.Points {
		m.Columns = append(m.Columns, digits.Short(float64(p.X)))
	}
	for _, l := range s.Points[0].Layers {
		layer := figure.HeadLayer{Name: l.Name}
		for _, p := range s.Points {
			layer.SD = append(layer.SD, float64(p.Layer(l.Name).LogitSD.Value))
		}
		m.Layers = append(m.Layers, layer)
	}
	return m
}

// MarkdownSummary returns the verdict, the findings and the table of evaluations in Markdown.
func (s *Series) MarkdownSummary() string {
	var b strings.Builder
	if len(s.reasons) > 0 {
		fmt.Fprintf(&b, "### mcsim: %s\n\n- %s\n", s.Verdict(), markdown.Escape(s.describeVerdict()))
	} else {
		fmt.Fprint(&b, "### mcsim: no gate\n\n")
	}
	for _, sentence := range s.sentences() {
		fmt.Fprintf(&b, "- %s\n", markdown.Escape(sentence))
	}
	for _, caveat := range s.Caveats {
		fmt.Fprintf(&b, "- *Caveat:* %s\n", markdown.Escape(caveat))
	}
	b.WriteString("\n" + s.evaluation().Markdown())
	return b.String()
}
