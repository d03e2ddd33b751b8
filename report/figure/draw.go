package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
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
	margin     = vg.Length(4)
)

// drawing is a figure on its way to a canvas.
type drawing struct {
	c      draw.Canvas
	in     theme.Theme
	w, h   vg.Length
	text   vg.Length // size of labels
	panels []plot.Data
	grid   grid
	lefts  []vg.Length // room to the left of the axes, by column
	count  int         // series of the whole figure
}

// paper lays the paper on a canvas that has none.
func (d *drawing) paper(c draw.Canvas) {
	c.Fill(draw.Rectangle(draw.Box{Right: d.w, Top: d.h}), d.in.Shade(theme.Paper.Paper))
}

// draw puts the figure on a canvas: the legend, the panels, and what they share.
func (d *drawing) draw(c draw.Canvas) {
	d.c = c
	legend := d.layLegend(entries(d.panels), d.w-2*margin)
	d.legend(legend, d.h-margin)
	boxes := d.boxes(d.below(legend))
	for i, b := range boxes {
		d.panel(i, b)
	}
	d.commonLabels(boxes)
}

// panel draws what a panel shows from back to front, then its axes.
func (d *drawing) panel(i int, b draw.Box) {
	p := d.panels[i]
	if p.Map != nil {
		d.heatMap(p, b)
	}
	if len(p.Bars) > 0 {
		d.stack(p, b)
	}
	if p.Gates != nil {
		d.strips(p, b)
	}
	d.band(p, b)
	d.hairLines(p, b)
	for _, l := range p.Guides {
		d.stroke(levelPath(p, b, l), levelColour(l), thinWidth, l.Dash)
	}
	for _, r := range slices.Backward(p.Ribbons) {
		d.ribbon(p, b, r)
	}
	for _, l := range p.Theory {
		d.line(p, b, l)
	}
	d.traces(p, b)
	if p.Map != nil {
		d.markedRow(p, b)
		d.grades(p, b)
	}
	for _, theory := range []bool{true, false} { // below all that is measured
		for _, s := range p.Series {
			if s.Joined {
				d.join(p, b, s)
			}
		}
		for _, s := range slices.Backward(p.Series) { // the first on top
			if s.Theory == theory {
				d.series(p, b, s)
			}
		}
	}
	d.axes(i, b)
	for _, y := range p.Zeros {
		d.write("0, off the axis", vg.Point{X: b.Left + 4, Y: b.Y(p.ScaleY.Unit(y)) - d.text*capHeight/2}, 0)
	}
	if p.Ends {
		d.ends(p, b)
	}
}

// heatMap draws the cells, which fill the axes, each over the edges of the one before: no
// seam is seen between them.
func (d *drawing) heatMap(p plot.Data, b draw.Box) {
	for _, c := range p.Map.Cells {
		low, high := place(p, b, c.Column-0.5, c.Row-0.5), place(p, b, c.Column+0.5, c.Row+0.5)
		d.c.Fill(draw.Rectangle(draw.Box{Left: low.X, Bottom: low.Y, Right: min(high.X+seam, b.Right), Top: min(high.Y+seam, b.Top)}), d.in.ColourAt(c.Colour))
	}
}

// seam is how far a cell reaches below the next.
const seam = vg.Length(0.3)

// levelPath is a line at a value, across the axis of values or upright.
func levelPath(p plot.Data, b draw.Box, l plot.Level) vg.Path {
	if p.Y.Names || l.Upright {
		x := b.X(p.ScaleX.Unit(l.At))
		return vg.Path{draw.Move(x, b.Bottom), draw.LineTo(x, b.Top)}
	}
	y := b.Y(p.ScaleY.Unit(l.At))
	return vg.Path{draw.Move(b.Left, y), draw.LineTo(b.Right, y)}
}

// levelColour is quiet where the line has dashes.
func levelColour(l plot.Level) color.NRGBA {
	if len(l.Dash) > 0 {
		return theme.Quiet.Paper
	}
	return theme.Ink.Paper
}

// band draws the tolerance of the gates: over x, or in each row of names.
func (d *drawing) band(p plot.Data, b draw.Box) {
	if len(p.Tolerance) == 0 {
		return
	}
	if p.Y.Names {
		for i := 0; i < len(p.Tolerance); i++ {
			l := p.Tolerance[i]
			low, high := place(p, b, l.Lo, l.X-0.5), place(p, b, l.Hi, l.X+0.5)
			for ; i+1 < len(p.Tolerance) && p.Tolerance[i+1] == (plot.Limits{X: p.Tolerance[i].X + 1, Lo: l.Lo, Hi: l.Hi}); i++ {
				high = place(p, b, l.Hi, p.Tolerance[i+1].X+0.5) // equal ones are one band
			}
			d.fill(draw.Rectangle(draw.Box{Left: low.X, Bottom: low.Y, Right: high.X, Top: high.Y}), theme.Shade.Paper)
		}
		return
	}
	first, last := p.Tolerance[0], p.Tolerance[len(p.Tolerance)-1]
	first.X, last.X = p.ScaleX.Lo, p.ScaleX.Hi // the tolerance does not end with the data
	d.fill(outlineOf(p, b, append(append([]plot.Limits{first}, p.Tolerance...), last)), theme.Shade.Paper)
}

// ribbon draws a band; its borders have the dashes of its series, so that bands that
// overlap are told apart without colour.
func (d *drawing) ribbon(p plot.Data, b draw.Box, r plot.Ribbon) {
	d.fill(outlineOf(p, b, r.At), theme.Translucent(r.Style.Colour))
	for _, path := range edges(p, b, r.At) {
		d.stroke(path, r.Style.Colour, thinWidth, r.Style.Dash)
	}
}

// edges are the lower and the upper border of a band.
func edges(p plot.Data, b draw.Box, ls []plot.Limits) (paths [2]vg.Path) {
	for _, l := range ls {
		follow(&paths[0], place(p, b, l.X, l.Lo))
		follow(&paths[1], place(p, b, l.X, l.Hi))
	}
	return paths
}

// outlineOf returns the border of a band.
func outlineOf(p plot.Data, b draw.Box, ls []plot.Limits) vg.Path {
	var path vg.Path
	for _, l := range ls {
		follow(&path, place(p, b, l.X, l.Hi))
	}
	for _, l := range slices.Backward(ls) {
		follow(&path, place(p, b, l.X, l.Lo))
	}
	path.Close()
	return path
}

// place is where a value stands between the axes.
func place(p plot.Data, b draw.Box, x, y float64) vg.Point {
	return vg.Point{X: b.X(p.ScaleX.Unit(x)), Y: b.Y(p.ScaleY.Unit(y))}
}

// follow goes on to a point, or begins there.
func follow(path *vg.Path, to vg.Point) {
	if len(*path) == 0 {
		path.Move(to)
	} else {
		path.Line(to)
	}
}

// line draws theory from end to end of the data.
func (d *drawing) line(p plot.Data, b draw.Box, l plot.Line) {
	path := linePath(p, b, l)
	if len(path) > 1 {
		d.stroke(path, l.Style.Colour, widthOf(l.Style), l.Style.Dash)
	}
}

// widthOf is that of a line of a series.
func widthOf(s theme.SeriesStyle) vg.Length {
	if s.Strong {
		return 1.8 * lineWidth
	}
	return lineWidth
}

// linePath is a line of theory between the axes.
func linePath(p plot.Data, b draw.Box, l plot.Line) (path vg.Path) {
	for i, x := range l.Xs {
		if p.ScaleX.Inside(x) && p.ScaleY.Inside(l.Ys[i]) {
			follow(&path, place(p, b, x, l.Ys[i]))
		}
	}
	return path
}

func (d *drawing) fill(p vg.Path, k color.NRGBA) { d.c.Fill(p, d.in.Shade(k)) }

// stroke draws a line in the colour that the theme has for it.
func (d *drawing) stroke(p vg.Path, k color.NRGBA, width vg.Length, dash []vg.Length) {
	d.c.Stroke(p, d.in.Shade(k), width, dash)
}

// capHeight is how high a digit stands, in units of the em: half of it below
// a point sets a label at that point's height.
const capHeight = 0.69

// write draws a label with the given part of its width to the left of at:
// 0 starts there, 0.5 is centred, 1 ends there.
func (d *drawing) write(words string, at vg.Point, part float64) {
	s := label.Set(words, d.text)
	at.X -= vg.Length(part) * s.Width
	d.lay(s, at, false)
}

// writeUp draws a label from below to above, centred at the given point.
func (d *drawing) writeUp(words string, at vg.Point) {
	s := label.Set(words, d.text)
	at.Y -= s.Width / 2
	d.lay(s, at, true)
}

// lay puts a label on the canvas.
func (d *drawing) lay(s label.Setting, at vg.Point, up bool) {
	if len(s.Pieces) == 0 {
		return
	}
	d.c.Words(s.Pieces, at, up, d.in.Shade(theme.Ink.Paper))
	for _, r := range s.Bars {
		p := draw.Transform(draw.Rectangle(draw.Box{Left: r.Min.X, Bottom: r.Min.Y, Right: r.Max.X, Top: r.Max.Y}), func(q vg.Point) vg.Point { return draw.Place(at, up, q.X, q.Y) })
		d.fill(p, theme.Ink.Paper)
	}
}
