package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"

	"mcsim/report/axis"
	"mcsim/report/draw"
	"mcsim/report/plot"
)

// shadeOf is the colour of a label in a bar, in the sense of a map's.
func (d *drawing) shadeOf(g plot.Grade) color.NRGBA { return d.in.ColourAt(g.Shade) }

// stack draws the bars from border to border of their x, as a map its cells,
// and the line of a level over them.
func (d *drawing) stack(p plot.Data, b draw.Box) {
	_, borders := axis.Edges(p.X.Log, p.Bars.Xs())
	var marks []draw.Box
	var of []plot.Grade
	for i, at := range p.Bars.Bars {
		left, right := b.X(p.ScaleX.Unit(borders[i])), b.X(p.ScaleX.Unit(borders[i+1]))
		gap := 0.04 * (right - left)
		for _, s := range at.Parts {
			if s.Hi <= s.Lo {
				continue
			}
			part := draw.Box{Left: left + gap, Bottom: b.Y(p.ScaleY.Unit(s.Lo)), Right: right - gap, Top: b.Y(p.ScaleY.Unit(s.Hi))}
			d.c.Fill(draw.Rectangle(part), d.shadeOf(s.Grade))
			d.shows(draw.Rectangle(part))
			if part.Height() > 0.95*d.text && part.Width() > 0.9*d.text {
				marks = append(marks, part)
				of = append(of, s.Grade)
			}
		}
	}
	if p.Level != nil {
		d.onColours(d.levelPath(p, b, p.Level.At), lineOnColours)
	}
	for i, part := range marks {
		d.markOn(d.shadeOf(of[i]), of[i].Mark, vg.Point{X: (part.Left + part.Right) / 2, Y: d.beside(part, p, b)})
	}
}

// beside is the height of a mark in a part: its middle, or where the line of a
// level runs through that, what is above the line or below it.
func (d *drawing) beside(part draw.Box, p plot.Data, b draw.Box) vg.Length {
	middle := (part.Bottom + part.Top) / 2
	if p.Level == nil {
		return middle
	}
	at, room := b.Y(p.ScaleY.Unit(p.Level.At)), 1.1*d.text
	switch {
	case max(at-middle, middle-at) > 0.7*d.text:
		return middle
	case middle >= at && part.Top-at > room:
		return (at + part.Top) / 2
	case at-part.Bottom > room:
		return (at + part.Bottom) / 2
	}
	return middle
}
