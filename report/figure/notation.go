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
	d := Drawn(f.panels)
	say := func(holds bool, sentence string) {
		if holds {
			said = append(said, sentence)
		}
	}
	any := func(plot.Series) bool { return true }
	say(d.Lines() && d.series(any), "Markers are measured; lines are theory, unless the caption says that they join markers or were drawn.")
	say(d.marksTheory(), "A ring is the theory of what the marker in it measures.")
	say(d.Points(plot.Interval.Is), "Bars in figures are "+d.levels()+"confidence intervals; a bar that is not seen is smaller than its marker.")
	say(d.hangs(), "An arrow hangs from the upper end of the interval of something that was not seen at all.")
	say(d.Points(plot.Roughly.Is), "A faint bar is one standard error to either side: the error is too uncertain for an interval.")
	say(d.Points(plot.Unsure.Is), "The error of a pale marker is not known.")
	say(d.Points(plot.Steady.Is), "A marker of something that does not vary has no bar.")
	say(strings.Contains(f.finding(label.Literal), "±"), "The number after ± is the standard error.")
	return said
}

// marksTheory reports whether a mark of theory is drawn.
func (d Drawn) marksTheory() bool {
	return d.series(func(s plot.Series) bool { return s.Theory })
}

// hangs reports whether a value of 0 stands as an arrow.
func (d Drawn) hangs() bool {
	return d.series(func(s plot.Series) bool { return len(s.AtMost) > 0 })
}

// series reports whether any series is as asked.
func (d Drawn) series(as func(plot.Series) bool) bool {
	return slices.ContainsFunc(d, func(p plot.Data) bool { return slices.ContainsFunc(p.Series, as) })
}

// levels are the confidence levels that the rows declare.
func (d Drawn) levels() string {
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
	return When(len(levels) > 0, strings.Join(levels, " or ")+" ")
}
