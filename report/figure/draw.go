package figure

import (
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
	tickGap    = vg.Length(6) // from the axis to the labels of its ticks, beside which a ring has room
	margin     = vg.Length(4)
)

// drawing is a figure on its way to a canvas.
type drawing struct {
	c       draw.Canvas
	in      theme.Theme
	w, h    vg.Length
	text    vg.Length // size of labels
	panels  []plot.Data
	columns int         // of panels
	lefts   []vg.Length // room to the left of the axes, by column
	count   int         // series of the whole figure
}

// draw puts the figure on a canvas: the legend and the panels.
func (d *drawing) draw(c draw.Canvas) {
	d.c = c
	legend := d.layLegend(entries(d.panels), d.w-2*margin)
	d.legend(legend, d.h-margin)
	for i, b := range d.boxes(d.below(legend)) {
		d.panel(i, b)
	}
}

// panel draws what a panel shows from back to front, then its axes.
func (d *drawing) panel(i int, b draw.Box) {
	p := d.panels[i]
	d.cells(p, b)
	d.hairLines(p, b)
	for _, l := range p.Guides {
		d.stroke(levelPath(p, b, l), levelColour(l), thinWidth, l.Dash)
	}
	for _, r := range slices.Backward(p.Ribbons) {
		d.ribbon(p, b, r)
	}
	for _, l := range p.Curves {
		d.curve(p, b, l)
	}
	for _, theory := range []bool{true, false} { // below all that is measured
		for _, s := range slices.Backward(p.Series) { // the first on top
			if s.Theory == theory {
				d.series(p, b, s)
			}
		}
	}
	d.names(p, b)
	d.axes(i, b)
}

// names writes what markers are called beside, below or above them, where there is room.
func (d *drawing) names(p plot.Data, b draw.Box) {
	var called []plot.Point
	var taken []draw.Box // by markers and curves, and then by names
	size := d.radius()
	around := func(at vg.Point, size vg.Length) {
		taken = append(taken, draw.Box{Left: at.X - size, Right: at.X + size, Bottom: at.Y - size, Top: at.Y + size})
	}
	for _, s := range p.Series {
		for _, m := range s.Marks {
			if at := place(p, b, m.X, m.Y); m.Called != "" {
				called = append(called, m)
				around(at, size)
			}
		}
	}
	if len(called) == 0 {
		return
	}
	const steps = 16 // of a line between two points
	for _, l := range p.Curves {
		for i := 1; i < len(l.Xs); i++ {
			from, to := place(p, b, l.Xs[i-1], l.Ys[i-1]), place(p, b, l.Xs[i], l.Ys[i])
			for j := range steps {
				part := vg.Length(j) / steps
				around(vg.Point{X: from.X + part*(to.X-from.X), Y: from.Y + part*(to.Y-from.Y)}, size/2)
			}
		}
	}
	rooms := func(m plot.Point) (free []draw.Box) {
		at, width, line := place(p, b, m.X, m.Y), label.Set(m.Called, d.text).Width, d.text+size
		for _, by := range []vg.Point{{X: 2 * size}, {X: -2*size - width}, {X: -width / 2, Y: -line}, {X: -width / 2, Y: line}} {
			left, y := at.X+by.X, at.Y+by.Y
			room := draw.Box{Left: left, Right: left + width, Bottom: y - 0.6*d.text, Top: y + 0.6*d.text}
			if room.Left >= b.Left && room.Right <= b.Right && room.Bottom >= b.Bottom && room.Top <= b.Top && !slices.ContainsFunc(taken, room.Meets) {
				free = append(free, room)
			}
		}
		return free
	}
	for len(called) > 0 { // the one with the least room first
		next := 0
		for i, m := range called {
			if len(rooms(m)) < len(rooms(called[next])) {
				next = i
			}
		}
		if free := rooms(called[next]); len(free) > 0 {
			taken = append(taken, free[0])
			d.write(called[next].Called, vg.Point{X: free[0].Left, Y: (free[0].Bottom + free[0].Top - d.text*capHeight) / 2}, 0)
		}
		called = slices.Delete(called, next, next+1)
	}
}

// cells draws a map, which fills the axes, each cell over the edges of the one before: no
// seam is seen between them. The label of a cell stands in its middle.
func (d *drawing) cells(p plot.Data, b draw.Box) {
	const seam = vg.Length(0.3) // how far a cell reaches below the next
	for _, c := range p.Cells {
		low, high := place(p, b, c.Column-0.5, c.Row-0.5), place(p, b, c.Column+0.5, c.Row+0.5)
		cell := draw.Box{Left: low.X, Bottom: low.Y, Right: min(high.X+seam, b.Right), Top: min(high.Y+seam, b.Top)}
		d.fill(draw.Rectangle(cell), c.Colour)
	}
	for _, c := range p.Cells {
		d.mark(c.Colour, c.Label.Mark, place(p, b, c.Column, c.Row))
	}
}

// mark writes the mark of a label around a point of a ground.
func (d *drawing) mark(ground theme.Swatch, mark string, at vg.Point) {
	const size = 0.8 // in units of that of labels
	s := label.Set(mark, size*d.text)
	at.X -= s.Width / 2
	at.Y -= size * d.text * capHeight / 2
	d.c.Words(s.Pieces, at, false, theme.InkOn(d.in.Of(ground)))
}

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
func levelColour(l plot.Level) theme.Swatch {
	if len(l.Dash) > 0 {
		return theme.Quiet
	}
	return theme.Ink
}

// ribbon draws a band; its borders have the dashes of its series, so that bands that
// overlap are told apart without colour.
func (d *drawing) ribbon(p plot.Data, b draw.Box, r plot.Ribbon) {
	var low, high []vg.Point
	for _, l := range r.At {
		low, high = append(low, place(p, b, l.X, l.Lo)), append(high, place(p, b, l.X, l.Hi))
	}
	back := slices.Clone(low)
	slices.Reverse(back)
	outline := through(append(slices.Clone(high), back...))
	outline.Close()
	d.fill(outline, r.Style.Colour.Translucent())
	for _, border := range [][]vg.Point{low, high} {
		d.stroke(through(border), r.Style.Colour, thinWidth, r.Style.Dash)
	}
}

// place is where a value stands between the axes.
func place(p plot.Data, b draw.Box, x, y float64) vg.Point {
	return vg.Point{X: b.X(p.ScaleX.Unit(x)), Y: b.Y(p.ScaleY.Unit(y))}
}

// through is the path from point to point.
func through(points []vg.Point) (path vg.Path) {
	for i, at := range points {
		if i == 0 {
			path.Move(at)
		} else {
			path.Line(at)
		}
	}
	return path
}

// curve draws a line; one that was drawn is thin and has a marker where it ends.
func (d *drawing) curve(p plot.Data, b draw.Box, l plot.Line) {
	var points []vg.Point
	for i, x := range l.Xs {
		points = append(points, place(p, b, x, l.Ys[i]))
	}
	if l.Drawn {
		d.stroke(through(points), l.Style.Colour, thinWidth, nil)
		d.marker(l.Style, points[len(points)-1], 0.8*d.radius())
	} else {
		d.stroke(through(points), l.Style.Colour, widthOf(l.Style), l.Style.Dash)
	}
}

// widthOf is that of a line of a series.
func widthOf(s theme.SeriesStyle) vg.Length {
	if s.Strong {
		return 1.8 * lineWidth
	}
	return lineWidth
}

func (d *drawing) fill(p vg.Path, k theme.Swatch) { d.c.Fill(p, d.in.Of(k)) }

// stroke draws a path in the colour that the theme has for it.
func (d *drawing) stroke(p vg.Path, k theme.Swatch, width vg.Length, dash []vg.Length) {
	d.c.Stroke(p, d.in.Of(k), width, dash)
}

// line draws a straight one.
func (d *drawing) line(x1, y1, x2, y2 vg.Length, k theme.Swatch, width vg.Length, dash []vg.Length) {
	d.stroke(vg.Path{draw.Move(x1, y1), draw.LineTo(x2, y2)}, k, width, dash)
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
	d.c.Words(s.Pieces, at, up, d.in.Of(theme.Ink))
	for _, r := range s.Bars {
		d.fill(draw.Transform(r.Path(), func(q vg.Point) vg.Point { return draw.Place(at, up, q.X, q.Y) }), theme.Ink)
	}
}
