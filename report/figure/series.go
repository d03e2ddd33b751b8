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
	slot := d.dodge(p, b, s)
	lifts := d.lifts(p, b, s)
	for _, pt := range s.AtMost {
		top := place(p, b, pt.X, pt.Hi)
		d.arrow(s.Style.Colour, top, min(4.5*d.radius(), top.Y-b.Bottom))
	}
	for i, pt := range s.Points {
		at, from, to := place(p, b, pt.X, pt.Y), place(p, b, pt.X, pt.Lo), place(p, b, pt.X, pt.Hi)
		if p.Y.Names {
			from, to = place(p, b, pt.Lo, pt.Y), place(p, b, pt.Hi, pt.Y)
			off := lifts[i] - slot
			at.Y, from.Y, to.Y = at.Y+off, from.Y+off, to.Y+off
		}
		if s.Theory {
			d.theoryMark(at)
			continue
		}
		bar := vg.Path{draw.Move(from.X, from.Y), draw.LineTo(to.X, to.Y)}
		switch pt.Error {
		case plot.Interval:
			d.stroke(bar, s.Style.Colour, barWidth, nil)
		case plot.Roughly:
			d.stroke(bar, faint(s.Style.Colour), faintWidth, nil)
		}
		if pt.Error == plot.Unsure {
			d.pale(s.Style, at, d.radius())
		} else {
			style := s.Style
			style.Hollow = style.Hollow || pt.Open
			d.marker(style, at, d.radius())
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

// theoryMark is a ring around a marker, which nobody takes for a bar.
func (d *drawing) theoryMark(at vg.Point) {
	d.stroke(theme.SeriesStyleOf(0).Glyph.Path(at, 1.8*d.radius()), theme.Ink.Paper, ringWidth, nil)
}

// ringWidth is that of the line of a mark of theory.
const ringWidth = 0.75

// pale draws a marker of which no error is known: the same in a paler colour.
func (d *drawing) pale(s theme.SeriesStyle, at vg.Point, r vg.Length) {
	path := s.Glyph.Path(at, r)
	d.fill(path, theme.Paper.Paper)
	if !s.Hollow {
		d.fill(path, faint(s.Colour))
	} else {
		d.stroke(path, faint(s.Colour), faintWidth, nil)
	}
}

// arrow hangs from the upper end of the interval of a value of 0, which has no place on a
// logarithmic axis.
func (d *drawing) arrow(colour color.NRGBA, top vg.Point, long vg.Length) {
	wing, tip := 0.8*d.radius(), top.Y-long
	path := vg.Path{
		draw.Move(top.X-1.4*wing, top.Y), draw.LineTo(top.X+1.4*wing, top.Y),
		draw.Move(top.X, top.Y), draw.LineTo(top.X, tip),
		draw.Move(top.X-wing, tip+1.3*wing), draw.LineTo(top.X, tip), draw.LineTo(top.X+wing, tip+1.3*wing),
	}
	d.stroke(path, colour, barWidth, nil)
}

// join draws a line from marker to marker.
func (d *drawing) join(p plot.Data, b draw.Box, s plot.Series) {
	var path vg.Path
	for _, pt := range s.Points {
		follow(&path, place(p, b, pt.X, pt.Y))
	}
	if len(path) > 1 {
		d.stroke(path, s.Style.Colour, widthOf(s.Style), s.Style.Dash)
	}
}

// dodge sets the series of an axis of names apart, within two thirds of the row of a name.
func (d *drawing) dodge(p plot.Data, b draw.Box, s plot.Series) vg.Length {
	if d.count < 2 || !p.Y.Names {
		return 0
	}
	room := b.Height() / vg.Length(len(p.RowNames))
	step := min(3.7*d.radius(), 0.72*room/vg.Length(d.count-1)) // rings around them do not touch
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

// marker draws one.
func (d *drawing) marker(s theme.SeriesStyle, at vg.Point, r vg.Length) {
	path := s.Glyph.Path(at, r)
	if s.Hollow {
		d.fill(path, theme.Paper.Paper)
		d.stroke(path, s.Colour, 0.8, nil)
	} else {
		d.fill(path, s.Colour)
	}
}
