package figure

import (
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/sim/names"
)

// The functions of this file return texts in the notation of package label, which File converts
// into plain text or LaTeX. Only Reading returns plain text.

// readingLabel returns the part of the caption that explains how the figure was made and what its
// marks mean. escape is applied to names that come from the plan.
func (f Figure) readingLabel(escape Escape) string {
	return joinSentences(append([]string{f.Caption, f.describeSetting(escape)}, f.describeNotation()...)...)
}

// fullCaption returns the caption for a file of the figure, which may be read without the page.
func (f Figure) fullCaption() string {
	return joinSentences(f.Title+".", f.DescribeMarks(), f.readingLabel(label.EscapeLiteral))
}

// Reading returns a plain text that explains how the figure was made and what its marks mean.
// escape is applied to names that come from the plan. Its results are kept as they are, even if
// they have dollars or backslashes.
func (f Figure) Reading(escape Escape) string {
	return label.Plain(f.readingLabel(func(s string) string { return label.Escape(escape(s)) }))
}

// joinSentences joins the sentences that are not empty.
func joinSentences(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), " ")
}

// DescribeMarks returns MarksText of the chart, the meaning of lines and rings, and the sample
// sizes of measured marks.
func (f Figure) DescribeMarks() string {
	hasMeasured, hasTheory, isJoined := false, false, false
	for _, s := range f.allSeries() {
		hasMeasured = hasMeasured || !s.IsTheory && len(s.Markers) > 0
		hasTheory = hasTheory || s.IsTheory && len(s.Markers) > 0
		isJoined = isJoined || s.IsJoined()
	}
	hasTheoryLines := slices.ContainsFunc(f.panels, func(p plot.Data) bool {
		return slices.ContainsFunc(p.Curves, func(l plot.Line) bool { return !l.IsData })
	})
	marks := ""
	switch {
	case hasMeasured && hasTheoryLines:
		marks = "Markers are measured, lines are theory."
	case hasMeasured && hasTheory:
		marks = "Markers are measured, rings are theory."
	case isJoined:
		marks = "Lines join markers."
	}
	if hasTheory && !hasMeasured { // theory has no samples
		return f.MarksText
	}
	return joinSentences(f.MarksText, marks, f.sampleSizes())
}

// sampleSizes returns the number of rows, pairs or other units from which the marks were estimated,
// such as "1 000 to 2 000 pairs." It returns "" if no estimate has more than one unit, or if the
// units are cells of the document.
func (f Figure) sampleSizes() string {
	var counts []int64
	unit := ""
	for _, e := range f.ShownEstimates() {
		if e.N > 0 {
			counts, unit = append(counts, e.N), names.EntryOf(names.GroupExperiment, e.Experiment).Unit
		}
	}
	if len(counts) == 0 || slices.Max(counts) == 1 || unit == "cell" {
		return ""
	}
	text := digits.Count(slices.Max(counts)) + " " + unit + "s."
	if smallest := slices.Min(counts); smallest < slices.Max(counts) {
		text = digits.Count(smallest) + " to " + text
	}
	return text
}

// describeSetting returns a sentence with the fixed parameters and their values. It returns "" if
// there are none.
func (f Figure) describeSetting(escape Escape) string {
	fixed := f.fixedParams(f.doc)
	var parts []string
	for _, e := range names.Entries() {
		if e.Group != names.GroupParameter {
			continue
		}
		if name, ok := fixed.Text(e.Name); ok {
			parts = append(parts, label.EscapeLiteral(strings.ReplaceAll(e.Name, "_", " "))+" "+escape(name))
		} else if _, ok := fixed.Number(e.Name); ok {
			parts = append(parts, plot.SeriesLabel(plot.SeriesID{Param: e.Name, Value: fixed[e.Name]}))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Setting: " + strings.Join(parts, ", ") + "."
}

// allSeries returns the series of all panels.
func (f Figure) allSeries() (series []plot.Series) {
	for _, p := range f.panels {
		series = append(series, p.Series...)
	}
	return series
}

// measuredErrorKinds returns the set of the kinds of errors that measured marks have.
func (f Figure) measuredErrorKinds() map[plot.ErrorKind]bool {
	kinds := map[plot.ErrorKind]bool{}
	for _, s := range f.allSeries() {
		for _, m := range s.Markers {
			kinds[m.ErrorKind] = kinds[m.ErrorKind] || !s.IsTheory
		}
	}
	return kinds
}

// hasMarkerOnEdge reports whether the panel has a measured mark that is at the end of a
// logarithmic axis because its value is not positive. The axis of the values is x if the y axis has
// categories, and y otherwise.
func hasMarkerOnEdge(p plot.Data) bool {
	isOnEdge := func(m plot.Point) bool {
		return p.Y.Log && m.Y <= 0 || p.Y.IsCategorical && p.X.Log && m.X <= 0
	}
	return slices.ContainsFunc(p.Series, func(s plot.Series) bool {
		return !s.IsTheory && slices.ContainsFunc(s.Markers, isOnEdge)
	})
}

// describeNotation returns a text for each kind of error bars or markers that needs an explanation.
func (f Figure) describeNotation() (texts []string) {
	errorKinds, levels := f.measuredErrorKinds(), f.confidenceLevels()
	hasBand := false
	for _, s := range f.allSeries() {
		hasBand = hasBand || s.BandLabel != "" && s.Lower.Quantity == ""
	}
	switch {
	case levels == defaultLevel && errorKinds[plot.IntervalError]:
		texts = append(texts, "Error bars are "+defaultLevel+" confidence intervals. "+
			"Where none shows, it is smaller than the marker.")
	case levels != defaultLevel && levels != "" && (hasBand || errorKinds[plot.IntervalError]):
		texts = append(texts, "Intervals are "+levels+" confidence intervals.")
	}
	if slices.ContainsFunc(f.panels, hasMarkerOnEdge) {
		texts = append(texts, "A marker on the edge of a logarithmic axis is 0 or less.")
	}
	if errorKinds[plot.StandardError] {
		texts = append(texts, "A faint bar is ±1 standard error, where the error is too uncertain for an interval.")
	}
	if errorKinds[plot.UnknownError] {
		texts = append(texts, "A pale marker has no known error.")
	}
	return texts
}

// defaultLevel is the confidence level of most figures.
var defaultLevel = digits.Percent(0.95)

// confidenceLevels returns the distinct confidence levels of the estimates, such as "95 % or 99 %".
func (f Figure) confidenceLevels() string {
	var levels []string
	for _, e := range f.ShownEstimates() {
		hasInterval := e.Lo.Present() && e.Hi.Present() && e.Level.Present()
		level := digits.Percent(float64(e.Level))
		if hasInterval && !slices.Contains(levels, level) {
			levels = append(levels, level)
		}
	}
	return strings.Join(levels, " or ")
}
