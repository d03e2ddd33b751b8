package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// grades writes the label of each cell into it, on a ground of the cell's own
// colour, so that no line runs through it.
func (d *drawing) grades(p plot.Data, b draw.Box) {
	for at, z := range p.Map.All() {
		k := theme.ColourAt(p.Map.Colour.Unit(z))
		d.markOn(k, plot.GradeOf(z).Mark, vg.Point{X: b.X(p.ScaleX.Unit(at[0])), Y: b.Y(p.ScaleY.Unit(at[1]))})
	}
}

// markSize is the size of a mark in units of that of labels.
const markSize = 0.8

// markOn writes a mark around a point of a ground.
func (d *drawing) markOn(ground color.NRGBA, mark string, at vg.Point) {
	s := label.Set(mark, markSize*d.text)
	half := draw.Box{Left: at.X - s.Width/2 - 1, Bottom: at.Y - 0.36*d.text, Right: at.X + s.Width/2 + 1, Top: at.Y + 0.36*d.text}
	d.c.Fill(draw.Rectangle(half), ground)
	at.X -= s.Width / 2
	at.Y -= markSize * d.text * capHeight / 2
	d.c.Words(s.Pieces, at, false, theme.InkOn(ground))
	d.written = append(d.written, draw.Box{Left: at.X, Bottom: at.Y, Right: at.X + s.Width, Top: at.Y + s.Top})
}
