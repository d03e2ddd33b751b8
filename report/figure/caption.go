package figure

import (
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/sim/names"
)

// reading returns the caption of the figure in the notation, with names of the plan as text
// writes them.
func (f Figure) reading(text Text) string {
	return joined(f.Caption, f.joins(), f.setting(text), f.maps(), f.otherLevels())
}

// fullCaption returns the caption in the notation, and what the marks mean: that
// of a file, which leaves the page that says so.
func (f Figure) fullCaption() string {
	return joined(append([]string{f.reading(label.Literal)}, f.notation()...)...)
}

// joined puts sentences behind each other, without those that are empty.
func joined(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// Reading returns the caption of the figure as plain text, without its Notation. What text
// makes of a name is not read as notation.
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
	return "Fixed in this figure: " + strings.Join(parts, ", ") + "."
}

// joins says that lines join markers, in a figure that has no others.
func (f Figure) joins() string {
	if !f.joined() || slices.ContainsFunc(f.panels, func(p plot.Data) bool { return len(p.Curves) > 0 }) {
		return "" // or the caption tells the lines apart
	}
	return "Lines join markers."
}

// joined reports whether any lines do.
func (f Figure) joined() bool { return f.any(plot.Series.Joined) }

// any reports whether a series of the figure is as asked.
func (f Figure) any(as func(plot.Series) bool) bool {
	return slices.ContainsFunc(f.panels, func(p plot.Data) bool { return slices.ContainsFunc(p.Series, as) })
}

// maps says what a map cannot show.
func (f Figure) maps() string {
	if f.panels[0].Cells == nil {
		return ""
	}
	return "The errors of the fields stand in the data of the figure. A column that was drawn at fewer heights than others is left out."
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

// Notation says what the marks of the figure mean, a sentence for each that it has. What
// holds for figures in general stands here and in no caption, so that a page says it once
// for all its figures; files that leave the page have it after their captions.
func (f Figure) Notation() []string {
	said := f.notation()
	for i, s := range said {
		said[i] = label.Plain(s)
	}
	return said
}

// notation is the same in the notation of labels.
func (f Figure) notation() (said []string) {
	all := func(plot.Data, plot.Point) bool { return true }
	off := func(p plot.Data, pt plot.Point) bool {
		return p.Y.Log && pt.Y <= 0 || p.Y.Names && p.X.Log && pt.X <= 0
	}
	lines := f.joined() || slices.ContainsFunc(f.panels, func(p plot.Data) bool { return len(p.Curves) > 0 })
	for _, s := range []struct {
		holds    bool
		sentence string
	}{
		{lines && f.points(false, all), "Markers are measured; lines are theory, unless the caption says that they join markers or were drawn."},
		{f.points(true, all), "A ring is the theory of what the marker in it measures."},
		{f.points(false, known(plot.Interval)) && f.levels() == usualLevel, "Error bars are " + usualLevel + " confidence intervals, unless the caption says otherwise; one that is not seen is smaller than its marker."},
		{f.points(false, off), "A marker on the edge of a logarithmic axis is 0 or less, which has no place there."},
		{f.points(false, known(plot.Roughly)), "A faint bar is one standard error to either side: the error is too uncertain for an interval."},
		{f.points(false, known(plot.Unsure)), "The error of a pale marker is not known."},
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
		return "Intervals in this figure are " + l + " confidence intervals."
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
