package figure

import (
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/report/plot"
)

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
	d := drawn(f.panels)
	lines := slices.ContainsFunc(d, func(p plot.Data) bool { return len(p.Theory) > 0 })
	for _, s := range []struct {
		holds    bool
		sentence string
	}{
		{lines && d.series(func(plot.Series) bool { return true }), "Markers are measured; lines are theory, unless the caption says that they join markers or were drawn."},
		{d.series(isTheory), "A ring is the theory of what the marker in it measures."},
		{d.points(plot.Interval.Is), "Bars in figures are " + d.levels() + "confidence intervals; a bar that is not seen is smaller than its marker."},
		{d.series(hangs), "An arrow hangs from the upper end of the interval of something that was not seen at all."},
		{d.points(plot.Roughly.Is), "A faint bar is one standard error to either side: the error is too uncertain for an interval."},
		{d.points(plot.Unsure.Is), "The error of a pale marker is not known."},
	} {
		if s.holds {
			said = append(said, s.sentence)
		}
	}
	return said
}

// isTheory reports marks of theory.
func isTheory(s plot.Series) bool { return s.Theory }

// hangs reports whether a value of 0 stands as an arrow.
func hangs(s plot.Series) bool { return len(s.AtMost) > 0 }

// levels are the confidence levels that the rows declare.
func (d drawn) levels() string {
	var levels []string
	for _, p := range d {
		for _, e := range p.Shown {
			if !e.Lo.Present() || !e.Hi.Present() || !e.Level.Present() {
				continue
			}
			if l := digits.Percent(float64(e.Level)); !slices.Contains(levels, l) {
				levels = append(levels, l)
			}
		}
	}
	return when(len(levels) > 0, strings.Join(levels, " or ")+" ")
}
