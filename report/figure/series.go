package figure

import (
	"math"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// Widths of the bars of intervals, of those of a standard error alone, and of a ring.
const barWidth, faintWidth, ringWidth = 0.8, 0.5, 0.75

// series draws the line that joins the markers of a series, their intervals, which are two
// paths at most, since there may be a thousand of them, and the markers.
func (d *drawing) series(p plot.Data, b draw.Box, s plot.Series) {
	off := d.dodge(p, b, s)
	var at []vg.Point
	bars := map[plot.Certainty]vg.Path{}
	for _, pt := range s.Marks {
		to, low, high := place(p, b, pt.X, pt.Y), place(p, b, pt.X, pt.Lo), place(p, b, pt.X, pt.Hi)
		if p.Y.Names {
			low, high = place(p, b, pt.Lo, pt.Y), place(p, b, pt.Hi, pt.Y)
			to.Y, low.Y, high.Y = to.Y-off, low.Y-off, high.Y-off
		} else {
			to.X, low.X, high.X = to.X+off, low.X+off, high.X+off
		}
		at = append(at, to)
		if pt.Error == plot.Range {
			pt.Error = plot.Interval
		}
		if pt.Error < plot.Unsure {
			path := vg.Path{draw.Move(low.X, low.Y), draw.LineTo(high.X, high.Y)}
			if math.IsInf(pt.Hi, 1) {
				path = arrow(low, high, d.radius())
			}
			bars[pt.Error] = append(bars[pt.Error], path...)
		}
	}
	switch {
	case s.Theory:
		for _, to := range at {
			d.ring(to)
		}
		return
	case s.Joined():
		d.stroke(through(at), s.Style.Colour, widthOf(s.Style), s.Style.Dash)
	case s.Points.Bars:
		for i, to := range at {
			half := place(p, b, s.Marks[i].X+plot.HalfBar, 0).X - to.X
			d.bar(s.Style, draw.Box{Left: to.X - half, Bottom: b.Bottom, Right: to.X + half, Top: to.Y})
		}
	}
	if path := bars[plot.Interval]; path != nil {
		width := barWidth
		if s.Unmarked {
			width = faintWidth
		}
		d.stroke(path, s.Style.Colour, vg.Length(width), nil)
	}
	if path := bars[plot.Roughly]; path != nil {
		d.stroke(path, s.Style.Colour.Faint(), faintWidth, nil)
	}
	for i, to := range at {
		style := s.Style
		style.Hollow = style.Hollow || s.Marks[i].Open
		if s.Marks[i].Error == plot.Unsure {
			style.Colour = style.Colour.Faint()
		}
		if !s.Unmarked && !s.Points.Bars {
			d.marker(style, to, d.radius())
		}
	}
}

// arrow goes up or to the right, and ends before the frame: the interval is open.
func arrow(from, to vg.Point, size vg.Length) vg.Path {
	across, along := vg.Point{X: size}, vg.Point{Y: size}
	if from.X < to.X {
		across, along = along, across
	}
	to = to.Sub(along.Scale(0.5))
	left, right := to.Sub(along).Sub(across), to.Sub(along).Add(across)
	return vg.Path{draw.Move(from.X, from.Y), draw.LineTo(to.X, to.Y),
		draw.Move(left.X, left.Y), draw.LineTo(to.X, to.Y), draw.LineTo(right.X, right.Y)}
}

// ring marks theory around a marker, which nobody takes for a bar.
func (d *drawing) ring(at vg.Point) {
	d.stroke(theme.SeriesStyleOf(0).Glyph.Path(at, 1.8*d.radius()), theme.Ink, ringWidth, nil)
}

// bar draws one.
func (d *drawing) bar(s theme.SeriesStyle, b draw.Box) {
	d.fill(draw.Rectangle(b), s.Colour.Translucent())
	d.stroke(draw.Rectangle(b), s.Colour, thinWidth, nil)
}

// dodge sets the series of an axis of names apart, within two thirds of the row of a name,
// and those of a panel that asks for it.
func (d *drawing) dodge(p plot.Data, b draw.Box, s plot.Series) vg.Length {
	if d.count < 2 || !p.Y.Names && !p.Apart || p.Spread {
		return 0
	}
	step := 2.5 * d.radius()
	if p.Y.Names {
		room := b.Height() / vg.Length(len(p.RowNames))
		step = min(3.7*d.radius(), 0.72*room/vg.Length(d.count-1)) // rings around them do not touch
	}
	return step * (vg.Length(s.Place) - vg.Length(d.count-1)/2)
}

// radius is that of a marker.
func (d *drawing) radius() vg.Length {
	if d.in.Narrow {
		return 1.6
	}
	return 2
}

// marker draws one; no line is seen through a pale or hollow one.
func (d *drawing) marker(s theme.SeriesStyle, at vg.Point, r vg.Length) {
	path := s.Glyph.Path(at, r)
	if s.Hollow || s.Colour.Paper.A < 255 {
		d.fill(path, theme.Paper)
	}
	if s.Hollow {
		d.stroke(path, s.Colour, barWidth, nil)
	} else {
		d.fill(path, s.Colour)
	}
}
