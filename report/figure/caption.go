package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/sim/result"
)

// drawn is what a chart shows, for a caption that speaks of nothing else.
type drawn []plotted

// reading returns the caption of the chart in the notation, from what is
// drawn, with names of the plan as text writes them.
func (c Chart) reading(doc *result.Document, text Text) string {
	ps, _, _ := build(c, doc)
	d := drawn(ps)
	parts := append(c.Caption(d, text), d.seconds(), d.maps(), d.partial(), d.lost(), d.below(), d.beyond())
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	return strings.Join(slices.DeleteFunc(parts, empty), " ")
}

// whole returns finding and caption in the notation.
func (c Chart) whole(doc *result.Document) string {
	return strings.TrimSpace(noted(c.Sentence(doc, literal)) + " " + c.reading(doc, literal))
}

// Reading returns the caption of the chart as plain text.
func (c Chart) Reading(doc *result.Document, text Text) string {
	return Plain(c.reading(doc, quoting(text)))
}

// Finding says in one sentence of plain text what the rows show, or nothing
// where the rows that it speaks of are missing.
func (c Chart) Finding(doc *result.Document, text Text) string {
	return Plain(noted(c.Sentence(doc, quoting(text))))
}

// quoting keeps what text makes of a name from being read as notation.
func quoting(text Text) Text { return func(s string) string { return quoted(text(s)) } }

func empty(s string) bool { return s == "" }

// when returns the clause if it holds.
func when(holds bool, clause string) string {
	if holds {
		return clause
	}
	return ""
}

// points reports whether any marker of what is measured is as asked.
func (d drawn) points(as func(point) bool) bool {
	return slices.ContainsFunc(d, func(p plotted) bool {
		return slices.ContainsFunc(p.series, func(s series) bool { return !s.theory && slices.ContainsFunc(s.points, as) })
	})
}

func barred(p point) bool { return !math.IsNaN(p.lo) }
func bare(p point) bool   { return math.IsNaN(p.lo) }

// intervals says what the bars are, with the level that the rows declare.
func (d drawn) intervals() string {
	if !d.points(barred) {
		return ""
	}
	var levels []string
	for _, p := range d {
		for _, e := range p.rows {
			if !e.Lo.Present() || !e.Hi.Present() || !e.Level.Present() {
				continue
			}
			if l := digits.Percent(float64(e.Level)); !slices.Contains(levels, l) {
				levels = append(levels, l)
			}
		}
	}
	if len(levels) == 0 {
		return "Bars are confidence intervals"
	}
	return "Bars are " + strings.Join(levels, " or ") + " confidence intervals"
}

// bare says what a marker without a bar means.
func (d drawn) bare() string {
	return when(d.points(bare), "A marker without a bar has no interval: its error is not known, or it does not vary.")
}

// hidden reports whether most bars are smaller than their markers on axes of
// about that height.
func (d drawn) hidden(height vg.Length) bool {
	small, all := 0, 0
	for _, p := range d {
		for _, s := range p.series {
			for _, pt := range s.points {
				if bare(pt) {
					continue
				}
				all++
				if vg.Length(p.y.unit(pt.hi)-p.y.unit(pt.lo))*height/2 < markerRadius {
					small++
				}
			}
		}
	}
	return 2*small > all
}

// law is that of the first row that is shown.
func (d drawn) law() string {
	for _, p := range d {
		for _, e := range p.rows {
			if law, ok := e.Params.Text("law"); ok {
				return law
			}
		}
	}
	return ""
}

// seconds explains markers of another estimator.
func (d drawn) seconds() string {
	any := slices.ContainsFunc(d, func(p plotted) bool {
		return slices.ContainsFunc(p.series, func(s series) bool { return s.second })
	})
	return when(any, "Where the Gram estimator stands besides the direct one, its marker is set to the right of it.")
}

// unsure marks a value whose error is not known.
const unsure = "†"

// measured writes a value with its error, or with a mark where it has none.
func measured(e result.Estimate) string {
	if text := digits.NoneSeen(float64(e.Value), float64(e.SE), float64(e.Hi)); text != "" {
		return text
	}
	text := digits.PlusMinus(float64(e.Value), float64(e.SE))
	if !e.SE.Present() && !(e.Lo.Present() && e.Hi.Present()) {
		text += unsure
	}
	return text
}

// noted explains the mark where a sentence has it.
func noted(sentence string) string {
	return sentence + when(strings.Contains(sentence, unsure), " ("+unsure+" The error is not known.)")
}

// beyond says how many markers an axis leaves out.
func (d drawn) beyond() string {
	n := 0
	for _, p := range d {
		n += p.beyond
	}
	return leftOut(n, "One marker without an interval lies beyond the axis and is left out.",
		"%d markers without an interval lie beyond the axis and are left out.")
}

// below says how many markers lie below the start of an axis.
func (d drawn) below() string {
	n := 0
	for _, p := range d {
		n += p.below
	}
	return leftOut(n, "One value below the axis is left out.", "%d values below the axis are left out.")
}

// partial says what columns a map leaves out.
func (d drawn) partial() string {
	n := 0
	for _, p := range d {
		n = max(n, p.partial)
	}
	return leftOut(n, "One column that was drawn at fewer heights is left out.", "%d columns that were drawn at fewer heights are left out.")
}

// leftOut is the sentence for so many things; none needs none.
func leftOut(n int, one, more string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return one
	}
	return fmt.Sprintf(more, n)
}

func (d drawn) lines() bool {
	return slices.ContainsFunc(d, func(p plotted) bool { return len(p.lines) > 0 })
}

// several reports whether a panel has more than one series.
func (d drawn) several() bool {
	return slices.ContainsFunc(d, func(p plotted) bool { return len(p.series) > 1 })
}

// names reports whether a series has that label.
func (d drawn) names(label string) bool {
	return slices.ContainsFunc(d, func(p plotted) bool {
		return slices.ContainsFunc(p.series, func(s series) bool { return s.label == label })
	})
}

// maps says what a map cannot show.
func (d drawn) maps() string {
	maps, holes := false, false
	for _, p := range d {
		if h := p.heat; h != nil {
			maps, holes = true, holes || len(h.values) < len(h.xs)*len(h.ys)
		}
	}
	return when(maps, "The errors of the cells stand in the data of the figure."+when(holes, " An empty cell has no value to show."))
}

// lost says how many values a logarithmic axis cannot hold.
func (d drawn) lost() string {
	n := 0
	for _, p := range d {
		n += p.lost
	}
	return leftOut(n, "One value that is not above 0 has no place on a logarithmic axis.",
		"%d values that are not above 0 have no place on a logarithmic axis.")
}

// tolerance says what the band is, and which laws have another.
func (d drawn) tolerance(text Text) string {
	var out string
	for _, p := range d {
		if len(p.band) == 0 {
			continue
		}
		out = "The shaded band is the tolerance of the gates" + width(p.band[0])
		for _, o := range p.others {
			out += "; " + text(o.law) + " is allowed" + strings.TrimPrefix(width(o.limits), ",")
		}
		out += "."
	}
	return out
}

// width writes limits around 1 as a percentage.
func width(l limits) string {
	return ", ±" + digits.Percent(math.Round(max(l.hi-1, 1-l.lo)*1e9)/1e9)
}
