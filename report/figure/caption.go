package figure

import (
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/sim/names"
)

// reading returns what the caption goes on with in the notation, with names of the plan as
// text writes them: how the figure was made, and what its marks mean.
func (f Figure) reading(text Text) string {
	return joined(append([]string{f.Caption, f.setting(text), f.maps(), f.otherLevels()}, f.notation()...)...)
}

// fullCaption returns all of it: that of a file, which leaves the page.
func (f Figure) fullCaption() string {
	return joined(f.Title+".", f.What(), f.reading(label.Literal))
}

// What says what is drawn, in the notation: what the chart says of its marks, what lines and
// rings are, and over how many rows, pairs or others the marks were measured.
func (f Figure) What() string {
	measured := f.points(false, func(plot.Data, plot.Point) bool { return true })
	lines := slices.ContainsFunc(f.panels, func(p plot.Data) bool {
		return slices.ContainsFunc(p.Curves, func(l plot.Line) bool { return !l.Drawn })
	})
	rings := f.points(true, func(plot.Data, plot.Point) bool { return true })
	marks := ""
	switch {
	case measured && lines:
		marks = "Markers are measured, lines are theory."
	case measured && rings:
		marks = "Markers are measured, rings are theory."
	case f.any(plot.Series.Joined):
		marks = "Lines join markers."
	}
	return joined(f.Drawn, marks, f.samples())
}

// samples says how many rows, pairs or others the marks were measured over; empty where nothing
// was.
func (f Figure) samples() string {
	var least, most int64
	unit := ""
	for _, e := range f.Shown() {
		if e.N == 0 {
			continue
		}
		if least == 0 || e.N < least {
			least = e.N
		}
		most = max(most, e.N)
		of := names.Of(names.GroupExperiment, e.Experiment).Unit
		if of == "cell" { // which is judged as a whole, and not drawn
			return ""
		}
		unit = " " + of + "s"
	}
	switch {
	case most <= 1:
		return ""
	case least == most:
		return digits.Count(most) + unit + "."
	}
	return digits.Count(least) + " to " + digits.Count(most) + unit + "."
}

// joined puts sentences behind each other, without those that are empty.
func joined(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// Reading returns what the caption goes on with as plain text. What text makes of a name is
// not read as notation.
func (f Figure) Reading(text Text) string {
	return label.Plain(f.reading(func(s string) string { return label.Quoted(text(s)) }))
}

// setting says which parameters are fixed.
func (f Figure) setting(text Text) string {
	fixed := f.fixedParams(f.doc)
	var parts []string
	for _, e := range names.All() {
		if e.Group != names.GroupParameter {
			continue
		}
		if name, ok := fixed.Text(e.Name); ok {
			parts = append(parts, label.Literal(strings.ReplaceAll(e.Name, "_", " "))+" "+text(name))
		} else if _, ok := fixed.Number(e.Name); ok {
			parts = append(parts, plot.NameOf(plot.Key{By: e.Name, Of: fixed[e.Name]}))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Setting: " + strings.Join(parts, ", ") + "."
}

// any reports whether a series of the figure is as asked.
func (f Figure) any(as func(plot.Series) bool) bool {
	return slices.ContainsFunc(f.panels, func(p plot.Data) bool { return slices.ContainsFunc(p.Series, as) })
}

// maps says what a map cannot show.
func (f Figure) maps() string {
	if f.panels[0].Cells == nil {
		return ""
	}
	return "The errors are in the CSV file. Columns with fewer measured points than others are left out."
}

// points reports whether any mark of what is measured, or of theory, is as asked.
func (f Figure) points(theory bool, as func(plot.Data, plot.Point) bool) bool {
	return slices.ContainsFunc(f.panels, func(p plot.Data) bool {
		return slices.ContainsFunc(p.Series, func(s plot.Series) bool {
			return s.Theory == theory && slices.ContainsFunc(s.Marks, func(pt plot.Point) bool { return as(p, pt) })
		})
	})
}

// known reports whether the error of a mark is known so well.
func known(c plot.Certainty) func(plot.Data, plot.Point) bool {
	return func(_ plot.Data, pt plot.Point) bool { return pt.Error == c }
}

// notation says what the marks of the figure mean, a sentence for each kind that it has.
func (f Figure) notation() (said []string) {
	off := func(p plot.Data, pt plot.Point) bool {
		return p.Y.Log && pt.Y <= 0 || p.Y.Names && p.X.Log && pt.X <= 0
	}
	for _, s := range []struct {
		holds    bool
		sentence string
	}{
		{f.points(false, known(plot.Interval)) && f.levels() == usualLevel, "Error bars are " + usualLevel + " confidence intervals. Where none shows, it is smaller than the marker."},
		{f.points(false, off), "A marker on the edge of a logarithmic axis is 0 or less."},
		{f.points(false, known(plot.Roughly)), "A faint bar is ±1 standard error, where the error is too uncertain for an interval."},
		{f.points(false, known(plot.Unsure)), "A pale marker has no known error."},
	} {
		if s.holds {
			said = append(said, s.sentence)
		}
	}
	return said
}

// usualLevel is the confidence level of most figures.
var usualLevel = digits.Percent(0.95)

// otherLevels says of what level intervals are where it is not the usual one.
func (f Figure) otherLevels() string {
	bands := f.any(func(s plot.Series) bool { return s.Band != "" && s.Lower.Quantity == "" })
	if l := f.levels(); l != "" && l != usualLevel && (bands || f.points(false, known(plot.Interval))) {
		return "Intervals are " + l + " confidence intervals."
	}
	return ""
}

// levels are the confidence levels that the rows declare.
func (f Figure) levels() string {
	var levels []string
	for _, p := range f.panels {
		for _, e := range p.Shown {
			bounded := e.Lo.Present() && e.Hi.Present() && e.Level.Present()
			if l := digits.Percent(float64(e.Level)); bounded && !slices.Contains(levels, l) {
				levels = append(levels, l)
			}
		}
	}
	return strings.Join(levels, " or ")
}
