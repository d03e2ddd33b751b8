package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"

	"mcsim/report/axis"
	"mcsim/report/draw"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// grades writes the label of each cell into its middle.
func (d *drawing) grades(p plot.Data, b draw.Box) {
	for _, c := range p.Map.Cells {
		d.markOn(d.in.ColourAt(c.Colour), c.Label.Mark, place(p, b, c.Column, c.Row))
	}
}

// markSize is the size of a mark in units of that of labels.
const markSize = 0.8

// markOn writes a mark around a point of a ground, on a box of its own colour, so that it
// stands clear of the border between two.
func (d *drawing) markOn(ground color.NRGBA, mark string, at vg.Point) {
	s := label.Set(mark, markSize*d.text)
	half := s.Width/2 + 1
	d.c.Fill(draw.Rectangle(draw.Box{Left: at.X - half, Bottom: at.Y - 0.36*d.text, Right: at.X + half, Top: at.Y + 0.36*d.text}), ground)
	at.X -= s.Width / 2
	at.Y -= markSize * d.text * capHeight / 2
	d.c.Words(s.Pieces, at, false, theme.InkOn(ground))
}

// borderWidth is that of a border around cells.
const borderWidth = 1.2 * lineWidth

// markedRow draws a border around the cells of the marked row.
func (d *drawing) markedRow(p plot.Data, b draw.Box) {
	if lo, hi, ok := p.MarkedRow(); ok {
		border := draw.Rectangle(draw.Box{Left: b.Left, Bottom: b.Y(p.ScaleY.Unit(lo)), Right: b.Right, Top: b.Y(p.ScaleY.Unit(hi))})
		d.stroke(border, theme.Paper.Paper, 2.6*lineWidth, nil) // so that it is seen on every colour
		d.stroke(border, theme.Ink.Paper, borderWidth, nil)
	}
}

// markEntries explain the marks in cells and bars: in cells those that there are, in the
// colours of their cells, in bars all of them.
func markEntries(ps []plot.Data) (out []entry) {
	for _, g := range plot.Settings {
		var us []float64
		for _, p := range ps {
			switch {
			case p.Map != nil:
				us = append(us, p.Map.Of(g)...)
			case len(p.Bars) > 0 && g != plot.TooSoft:
				us = append(us, g.Shade())
			}
		}
		if len(us) > 0 {
			out = append(out, entry{label: g.Meaning(), sign: markSign(g.Mark, axis.Distinct(us))})
		}
	}
	return out
}

// markSign is the sign of a label: its mark on the colours that it has in the panels.
func markSign(mark string, colours []float64) sign {
	return func(d *drawing, _ theme.SeriesStyle, b draw.Box) {
		each := b.Width() / vg.Length(len(colours))
		for i, u := range colours {
			d.c.Fill(draw.Rectangle(draw.Box{Left: b.Left + vg.Length(i)*each, Bottom: b.Bottom, Right: b.Right, Top: b.Top}), d.in.ColourAt(u))
		}
		d.markOn(d.in.ColourAt(colours[len(colours)/2]), mark, vg.Point{X: (b.Left + b.Right) / 2, Y: (b.Bottom + b.Top) / 2})
		d.stroke(draw.Rectangle(b), theme.Quiet.Paper, frameWidth/2, nil)
	}
}

// borderSign is that of the border of a row.
func borderSign(d *drawing, _ theme.SeriesStyle, b draw.Box) {
	b.Bottom, b.Top = b.Bottom+1, b.Top-1
	d.stroke(draw.Rectangle(b), theme.Ink.Paper, borderWidth, nil)
}
