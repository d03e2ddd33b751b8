package figure

import (
	"iter"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/sim/names"
)

// Captions are in the notation of package label until a format needs plain text or LaTeX. Text
// writes names of the plan for that format.

// reading returns how the figure was made and the meaning of its marks.
func (f Figure) reading(text Text) string {
	return sentences(append([]string{f.Caption, f.setting(text), f.aboutMap(), f.unusualLevels()}, f.notation()...)...)
}

// fullCaption is the caption of a file, which is read without the page.
func (f Figure) fullCaption() string {
	return sentences(f.Title+".", f.What(), f.reading(label.EscapeLiteral))
}

// Reading returns how the figure was made, and the meaning of its marks, as plain text. What text
// makes of a name is not read as notation.
func (f Figure) Reading(text Text) string {
	return label.Plain(f.reading(func(s string) string { return label.Escape(text(s)) }))
}

// sentences joins sentences, without those that are empty.
func sentences(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), " ")
}

// What says, in the notation, what is drawn: what the chart says of its marks, the meaning of lines
// and rings, and the number of rows, pairs or others behind the marks.
func (f Figure) What() string {
	measured, theory, joined := false, false, false
	for s := range f.allSeries() {
		measured = measured || !s.Theory && len(s.Marks) > 0
		theory = theory || s.Theory && len(s.Marks) > 0
		joined = joined || s.Joined()
	}
	theoryLines := slices.ContainsFunc(f.panels, func(p plot.Data) bool {
		return slices.ContainsFunc(p.Curves, func(l plot.Line) bool { return !l.IsData })
	})
	marks := ""
	switch {
	case measured && theoryLines:
		marks = "Markers are measured, lines are theory."
	case measured && theory:
		marks = "Markers are measured, rings are theory."
	case joined:
		marks = "Lines join markers."
	}
	return sentences(f.AboutMarks, marks, f.sampleSizes())
}

// sampleSizes says how many rows, pairs or others the marks were measured over. It is empty if
// nothing was measured, or if an estimate judges the document as a whole.
func (f Figure) sampleSizes() string {
	var smallest, largest int64
	unit := ""
	for _, e := range f.Shown() {
		if e.N == 0 {
			continue
		}
		if smallest == 0 || e.N < smallest {
			smallest = e.N
		}
		largest = max(largest, e.N)
		unit = names.EntryOf(names.GroupExperiment, e.Experiment).Unit
		if unit == "cell" {
			return ""
		}
	}
	switch {
	case largest <= 1:
		return ""
	case smallest == largest:
		return digits.Count(largest) + " " + unit + "s."
	}
	return digits.Count(smallest) + " to " + digits.Count(largest) + " " + unit + "s."
}

// setting lists the fixed parameters.
func (f Figure) setting(text Text) string {
	fixed := f.fixedParams(f.doc)
	var parts []string
	for _, e := range names.Entries() {
		if e.Group != names.GroupParameter {
			continue
		}
		if name, ok := fixed.Text(e.Name); ok {
			parts = append(parts, label.EscapeLiteral(strings.ReplaceAll(e.Name, "_", " "))+" "+text(name))
		} else if _, ok := fixed.Number(e.Name); ok {
			parts = append(parts, plot.NameOf(plot.Key{By: e.Name, Value: fixed[e.Name]}))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Setting: " + strings.Join(parts, ", ") + "."
}

// aboutMap says what a map cannot show.
func (f Figure) aboutMap() string {
	if f.panels[0].Cells == nil {
		return ""
	}
	return "The errors are in the CSV file. Columns with fewer measured points than others are left out."
}

// allSeries yields the series of all panels.
func (f Figure) allSeries() iter.Seq[plot.Series] {
	return func(yield func(plot.Series) bool) {
		for _, p := range f.panels {
			for _, s := range p.Series {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// measuredErrors returns how well the errors of measured marks are known.
func (f Figure) measuredErrors() map[plot.Certainty]bool {
	found := map[plot.Certainty]bool{}
	for s := range f.allSeries() {
		for _, m := range s.Marks {
			found[m.Error] = found[m.Error] || !s.Theory
		}
	}
	return found
}

// onEdge reports whether a measured mark of the panel is at the end of a logarithmic axis since it is
// 0 or less.
func onEdge(p plot.Data) bool {
	return slices.ContainsFunc(p.Series, func(s plot.Series) bool {
		return !s.Theory && slices.ContainsFunc(s.Marks, func(m plot.Point) bool {
			return p.Y.Log && m.Y <= 0 || p.Y.Names && p.X.Log && m.X <= 0
		})
	})
}

// notation explains the marks of the figure, with a sentence for each kind that it has.
func (f Figure) notation() (all []string) {
	errors := f.measuredErrors()
	if errors[plot.Interval] && f.levels() == usualLevel {
		all = append(all, "Error bars are "+usualLevel+" confidence intervals. "+
			"Where none shows, it is smaller than the marker.")
	}
	if slices.ContainsFunc(f.panels, onEdge) {
		all = append(all, "A marker on the edge of a logarithmic axis is 0 or less.")
	}
	if errors[plot.Roughly] {
		all = append(all, "A faint bar is ±1 standard error, where the error is too uncertain for an interval.")
	}
	if errors[plot.Unsure] {
		all = append(all, "A pale marker has no known error.")
	}
	return all
}

// usualLevel is the confidence level of most figures.
var usualLevel = digits.Percent(0.95)

// unusualLevels says the level of intervals if it is not the usual one.
func (f Figure) unusualLevels() string {
	hasIntervals := f.measuredErrors()[plot.Interval]
	for s := range f.allSeries() {
		hasIntervals = hasIntervals || s.Band != "" && s.Lower.Quantity == ""
	}
	if l := f.levels(); hasIntervals && l != "" && l != usualLevel {
		return "Intervals are " + l + " confidence intervals."
	}
	return ""
}

// levels are the confidence levels of the rows.
func (f Figure) levels() string {
	var levels []string
	for _, e := range f.Shown() {
		bounded := e.Lo.Present() && e.Hi.Present() && e.Level.Present()
		if l := digits.Percent(float64(e.Level)); bounded && !slices.Contains(levels, l) {
			levels = append(levels, l)
		}
	}
	return strings.Join(levels, " or ")
}
