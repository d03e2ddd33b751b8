package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

const (
	frameWidth = 0.7
	lineWidth  = 1.1
	thinWidth  = 0.6
	tickLong   = 3.6
	tickShort  = 2
	tickGap    = vg.Length(6) // from the axis to the labels of its ticks, next to which a ring has room
	margin     = vg.Length(4)
)

// drawing is a figure that is drawn on a canvas in a theme.
type drawing struct {
	canvas  Canvas
	theme   theme.Theme
	palette *palette // of an SVG for light and dark pages, else nil
	w, h    vg.Length
	text    vg.Length // size of labels
	panels  []plot.Data
	columns int         // of panels
	lefts   []vg.Length // room to the left of the axes, by column
	series  int         // number of series of the whole figure
}

// draw draws the legend and the panels.
func (d *drawing) draw(c Canvas) {
	d.canvas = c
	legend := d.layLegend(entries(d.panels), d.w-2*margin)
	d.drawLegend(legend, d.h-margin)
	for i, b := range d.boxes(d.belowLegend(legend)) {
		d.drawPanel(i, b)
	}
}

// drawPanel draws a panel from back to front, then its axes.
func (d *drawing) drawPanel(i int, b Box) {
	p := d.panels[i]
	d.drawCells(p, b)
	d.drawHairLines(p, b)
	for _, l := range p.Guides {
		d.stroke(levelPath(p, b, l), levelColour(l), thinWidth, l.Dash)
	}
	for _, r := range slices.Backward(p.Ribbons) {
		d.drawRibbon(p, b, r)
	}
	for _, l := range p.Curves {
		d.drawCurve(p, b, l)
	}
	for _, theory := range []bool{true, false} { // theory below what is measured
		for _, s := range slices.Backward(p.Series) { // the first on top
			if s.Theory == theory {
				d.drawSeries(p, b, s)
			}
		}
	}
	d.drawNames(p, b)
	d.drawAxes(i, b)
}

// drawNames writes the names of markers next to, below or above them, if there is room.
func (d *drawing) drawNames(p plot.Data, b Box) {
	var named []plot.Point
	for _, s := range p.Series {
		for _, m := range s.Marks {
			if m.Name != "" {
				named = append(named, m)
			}
		}
	}
	if len(named) == 0 {
		return
	}
	taken := d.takenBoxes(p, b, named)
	freeBoxes := func(m plot.Point) []Box {
		return slices.DeleteFunc(d.nameBoxes(p, b, m), func(candidate Box) bool {
			return !b.contains(candidate) || slices.ContainsFunc(taken, candidate.overlaps)
		})
	}
	for len(named) > 0 { // the one with the fewest free boxes first
		next := 0
		for i, m := range named {
			if len(freeBoxes(m)) < len(freeBoxes(named[next])) {
				next = i
			}
		}
		if free := freeBoxes(named[next]); len(free) > 0 {
			box := free[0]
			taken = append(taken, box)
			d.write(named[next].Name, vg.Point{X: box.Left, Y: (box.Bottom + box.Top - d.text*capHeight) / 2}, 0)
		}
		named = slices.Delete(named, next, next+1)
	}
}

// takenBoxes returns boxes around the named markers and along the curves.
func (d *drawing) takenBoxes(p plot.Data, b Box, named []plot.Point) (taken []Box) {
	const steps = 16 // of a line between two points
	size := d.radius()
	around := func(at vg.Point, size vg.Length) Box {
		return Box{Left: at.X - size, Right: at.X + size, Bottom: at.Y - size, Top: at.Y + size}
	}
	for _, m := range named {
		taken = append(taken, around(place(p, b, m.X, m.Y), size))
	}
	for _, l := range p.Curves {
		for i := 1; i < len(l.Xs); i++ {
			from, to := place(p, b, l.Xs[i-1], l.Ys[i-1]), place(p, b, l.Xs[i], l.Ys[i])
			for j := range steps {
				part := vg.Length(j) / steps
				point := vg.Point{X: from.X + part*(to.X-from.X), Y: from.Y + part*(to.Y-from.Y)}
				taken = append(taken, around(point, size/2))
			}
		}
	}
	return taken
}

// nameBoxes returns the boxes in which the name of a marker may be, the best first: to its right, to
// its left, below and above.
func (d *drawing) nameBoxes(p plot.Data, b Box, m plot.Point) (boxes []Box) {
	at, size, width := place(p, b, m.X, m.Y), d.radius(), label.Width(m.Name, d.text)
	line := d.text + size
	for _, offset := range []vg.Point{
		{X: 2 * size}, {X: -2*size - width}, {X: -width / 2, Y: -line}, {X: -width / 2, Y: line},
	} {
		left, y := at.X+offset.X, at.Y+offset.Y
		boxes = append(boxes, Box{Left: left, Right: left + width, Bottom: y - 0.6*d.text, Top: y + 0.6*d.text})
	}
	return boxes
}

// drawCells draws a map, which fills the axes, each cell over the edges of the one before, so that
// no seam is visible between them. The label of a cell is in its middle.
func (d *drawing) drawCells(p plot.Data, b Box) {
	const seam = vg.Length(0.3) // by which a cell extends below the next
	for _, c := range p.Cells {
		low, high := place(p, b, c.Column-0.5, c.Row-0.5), place(p, b, c.Column+0.5, c.Row+0.5)
		cell := Box{Left: low.X, Bottom: low.Y, Right: min(high.X+seam, b.Right), Top: min(high.Y+seam, b.Top)}
		d.fill(Rectangle(cell), c.Colour)
	}
	for _, c := range p.Cells {
		d.drawGrade(c.Colour, c.Label.Mark, place(p, b, c.Column, c.Row))
	}
}

// drawGrade writes the letter of a label around a point of a coloured ground.
func (d *drawing) drawGrade(ground theme.Swatch, letter string, at vg.Point) {
	const size = 0.8 // in units of that of labels
	s := label.Typeset(letter, size*d.text)
	at.X -= s.Width / 2
	at.Y -= size * d.text * capHeight / 2
	ink := theme.Swatch{Paper: theme.ContrastingInk(ground.Paper), Dark: theme.ContrastingInk(ground.Dark)}
	d.canvas.Words(s.Pieces, at, false, d.colour("fill", ink))
}

// levelPath is a line at a value, across the axis of values or upright.
func levelPath(p plot.Data, b Box, l plot.Level) vg.Path {
	if p.Y.Names || l.Upright {
		x := b.X(p.ScaleX.Unit(l.Value))
		return polyline(vg.Point{X: x, Y: b.Bottom}, vg.Point{X: x, Y: b.Top})
	}
	y := b.Y(p.ScaleY.Unit(l.Value))
	return polyline(vg.Point{X: b.Left, Y: y}, vg.Point{X: b.Right, Y: y})
}

// levelColour is quiet for a dashed line.
func levelColour(l plot.Level) theme.Swatch {
	if len(l.Dash) > 0 {
		return theme.ReferenceInk
	}
	return theme.Ink
}

// drawRibbon draws a band. Its borders have the dashes of its series, so that overlapping bands can
// be told apart without colour.
func (d *drawing) drawRibbon(p plot.Data, b Box, r plot.Ribbon) {
	var low, high []vg.Point
	for _, l := range r.At {
		low = append(low, place(p, b, l.X, l.Lo))
		high = append(high, place(p, b, l.X, l.Hi))
	}
	outline := polyline(high...)
	for _, point := range slices.Backward(low) {
		outline.Line(point)
	}
	outline.Close()
	d.fill(outline, r.Style.Colour.Translucent())
	for _, border := range [][]vg.Point{low, high} {
		d.stroke(polyline(border...), r.Style.Colour, thinWidth, r.Style.Dash)
	}
}

// place returns the point of a value between the axes.
func place(p plot.Data, b Box, x, y float64) vg.Point {
	return vg.Point{X: b.X(p.ScaleX.Unit(x)), Y: b.Y(p.ScaleY.Unit(y))}
}

// drawCurve draws a line. One through single rows is thin and ends with a marker.
func (d *drawing) drawCurve(p plot.Data, b Box, l plot.Line) {
	var points []vg.Point
	for i, x := range l.Xs {
		points = append(points, place(p, b, x, l.Ys[i]))
	}
	if l.IsData {
		d.stroke(polyline(points...), l.Style.Colour, thinWidth, nil)
		d.drawMarker(l.Style, points[len(points)-1], 0.8*d.radius())
	} else {
		d.stroke(polyline(points...), l.Style.Colour, widthOf(l.Style), l.Style.Dash)
	}
}

// widthOf is the width of a line of a series.
func widthOf(s theme.SeriesStyle) vg.Length {
	if s.Thick {
		return 1.8 * lineWidth
	}
	return lineWidth
}

// colour returns a colour for an attribute, fill or stroke.
func (d *drawing) colour(attribute string, k theme.Swatch) color.NRGBA {
	if d.palette != nil {
		return d.palette.colour(attribute, k)
	}
	return d.theme.Colour(k)
}

func (d *drawing) fill(p vg.Path, k theme.Swatch) { d.canvas.Fill(p, d.colour("fill", k)) }

func (d *drawing) stroke(p vg.Path, k theme.Swatch, width vg.Length, dash []vg.Length) {
	d.canvas.Stroke(p, d.colour("stroke", k), width, dash)
}

// tickLine draws a straight line of the frame.
func (d *drawing) tickLine(x1, y1, x2, y2 vg.Length) {
	d.stroke(polyline(vg.Point{X: x1, Y: y1}, vg.Point{X: x2, Y: y2}), theme.Ink, frameWidth, nil)
}

// capHeight is the height of a digit in em: half of it below a point sets a label at that point's
// height.
const capHeight = 0.69

// write draws a label with the given part of its width to the left of at:
// 0 starts there, 0.5 is centred, 1 ends there.
func (d *drawing) write(words string, at vg.Point, part float64) {
	s := label.Typeset(words, d.text)
	at.X -= vg.Length(part) * s.Width
	d.drawLabel(s, at, false)
}

// writeUp draws a label from bottom to top, centred at the given point.
func (d *drawing) writeUp(words string, at vg.Point) {
	s := label.Typeset(words, d.text)
	at.Y -= s.Width / 2
	d.drawLabel(s, at, true)
}

func (d *drawing) drawLabel(s label.Layout, at vg.Point, up bool) {
	if len(s.Pieces) == 0 {
		return
	}
	d.canvas.Words(s.Pieces, at, up, d.colour("fill", theme.Ink))
	onPage := func(q vg.Point) vg.Point { return pointOfLabel(at, up, q.X, q.Y) }
	for _, bar := range s.Bars {
		d.fill(transform(bar.Path(), onPage), theme.Ink)
	}
}
