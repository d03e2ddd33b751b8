package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/rows"
	"mcsim/sim/result"
)

// Part declares the shares of one label: a part of the bar that stands at each
// x. The parts of a bar are stacked from below to above.
type Part struct {
	Rows  rows.Filter
	Grade string // name of the label
}

// pile is what the parts stack up to.
type pile struct{ bars []stacked }

// stacked is one bar, at one x.
type stacked struct {
	x     float64
	parts []share
}

// share is the part of a bar between two heights.
type share struct {
	grade  grade
	lo, hi float64
}

// selectStack takes the shares at each x; a bar is shown where all its parts
// have a row.
func (p *plotted) selectStack(parts []Part, doc *result.Document) {
	var all []result.Estimate
	for _, part := range parts {
		all = append(all, rows.Estimates(doc, part.Rows)...)
	}
	var out pile
	for _, x := range rows.Numbers(all, p.X.Param) {
		b, shown := stacked{x: x}, []result.Estimate{}
		height := 0.0
		for _, part := range parts {
			e, ok := rows.One(doc, part.Rows.With(p.X.Param, x))
			if !ok || !(e.Value >= 0 && e.Value <= 1) {
				break
			}
			i := slices.IndexFunc(grades, func(g grade) bool { return g.name == part.Grade })
			b.parts = append(b.parts, share{grades[i], height, min(1, height+float64(e.Value))})
			height += float64(e.Value)
			shown = append(shown, e)
		}
		if len(b.parts) == len(parts) && holds(p.X.Log, x) {
			out.bars = append(out.bars, b)
			p.rows = append(p.rows, shown...)
		}
	}
	if len(out.bars) > 0 {
		p.stack = &out
	}
}

func (s *pile) xs() []float64 {
	var out []float64
	for _, b := range s.bars {
		out = append(out, b.x)
	}
	return out
}

// shadeOf is the colour of a label in a bar: that of a map's value in its
// middle, so that both read alike.
func shadeOf(g grade) color.NRGBA {
	return colourAt(map[string]float64{"healthy": 0.9, "fading": 0.6, "dying": 0.3, "dead": 0}[g.name])
}

// stack draws the bars from border to border of their x, as a map its cells,
// and the line of a level over them.
func (d *drawing) stack(p plotted, b box) {
	_, borders := edges(p.X.Log, p.stack.xs())
	var marks []box
	var of []grade
	for i, at := range p.stack.bars {
		left, right := b.x(p.x.unit(borders[i])), b.x(p.x.unit(borders[i+1]))
		gap := 0.04 * (right - left)
		for _, s := range at.parts {
			if s.hi <= s.lo {
				continue
			}
			part := box{left + gap, b.y(p.y.unit(s.lo)), right - gap, b.y(p.y.unit(s.hi))}
			d.c.fill(rectangle(part), shadeOf(s.grade))
			d.shows(rectangle(part))
			if part.height() > 0.95*d.text && part.width() > 0.9*d.text {
				marks = append(marks, part)
				of = append(of, s.grade)
			}
		}
	}
	if p.Level != nil {
		d.onColours(d.across(p, b), lineOnColours)
	}
	for i, part := range marks {
		d.markOn(shadeOf(of[i]), of[i].mark, vg.Point{X: (part.left + part.right) / 2, Y: d.beside(part, p, b)})
	}
}

// beside is the height of a mark in a part: its middle, or where the line of a
// level runs through that, what is above the line or below it.
func (d *drawing) beside(part box, p plotted, b box) vg.Length {
	middle := (part.bottom + part.top) / 2
	if p.Level == nil {
		return middle
	}
	at, room := b.y(p.y.unit(p.Level.At)), 1.1*d.text
	switch {
	case max(at-middle, middle-at) > 0.7*d.text:
		return middle
	case middle >= at && part.top-at > room:
		return (at + part.top) / 2
	case at-part.bottom > room:
		return (at + part.bottom) / 2
	}
	return middle
}
