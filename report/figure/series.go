package figure

import (
	"math"

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
		if !math.IsNaN(pt.Lo) {
			bar := vg.Path{draw.Move(from.X, from.Y), draw.LineTo(to.X, to.Y)}
			d.stroke(bar, s.Style.Colour, 0.8, nil)
			d.shows(bar)
		}
		d.shows(d.marker(s.Style, at, d.radius()))
	}
}

// dodge sets the series of a panel that shows small differences apart, within
// two thirds of the distance between neighbouring x, or of the row of a name.
func (d *drawing) dodge(p plot.Data, b draw.Box, s plot.Series) vg.Length {
	if d.count < 2 || !p.Apart() && !p.Y.Names {
		if s.OtherEstimator { // beside the marker of the direct estimator, never on it
			return 2.4 * d.radius()
		}
		return 0
	}
	room := b.Width()
	if p.Y.Names {
		room = b.Height() / vg.Length(len(p.RowNames))
	}
	for i := 1; i < len(p.Xs) && !p.Y.Names; i++ {
		room = min(room, b.X(p.ScaleX.Unit(p.Xs[i]))-b.X(p.ScaleX.Unit(p.Xs[i-1])))
	}
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
