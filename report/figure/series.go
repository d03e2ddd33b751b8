package figure

import (
	"math"

	"gonum.org/v1/plot/vg"

	"mcsim/report/plot"
	"mcsim/report/theme"
)

// Widths of lines in points.
const (
	barWidth   = 0.8 // of the error bar of an interval
	faintWidth = 0.5 // of the error bar of a standard error
	ringWidth  = 0.75
	ringRadius = 1.8 // relative to the radius of a marker
)

// drawSeries draws a series: the line that joins its markers, the error bars, and the markers.
func (d *drawing) drawSeries(p plot.Data, b Box, s plot.Series) {
	offset := d.dodgeOffset(p, b, s)
	var markers []vg.Point
	var bars, faintBars vg.Path // one path each, since there may be a thousand bars
	for _, m := range s.Markers {
		low, high := errorBarEnds(p, b, m)
		low, high = low.Add(offset), high.Add(offset)
		markers = append(markers, pointAt(p, b, m.X, m.Y).Add(offset))
		if m.ErrorKind >= plot.UnknownError {
			continue
		}
		switch {
		case math.IsInf(m.Hi, 1):
			bars = append(bars, arrow(low, high, d.radius())...)
		case m.ErrorKind == plot.StandardError:
			faintBars = append(faintBars, Polyline(low, high)...)
		default:
			bars = append(bars, Polyline(low, high)...)
		}
	}
	switch {
	case s.IsTheory:
		for _, centre := range markers {
			d.drawRing(centre)
		}
		return
	case s.IsJoined():
		width := strokeWidth(s.Style)
		if s.IsFaint {
			width = thinWidth
		}
		d.stroke(Polyline(markers...), s.Style.Colour, width, s.Style.Dash)
	case s.PointsSpec.DrawBars:
		for i, end := range markers {
			halfWidth := pointAt(p, b, s.Markers[i].X+plot.BarHalfWidth, 0).X - end.X
			d.drawBar(s.Style, Box{Left: end.X - halfWidth, Bottom: b.Bottom, Right: end.X + halfWidth, Top: end.Y})
		}
	}
	if bars != nil && s.HideMarkers {
		d.stroke(bars, s.Style.Colour, faintWidth, nil)
	} else if bars != nil {
		d.stroke(bars, s.Style.Colour, barWidth, nil)
	}
	if faintBars != nil {
		d.stroke(faintBars, s.Style.Colour.Faint(), faintWidth, nil)
	}
	if s.HideMarkers || s.IsFaint || s.PointsSpec.DrawBars {
		return
	}
	for i, centre := range markers {
		style := s.Style
		style.Hollow = style.Hollow || s.Markers[i].IsHollow
		if s.Markers[i].ErrorKind == plot.UnknownError {
			style.Colour = style.Colour.Faint()
		}
		page, isSVG := d.canvas.(*svg)
		if isSVG {
			page.tooltip = s.Markers[i].Tooltip
		}
		d.drawMarker(style, centre, d.radius())
		if isSVG {
			page.tooltip = ""
		}
	}
}

// errorBarEnds returns the ends of the error bar of a point.
func errorBarEnds(p plot.Data, b Box, m plot.Point) (low, high vg.Point) {
	if p.Y.IsCategorical {
		return pointAt(p, b, m.Lo, m.Y), pointAt(p, b, m.Hi, m.Y)
	}
	return pointAt(p, b, m.X, m.Lo), pointAt(p, b, m.X, m.Hi)
}

// arrow returns the bar of an interval that is unbounded above, with a head that points upwards or
// to the right. The bar begins at start. Its tip is half of size before end, so that it is visible
// inside the frame.
func arrow(start, end vg.Point, size vg.Length) vg.Path {
	across, direction := vg.Point{X: size}, vg.Point{Y: size}
	if start.X < end.X {
		across, direction = direction, across
	}
	tip := end.Sub(direction.Scale(0.5))
	left, right := tip.Sub(direction).Sub(across), tip.Sub(direction).Add(across)
	return append(Polyline(start, tip), Polyline(left, tip, right)...)
}

// drawRing draws theory as a ring, which fits around a marker and cannot be mistaken for a bar. The
// marker of the first series is a disc, so that its outline is a circle.
func (d *drawing) drawRing(centre vg.Point) {
	d.stroke(theme.NewSeriesStyle(0).Marker.Path(centre, ringRadius*d.radius()), theme.Ink, ringWidth, nil)
}

func (d *drawing) drawBar(s theme.SeriesStyle, b Box) {
	d.fill(Rectangle(b), s.Colour.Translucent())
	d.stroke(Rectangle(b), s.Colour, thinWidth, nil)
}

// dodgeOffset returns the offset by which a panel moves the markers of a series, so that they do
// not hide the markers of other series. The offset is along y if the y axis has categories.
// Otherwise it is along x, and 0 if the panel does not dodge markers.
func (d *drawing) dodgeOffset(p plot.Data, b Box, s plot.Series) vg.Point {
	isDodged := p.Y.IsCategorical || p.DodgeMarkers
	if d.seriesCount < 2 || !isDodged || p.SpreadMarkers {
		return vg.Point{}
	}
	steps := vg.Length(s.Index) - vg.Length(d.seriesCount-1)/2
	if !p.Y.IsCategorical {
		return vg.Point{X: 2.5 * d.radius() * steps}
	}
	categoryHeight := b.Height() / vg.Length(len(p.Categories))
	// At a distance of 3.7 radii, rings do not touch. All series together take at most half the
	// height of their category, so that categories remain distinct.
	distance := min(3.7*d.radius(), categoryHeight/2/vg.Length(d.seriesCount-1))
	if s.Name != nil { // each marker has a line of text beside it
		distance = max(distance, categoryHeight/2/vg.Length(d.seriesCount-1))
	}
	return vg.Point{Y: -distance * steps}
}

// radius returns the radius of a marker.
func (d *drawing) radius() vg.Length {
	if d.theme.Narrow {
		return 1.6
	}
	return 2
}

// drawMarker draws a marker. A pale or hollow marker hides the lines below it.
func (d *drawing) drawMarker(s theme.SeriesStyle, centre vg.Point, radius vg.Length) {
	path := s.Marker.Path(centre, radius)
	if s.Hollow || s.Colour.Paper.A < 255 {
		d.fill(path, theme.Paper)
	}
	if s.Hollow {
		d.stroke(path, s.Colour, barWidth, nil)
	} else {
		d.fill(path, s.Colour)
	}
}
