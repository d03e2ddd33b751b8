package figure

import (
	"image"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/axis"
	"mcsim/report/draw"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// grades writes the label of each cell into it, beside the lines that run through it.
func (d *drawing) grades(p plot.Data, b draw.Box) {
	_, xs := axis.Edges(p.X.Log, p.Map.Xs)
	_, ys := axis.Edges(p.Y.Log, p.Map.Ys)
	var lines []vg.Path
	for _, l := range p.Theory {
		lines = append(lines, linePath(p, b, l))
	}
	for at, u := range p.Map.All() {
		mark := p.Map.Labels[at].Mark
		i, j := slices.Index(p.Map.Xs, at[0]), slices.Index(p.Map.Ys, at[1])
		cell := draw.Box{Left: b.X(p.ScaleX.Unit(xs[i])), Bottom: b.Y(p.ScaleY.Unit(ys[j])), Right: b.X(p.ScaleX.Unit(xs[i+1])), Top: b.Y(p.ScaleY.Unit(ys[j+1]))}
		d.markOn(d.in.ColourAt(u), mark, d.clearOf(lines, cell, mark))
	}
}

// asides are where a mark may stand in a cell, in units of the cell's size from its
// middle, the first that no line strikes.
var asides = [][2]vg.Length{{0, 0}, {0.22, 0}, {-0.22, 0}, {0.36, 0}, {-0.36, 0}, {0, 0.2}, {0, -0.2}, {0.36, -0.2}, {-0.36, 0.2}, {0.36, 0.2}, {-0.36, -0.2}}

// clearOf is where a mark stands in a cell so that no line strikes it.
func (d *drawing) clearOf(lines []vg.Path, cell draw.Box, mark string) vg.Point {
	for _, aside := range asides {
		at := vg.Point{X: cell.X(0.5 + float64(aside[0])), Y: cell.Y(0.5 + float64(aside[1]))}
		room := d.groundOf(mark, at).Grown(casedWidth)
		if !slices.ContainsFunc(lines, func(line vg.Path) bool { return struck(room, line) }) {
			return at
		}
	}
	return vg.Point{X: cell.X(0.5), Y: cell.Y(0.5)}
}

// struck reports whether a line of straight steps runs through a box.
func struck(b draw.Box, line vg.Path) bool {
	for i := 1; i < len(line); i++ {
		if b.Meets(line[i-1].Pos, line[i].Pos) {
			return true
		}
	}
	return false
}

// markSize is the size of a mark in units of that of labels.
const markSize = 0.8

// groundOf is the box that a mark around a point takes.
func (d *drawing) groundOf(mark string, at vg.Point) draw.Box {
	half := label.WidthOf(mark, markSize*d.text)/2 + 1
	return draw.Box{Left: at.X - half, Bottom: at.Y - 0.36*d.text, Right: at.X + half, Top: at.Y + 0.36*d.text}
}

// markOn writes a mark around a point of a ground, on a box of its own colour, so that no
// line runs through it.
func (d *drawing) markOn(ground color.NRGBA, mark string, at vg.Point) {
	s := label.Set(mark, markSize*d.text)
	d.c.Fill(draw.Rectangle(d.groundOf(mark, at)), ground)
	at.X -= s.Width / 2
	at.Y -= markSize * d.text * capHeight / 2
	d.c.Words(s.Pieces, at, false, theme.InkOn(ground))
	box := draw.Box{Left: at.X, Bottom: at.Y, Right: at.X + s.Width, Top: at.Y + s.Top}
	d.written, d.marks = append(d.written, box), append(d.marks, box)
}

// markedRow draws a border around the cells of the marked row.
func (d *drawing) markedRow(p plot.Data, b draw.Box) {
	if lo, hi, ok := p.MarkedRow(); ok {
		d.onColours(draw.Rectangle(draw.Box{Left: b.Left, Bottom: b.Y(p.ScaleY.Unit(lo)), Right: b.Right, Top: b.Y(p.ScaleY.Unit(hi))}), nil)
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
			case p.Bars != nil && g != plot.Blind:
				us = append(us, g.Shade)
			}
		}
		if len(us) > 0 {
			out = append(out, entry{label: g.Meaning(), mark: g.Mark, colours: axis.Distinct(us)})
		}
	}
	return out
}

// markKey draws the sign of a label: its mark on the colours that it has in the panels.
func (d *drawing) markKey(e entry, b draw.Box) {
	img := image.NewNRGBA(image.Rect(0, 0, len(e.colours), 1))
	for i, u := range e.colours {
		img.SetNRGBA(i, 0, d.in.ColourAt(u))
	}
	d.c.Pixels(b, img)
	d.markOn(d.in.ColourAt(e.colours[len(e.colours)/2]), e.mark, vg.Point{X: (b.Left + b.Right) / 2, Y: (b.Bottom + b.Top) / 2})
	d.stroke(draw.Rectangle(b), theme.Quiet.Paper, frameWidth/2, nil)
}
