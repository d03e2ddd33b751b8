package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// series draws the markers of a series with their intervals.
func (d *drawing) series(p plot.Data, b draw.Box, s plot.Series) {
	slot, shared := d.dodge(p, b, s), p.Shared()
	lifts := d.lifts(p, b, s)
	for i, pt := range s.Points {
		shift := slot
		if !s.OtherEstimator && shared[p.Place(pt)] < 2 {
			shift = 0
		}
		at := vg.Point{X: b.X(p.ScaleX.Unit(pt.X)), Y: b.Y(p.ScaleY.Unit(pt.Y))}
		var from, to vg.Point
		if p.Y.Names {
			at.Y += lifts[i] - shift
			from, to = vg.Point{X: b.X(p.ScaleX.Unit(pt.Lo)), Y: at.Y}, vg.Point{X: b.X(p.ScaleX.Unit(pt.Hi)), Y: at.Y}
		} else {
			at.X += shift
			from, to = vg.Point{X: at.X, Y: b.Y(p.ScaleY.Unit(pt.Lo))}, vg.Point{X: at.X, Y: b.Y(p.ScaleY.Unit(pt.Hi))}
		}
		if s.Theory {
			d.shows(d.theoryMark(at, p.Y.Names))
			continue
		}
		bar := vg.Path{draw.Move(from.X, from.Y), draw.LineTo(to.X, to.Y)}
		switch pt.Error {
		case plot.Interval:
			d.stroke(bar, s.Style.Colour, barWidth, nil)
			d.shows(bar)
		case plot.Roughly:
			d.stroke(bar, faint(s.Style.Colour), faintWidth, nil)
			d.shows(bar)
		}
		switch {
		case pt.Crossed:
			d.shows(d.cross(s.Style, at, d.radius(), pt.Error == plot.Unsure))
		case pt.Error == plot.Unsure:
			d.shows(d.pale(s.Style, at, d.radius()))
		default:
			d.shows(d.marker(s.Style, at, d.radius()))
		}
	}
}

// Widths of the bars of intervals, and of those of a standard error alone.
const barWidth, faintWidth = 0.8, 0.5

// faint is the colour of what is less certain.
func faint(k color.NRGBA) color.NRGBA {
	k.A = 150
	return k
}

// theoryMark is a stroke across the axis of values, longer than a marker is wide, so that
// it is seen behind one.
func (d *drawing) theoryMark(at vg.Point, names bool) vg.Path {
	half := 2.4 * d.radius()
	stroke := vg.Path{draw.Move(at.X-half, at.Y), draw.LineTo(at.X+half, at.Y)}
	if names {
		stroke = vg.Path{draw.Move(at.X, at.Y-half), draw.LineTo(at.X, at.Y+half)}
	}
	d.stroke(stroke, theme.Ink.Paper, lineWidth, nil)
	return stroke
}

// cross draws a marker that is crossed out, in a paler colour where no error is known.
func (d *drawing) cross(s theme.SeriesStyle, at vg.Point, r vg.Length, pale bool) vg.Path {
	path := vg.Path{draw.Move(at.X-r, at.Y-r), draw.LineTo(at.X+r, at.Y+r), draw.Move(at.X-r, at.Y+r), draw.LineTo(at.X+r, at.Y-r)}
	colour := s.Colour
	if pale {
		colour = faint(colour)
	}
	d.stroke(path, colour, lineWidth, nil)
	return path
}

// pale draws a marker of which no error is known: an outline with a tint of its colour.
func (d *drawing) pale(s theme.SeriesStyle, at vg.Point, r vg.Length) vg.Path {
	path := s.Glyph.Path(at, r)
	d.fill(path, theme.Paper.Paper)
	d.fill(path, theme.Translucent(s.Colour))
	d.stroke(path, faint(s.Colour), faintWidth, nil)
	return path
}

// dodge sets the series of an axis of names apart, within two thirds of the row of a name.
func (d *drawing) dodge(p plot.Data, b draw.Box, s plot.Series) vg.Length {
	if d.count < 2 || !p.Y.Names {
		if s.OtherEstimator { // beside the marker of the direct estimator, never on it
			return 2.4 * d.radius()
		}
		return 0
	}
	room := b.Height() / vg.Length(len(p.RowNames))
	step := min(5, 0.72*room/vg.Length(d.count-1))
	return step * (vg.Length(s.Place) - vg.Length(d.count-1)/2)
}

const markerRadius = vg.Length(2)

// radius is that of a marker.
func (d *drawing) radius() vg.Length {
	if d.in.Narrow {
		return 1.6
	}
	return markerRadius
}

// marker draws one and returns its outline.
func (d *drawing) marker(s theme.SeriesStyle, at vg.Point, r vg.Length) vg.Path {
	path := s.Glyph.Path(at, r)
	if s.Hollow {
		d.fill(path, theme.Paper.Paper)
		d.stroke(path, s.Colour, 0.8, nil)
	} else {
		d.fill(path, s.Colour)
	}
	return path
}
