package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"

	"mcsim/report/axis"
	"mcsim/report/draw"
	"mcsim/report/plot"
)

// shadeOf is the colour of a label in a bar, in the sense of a map's.
func (d *drawing) shadeOf(g plot.Grade) color.NRGBA { return d.in.ColourAt(g.Shade()) }

// stack draws the bars from border to border of their x, and the mark of a label into
// every part that is high enough for it.
func (d *drawing) stack(p plot.Data, b draw.Box) {
	_, borders := axis.Edges(p.Xs)
	mark := []func(){} // above all bars
	for i, at := range p.Bars {
		left, right := b.X(p.ScaleX.Unit(borders[i])), b.X(p.ScaleX.Unit(borders[i+1]))
		gap := 0.04 * (right - left)
		for _, s := range at.Parts {
			if s.Hi <= s.Lo {
				continue
			}
			part := draw.Box{Left: left + gap, Bottom: b.Y(p.ScaleY.Unit(s.Lo)), Right: right - gap, Top: b.Y(p.ScaleY.Unit(s.Hi))}
			d.c.Fill(draw.Rectangle(part), d.shadeOf(s.Grade))
			if part.Height() > 0.95*d.text && part.Width() > 0.9*d.text {
				mark = append(mark, func() {
					d.markOn(d.shadeOf(s.Grade), s.Grade.Mark, vg.Point{X: (part.Left + part.Right) / 2, Y: (part.Bottom + part.Top) / 2})
				})
			}
		}
	}
	for _, m := range mark {
		m()
	}
}
