package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// Lengths are in points. Distances without a name are multiples of the size of the text. They were
// chosen by eye, so that labels do not touch; TestConformanceLabels checks that.
const (
	frameWidth = 0.7
	lineWidth  = 1.1
	thinWidth  = 0.6
	tickLong   = 3.6
	tickShort  = 2
	tickGap    = vg.Length(6) // distance between the axis and its tick labels; a ring fits into it
	margin     = vg.Length(4)
)

// drawing is a figure that is being drawn on a canvas in a theme.
type drawing struct {
	canvas      Canvas
	theme       theme.Theme
	palette     *palette // colours of an SVG for light and dark pages; nil for other files
	w, h        vg.Length
	textSize    vg.Length // size of labels
	panels      []plot.Data
	columns     int         // columns of panels
	leftRooms   []vg.Length // room for labels to the left of the axes, by column
	seriesCount int         // number of series of the whole figure
	message     string

	// These fields are set by layOut.
	plainHeight  vg.Length // height without the list
	axes         []Box     // axes of the panels
	legend, list [][]entry // lines of the legend, and of the names of markers below the axes
	notes        []note
	listHeight   vg.Length
	endColumn    int       // column of panels whose lines have labels at their ends
	endRoom      vg.Length // room for these labels; 0 if there are none
}

func (d *drawing) draw(c Canvas) {
	d.canvas = c
	d.drawLegend(d.legend, d.h-margin)
	d.drawLegend(d.list, d.listHeight)
	for i, b := range d.axes {
		d.drawPanel(i, b)
	}
}

// drawPanel draws a panel from back to front, then its axes.
func (d *drawing) drawPanel(i int, b Box) {
	p := d.panels[i]
	d.drawCells(p, b)
	d.drawHairLines(p, b)
	d.drawLines(p, b)
	for _, n := range d.notes {
		if n.panel == i {
			if len(n.leader) > 0 {
				d.stroke(n.leader, theme.ReferenceInk, frameWidth/2, nil)
			}
			d.write(n.words, vg.Point{X: n.box.Left, Y: (n.box.Bottom + n.box.Top - d.textSize*capHeight) / 2}, 0)
		}
	}
	d.drawAxes(i, b)
}

// drawLines draws the bands, guide lines, curves and series of a panel.
func (d *drawing) drawLines(p plot.Data, b Box) {
	for _, r := range slices.Backward(p.Ribbons) {
		d.drawRibbon(p, b, r)
	}
	for _, l := range p.Guides {
		d.stroke(guidePath(p, b, l), guideColour(l), thinWidth, l.Dash)
	}
	for _, l := range p.Curves {
		d.drawCurve(p, b, l)
	}
	for _, isTheory := range []bool{true, false} { // measured points hide theory
		for _, s := range slices.Backward(p.Series) { // the first series hides the others
			if s.IsTheory == isTheory {
				d.drawSeries(p, b, s)
			}
		}
	}
}

// drawCells draws a heat map, which fills the axes, with the label of each cell at its centre.
// Each cell overlaps the next, so that no seam is visible between them.
func (d *drawing) drawCells(p plot.Data, b Box) {
	const seam = vg.Length(0.3) // width of the overlap
	for _, c := range p.HeatCells {
		low, high := pointAt(p, b, c.Column-0.5, c.Row-0.5), pointAt(p, b, c.Column+0.5, c.Row+0.5)
		cell := Box{Left: low.X, Bottom: low.Y, Right: min(high.X+seam, b.Right), Top: min(high.Y+seam, b.Top)}
		d.fill(Rectangle(cell), c.Colour)
	}
	for _, c := range p.HeatCells {
		d.drawGrade(c.Colour, c.Grade.Letter, pointAt(p, b, c.Column, c.Row))
	}
}

// drawGrade writes the letter of a grade, centred at a point of a coloured background.
func (d *drawing) drawGrade(background theme.Swatch, letter string, centre vg.Point) {
	const size = 0.8 // relative to the size of labels
	s := label.Typeset(letter, size*d.textSize)
	origin := vg.Point{X: centre.X - s.Width/2, Y: centre.Y - size*d.textSize*capHeight/2}
	ink := theme.Swatch{
		Paper: theme.ContrastingInk(background.Paper),
		Dark:  theme.ContrastingInk(background.Dark),
	}
	d.canvas.DrawLabel(s.Pieces, origin, false, d.colour("fill", ink))
}

// guidePath returns the path of a guide line through the panel.
func guidePath(p plot.Data, b Box, g plot.Guide) vg.Path {
	if p.Y.IsCategorical || g.IsVertical {
		x := b.X(p.ScaleX.Position(g.Value))
		return Polyline(vg.Point{X: x, Y: b.Bottom}, vg.Point{X: x, Y: b.Top})
	}
	y := b.Y(p.ScaleY.Position(g.Value))
	return Polyline(vg.Point{X: b.Left, Y: y}, vg.Point{X: b.Right, Y: y})
}

func guideColour(g plot.Guide) theme.Swatch {
	if len(g.Dash) > 0 {
		return theme.ReferenceInk
	}
	return theme.Ink
}

// drawRibbon draws a band. Its borders have the dashes of its series, which distinguish overlapping
// bands without colour.
func (d *drawing) drawRibbon(p plot.Data, b Box, r plot.Ribbon) {
	var low, high []vg.Point
	for _, l := range r.Limits {
		low = append(low, pointAt(p, b, l.X, l.Lo))
		high = append(high, pointAt(p, b, l.X, l.Hi))
	}
	outline := Polyline(high...)
	for _, point := range slices.Backward(low) {
		outline.Line(point)
	}
	outline.Close()
	d.fill(outline, r.Style.Colour.Translucent())
	for _, border := range [][]vg.Point{low, high} {
		d.stroke(Polyline(border...), r.Style.Colour, thinWidth, r.Style.Dash)
	}
}

// pointAt returns the point at (x, y) of a panel.
func pointAt(p plot.Data, b Box, x, y float64) vg.Point {
	return vg.Point{X: b.X(p.ScaleX.Position(x)), Y: b.Y(p.ScaleY.Position(y))}
}

// drawCurve draws a line. A line of data is thin and ends with a marker.
func (d *drawing) drawCurve(p plot.Data, b Box, l plot.Line) {
	var points []vg.Point
	for i, x := range l.Xs {
		points = append(points, pointAt(p, b, x, l.Ys[i]))
	}
	if l.IsData {
		d.stroke(Polyline(points...), l.Style.Colour, thinWidth, nil)
		d.drawMarker(l.Style, points[len(points)-1], 0.8*d.radius())
	} else {
		d.stroke(Polyline(points...), l.Style.Colour, strokeWidth(l.Style), l.Style.Dash)
	}
}

func strokeWidth(s theme.SeriesStyle) vg.Length {
	if s.Thick {
		return 1.8 * lineWidth
	}
	return lineWidth
}

// colour returns the colour of a swatch for an attribute of SVG, either fill or stroke.
func (d *drawing) colour(attribute string, swatch theme.Swatch) color.NRGBA {
	if d.palette != nil {
		return d.palette.colour(attribute, swatch)
	}
	return d.theme.Colour(swatch)
}

func (d *drawing) fill(p vg.Path, swatch theme.Swatch) { d.canvas.Fill(p, d.colour("fill", swatch)) }

func (d *drawing) stroke(p vg.Path, swatch theme.Swatch, width vg.Length, dash []vg.Length) {
	d.canvas.Stroke(p, d.colour("stroke", swatch), width, dash)
}

func (d *drawing) tickLine(x1, y1, x2, y2 vg.Length) {
	d.stroke(Polyline(vg.Point{X: x1, Y: y1}, vg.Point{X: x2, Y: y2}), theme.Ink, frameWidth, nil)
}

// capHeight is the height of a digit in em. A label is centred at a height y if its base line is
// capHeight/2 below y.
const capHeight = 0.69

// write draws a label with its base line at p.Y. The given fraction of its width is to the left of
// p.X: 0 draws a label that starts at p.X, 0.5 a centred label, and 1 a label that ends at p.X.
func (d *drawing) write(words string, p vg.Point, fraction float64) {
	s := d.typeset(words)
	p.X -= vg.Length(fraction) * s.Width
	d.drawLabel(s, p, false)
}

// typeset lays out a label in the size and the language of the theme.
func (d *drawing) typeset(words string) label.Layout {
	return label.Typeset(d.theme.Text(words), d.textSize)
}

func (d *drawing) width(words string) vg.Length { return d.typeset(words).Width }

// writeUp draws a label from bottom to top, with its base line at p.X and its centre at p.Y.
func (d *drawing) writeUp(words string, p vg.Point) {
	s := d.typeset(words)
	p.Y -= s.Width / 2
	d.drawLabel(s, p, true)
}

func (d *drawing) drawLabel(s label.Layout, origin vg.Point, rotated bool) {
	if len(s.Pieces) == 0 {
		return
	}
	d.canvas.DrawLabel(s.Pieces, origin, rotated, d.colour("fill", theme.Ink))
	onPage := func(q vg.Point) vg.Point { return labelPoint(origin, rotated, q.X, q.Y) }
	for _, bar := range s.Bars {
		d.fill(transform(bar.Path(), onPage), theme.Ink)
	}
}
