package figure

import (
	"math"

	"gonum.org/v1/plot/vg"

	"mcsim/report/plot"
	"mcsim/report/theme"
)

// Widths of the bars of intervals, of those of only a standard error, and of a ring.
const barWidth, faintWidth, ringWidth = 0.8, 0.5, 0.75

// drawSeries draws the line that joins the markers of a series, their intervals, and the markers.
func (d *drawing) drawSeries(p plot.Data, b Box, s plot.Series) {
	offset := d.dodge(p, b, s)
	var markers []vg.Point
	bars := map[plot.Certainty]vg.Path{} // one path for each kind, since there may be a thousand bars
	for _, m := range s.Marks {
		low, high := place(p, b, m.X, m.Lo), place(p, b, m.X, m.Hi)
		if p.Y.Names {
			low, high = place(p, b, m.Lo, m.Y), place(p, b, m.Hi, m.Y)
		}
		low, high = low.Add(offset), high.Add(offset)
		markers = append(markers, place(p, b, m.X, m.Y).Add(offset))
		if m.Error >= plot.Unsure {
			continue
		}
		kind := m.Error
		if kind == plot.Range {
			kind = plot.Interval
		}
		bar := polyline(low, high)
		if math.IsInf(m.Hi, 1) {
			bar = arrow(low, high, d.radius())
		}
		bars[kind] = append(bars[kind], bar...)
	}
	switch {
	case s.Theory:
		for _, at := range markers {
			d.drawRing(at)
		}
		return
	case s.Joined():
		d.stroke(polyline(markers...), s.Style.Colour, widthOf(s.Style), s.Style.Dash)
	case s.Points.Bars:
		for i, at := range markers {
			half := place(p, b, s.Marks[i].X+plot.HalfBar, 0).X - at.X
			d.drawBar(s.Style, Box{Left: at.X - half, Bottom: b.Bottom, Right: at.X + half, Top: at.Y})
		}
	}
	d.drawErrorBars(s, bars)
	if s.Unmarked || s.Points.Bars {
		return
	}
	for i, at := range markers {
		style := s.Style
		style.Hollow = style.Hollow || s.Marks[i].Open
		if s.Marks[i].Error == plot.Unsure {
			style.Colour = style.Colour.Faint()
		}
		d.drawMarker(style, at, d.radius())
	}
}

// drawErrorBars draws the bars of a series by how well their errors are known.
func (d *drawing) drawErrorBars(s plot.Series, bars map[plot.Certainty]vg.Path) {
	if path := bars[plot.Interval]; path != nil {
		width := vg.Length(barWidth)
		if s.Unmarked {
			width = faintWidth
		}
		d.stroke(path, s.Style.Colour, width, nil)
	}
	if path := bars[plot.Roughly]; path != nil {
		d.stroke(path, s.Style.Colour.Faint(), faintWidth, nil)
	}
}

// arrow is an open interval: it goes up or to the right, and ends before the frame.
func arrow(from, to vg.Point, size vg.Length) vg.Path {
	across, along := vg.Point{X: size}, vg.Point{Y: size}
	if from.X < to.X {
		across, along = along, across
	}
	to = to.Sub(along.Scale(0.5))
	left, right := to.Sub(along).Sub(across), to.Sub(along).Add(across)
	return append(polyline(from, to), polyline(left, to, right)...)
}

// drawRing draws theory as a ring around a marker, which looks unlike a bar.
func (d *drawing) drawRing(at vg.Point) {
	d.stroke(theme.NewSeriesStyle(0).Marker.Path(at, 1.8*d.radius()), theme.Ink, ringWidth, nil)
}

func (d *drawing) drawBar(s theme.SeriesStyle, b Box) {
	d.fill(Rectangle(b), s.Colour.Translucent())
	d.stroke(Rectangle(b), s.Colour, thinWidth, nil)
}

// dodge returns the offset of a series: of an axis of names, within two thirds of the row of a
// name, and of a panel whose series stand apart.
func (d *drawing) dodge(p plot.Data, b Box, s plot.Series) vg.Point {
	if d.series < 2 || !p.Y.Names && !p.Dodge || p.Spread {
		return vg.Point{}
	}
	steps := vg.Length(s.Index) - vg.Length(d.series-1)/2
	if !p.Y.Names {
		return vg.Point{X: 2.5 * d.radius() * steps}
	}
	row := b.Height() / vg.Length(len(p.RowNames))
	return vg.Point{Y: -min(3.7*d.radius(), 0.72*row/vg.Length(d.series-1)) * steps} // rings do not touch
}

// radius is that of a marker.
func (d *drawing) radius() vg.Length {
	if d.theme.Narrow {
		return 1.6
	}
	return 2
}

// drawMarker draws a marker. No line is visible through a pale or hollow one.
func (d *drawing) drawMarker(s theme.SeriesStyle, at vg.Point, r vg.Length) {
	path := s.Marker.Path(at, r)
	if s.Hollow || s.Colour.Paper.A < 255 {
		d.fill(path, theme.Paper)
	}
	if s.Hollow {
		d.stroke(path, s.Colour, barWidth, nil)
	} else {
		d.fill(path, s.Colour)
	}
}
