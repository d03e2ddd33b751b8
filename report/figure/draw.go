package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// box is a rectangle, such as where the axes of a panel stand.
type box struct{ left, bottom, right, top vg.Length }

func (b box) x(u float64) vg.Length { return b.left + vg.Length(u)*(b.right-b.left) }
func (b box) y(u float64) vg.Length { return b.bottom + vg.Length(u)*(b.top-b.bottom) }
func (b box) width() vg.Length      { return b.right - b.left }
func (b box) height() vg.Length     { return b.top - b.bottom }

const (
	frameWidth = 0.7
	lineWidth  = 1.1
	thinWidth  = 0.6
	tickLong   = 3.6
	tickShort  = 2
	margin     = vg.Length(4)
)

// drawing is a figure on its way to a canvas. It notes where it puts words
// and data, so that a test can see what covers what.
type drawing struct {
	c      canvas
	look   Look
	w, h   vg.Length
	text   vg.Length // size of labels
	panels []plotted
	grid   grid
	lefts  []vg.Length // room to the left of the axes, by column
	count  int         // series of the whole figure

	written []box        // labels
	keys    []box        // the legend's rows
	data    [][]vg.Point // outlines and lines of what is measured or theory
}

func (d *drawing) all() {
	d.fill(rectangle(box{0, 0, d.w, d.h}), paper.paper)
	top := d.h - margin
	if legend := d.layLegend(entries(d.panels), d.w-2*margin); len(legend) > 0 {
		d.legend(legend, top)
		top -= vg.Length(len(legend))*d.legendLine() + 0.5*d.text
	}
	boxes := d.boxes(top)
	for i, b := range boxes {
		d.panel(i, b)
	}
	d.commonLabels(boxes)
	d.colourBar(boxes)
}

func (d *drawing) panel(i int, b box) {
	p := d.panels[i]
	if p.heat != nil {
		d.heatMap(p, b)
	}
	if p.stack != nil {
		d.stack(p, b)
	}
	d.band(p, b)
	if p.Level != nil && p.stack == nil {
		d.level(p, b)
	}
	if p.upright != nil {
		x := b.x(p.x.unit(p.upright.At))
		d.stroke(vg.Path{move(x, b.bottom), lineTo(x, b.top)}, quiet.paper, thinWidth, uprightDash)
	}
	for _, r := range slices.Backward(p.ribbons) {
		d.ribbon(p, b, r)
	}
	for _, l := range p.lines {
		d.line(p, b, l)
	}
	if p.heat != nil && p.Heat.Graded {
		d.grades(p, b)
	}
	for _, s := range slices.Backward(p.series) { // the first on top
		d.series(p, b, s)
	}
	d.axes(i, b)
	if p.Ends {
		d.ends(p, b)
	}
}

// heatMap draws the cells where they stand on the axes, which in small
// multiples may go farther.
func (d *drawing) heatMap(p plotted, b box) {
	x, _ := edges(p.X.Log, p.heat.xs)
	y, _ := edges(p.Y.Log, p.heat.ys)
	at := box{b.x(p.x.unit(x.lo)), b.y(p.y.unit(y.lo)), b.x(p.x.unit(x.hi)), b.y(p.y.unit(y.hi))}
	d.c.pixels(at, p.heat.image(p.X, p.Y))
	d.shows(rectangle(at))
}

// level draws the line of one value, across the axis of values.
func (d *drawing) level(p plotted, b box) {
	d.stroke(d.across(p, b), quiet.paper, thinWidth, nil)
}

func (d *drawing) across(p plotted, b box) vg.Path {
	if p.Y.Names {
		x := b.x(p.x.unit(p.Level.At))
		return vg.Path{move(x, b.bottom), lineTo(x, b.top)}
	}
	y := b.y(p.y.unit(p.Level.At))
	return vg.Path{move(b.left, y), lineTo(b.right, y)}
}

func (d *drawing) band(p plotted, b box) {
	if len(p.band) == 0 {
		return
	}
	first, last := p.band[0], p.band[len(p.band)-1]
	first.x, last.x = p.x.lo, p.x.hi // the tolerance does not end with the data
	d.fill(outlineOf(p, b, append(append([]limits{first}, p.band...), last)), shade.paper)
}

// ribbon draws a band of quantiles; its borders have the dashes of its
// series, so that bands that overlap are told apart without colour.
func (d *drawing) ribbon(p plotted, b box, r ribbon) {
	d.fill(outlineOf(p, b, r.at), r.veil())
	for _, end := range []func(limits) float64{func(l limits) float64 { return l.lo }, func(l limits) float64 { return l.hi }} {
		var path vg.Path
		for i, l := range r.at {
			at := vg.Point{X: b.x(p.x.unit(l.x)), Y: b.y(p.y.unit(end(l)))}
			if i == 0 {
				path.Move(at)
			} else {
				path.Line(at)
			}
		}
		d.stroke(path, r.style.colour, thinWidth, r.dash())
		d.shows(path)
	}
}

// outlineOf returns the border of a band.
func outlineOf(p plotted, b box, ls []limits) vg.Path {
	var path vg.Path
	for i, l := range ls {
		at := vg.Point{X: b.x(p.x.unit(l.x)), Y: b.y(p.y.unit(l.hi))}
		if i == 0 {
			path.Move(at)
		} else {
			path.Line(at)
		}
	}
	for _, l := range slices.Backward(ls) {
		path.Line(vg.Point{X: b.x(p.x.unit(l.x)), Y: b.y(p.y.unit(l.lo))})
	}
	path.Close()
	return path
}

// line draws theory from end to end of the data.
func (d *drawing) line(p plotted, b box, l line) {
	var path vg.Path
	for i, x := range l.xs {
		if !p.x.inside(x) || !p.y.inside(l.ys[i]) {
			continue
		}
		at := vg.Point{X: b.x(p.x.unit(x)), Y: b.y(p.y.unit(l.ys[i]))}
		if len(path) == 0 {
			path.Move(at)
		} else {
			path.Line(at)
		}
	}
	switch {
	case len(path) < 2:
		return
	case p.heat != nil:
		d.onColours(path, lineOnColours)
	default:
		d.stroke(path, l.style.colour, lineWidth, l.style.dash)
	}
	d.shows(path)
}

// onColours draws a line over a map or over bars: with a border of the colour
// of the page, so that it is seen on every colour of them.
func (d *drawing) onColours(path vg.Path, dash []vg.Length) {
	d.stroke(path, paper.paper, 2.6*lineWidth, nil)
	d.stroke(path, ink.paper, 1.2*lineWidth, dash)
}

// Dashes of lines that no series has.
var lineOnColours, uprightDash = []vg.Length{5, 2}, []vg.Length{3, 2}

func (d *drawing) series(p plotted, b box, s series) {
	slot := d.dodge(p, b, s)
	for _, pt := range s.points {
		shift := slot
		if !s.second && p.alone(pt) {
			shift = 0
		}
		at := vg.Point{X: b.x(p.x.unit(pt.x)), Y: b.y(p.y.unit(pt.y))}
		from, to := at, at
		if p.Y.Names {
			at.Y -= shift
			from, to = vg.Point{X: b.x(p.x.unit(pt.lo)), Y: at.Y}, vg.Point{X: b.x(p.x.unit(pt.hi)), Y: at.Y}
		} else {
			at.X += shift
			from, to = vg.Point{X: at.X, Y: b.y(p.y.unit(pt.lo))}, vg.Point{X: at.X, Y: b.y(p.y.unit(pt.hi))}
		}
		if !math.IsNaN(pt.lo) {
			bar := vg.Path{move(from.X, from.Y), lineTo(to.X, to.Y)}
			d.stroke(bar, s.style.colour, 0.8, nil)
			d.shows(bar)
		}
		d.shows(d.marker(s.style, at, d.radius()))
	}
}

// alone reports whether no other series has a point beside this one.
func (p plotted) alone(pt point) bool {
	n := 0
	for _, s := range p.series {
		if slices.ContainsFunc(s.points, func(o point) bool {
			if p.Y.Names {
				return o.y == pt.y
			}
			return o.x == pt.x
		}) {
			n++
		}
	}
	return n < 2
}

// dodge sets the series of a panel that shows small differences apart, within
// two thirds of the distance between neighbouring x, or of the row of a name.
func (d *drawing) dodge(p plotted, b box, s series) vg.Length {
	if d.count < 2 || !p.apart() && !p.Y.Names {
		if s.second { // beside the marker of the direct estimator, never on it
			return 2.4 * d.radius()
		}
		return 0
	}
	room := b.width()
	if p.Y.Names {
		room = b.height() / vg.Length(len(p.names))
	}
	for i := 1; i < len(p.xs) && !p.Y.Names; i++ {
		room = min(room, b.x(p.x.unit(p.xs[i]))-b.x(p.x.unit(p.xs[i-1])))
	}
	step := min(5, 0.72*room/vg.Length(d.count-1))
	return step * (vg.Length(s.place) - vg.Length(d.count-1)/2)
}

const markerRadius = vg.Length(2)

func (d *drawing) radius() vg.Length {
	if d.look.Narrow {
		return 1.6
	}
	return markerRadius
}

// marker draws one and returns its outline.
func (d *drawing) marker(s style, at vg.Point, r vg.Length) vg.Path {
	path := s.glyph.path(at, r)
	if s.hollow {
		d.fill(path, paper.paper)
		d.stroke(path, s.colour, 0.8, nil)
	} else {
		d.fill(path, s.colour)
	}
	return path
}

// shows notes what a figure is about.
func (d *drawing) shows(p vg.Path) {
	var points []vg.Point
	for _, c := range p {
		if c.Type != vg.CloseComp {
			points = append(points, c.Pos)
		}
	}
	d.data = append(d.data, points)
}

func (d *drawing) fill(p vg.Path, k color.NRGBA) { d.c.fill(p, d.look.shade(k)) }

func (d *drawing) stroke(p vg.Path, k color.NRGBA, width vg.Length, dash []vg.Length) {
	d.c.stroke(p, d.look.shade(k), width, dash)
}

// capHeight is how high a digit stands, in units of the em: half of it below
// a point sets a label at that point's height.
const capHeight = 0.69

// write draws a label with the given part of its width to the left of at:
// 0 starts there, 0.5 is centred, 1 ends there.
func (d *drawing) write(label string, at vg.Point, part float64) {
	s := set(label, d.text)
	at.X -= vg.Length(part) * s.width
	d.lay(s, at, false)
}

// writeUp draws a label from below to above, centred at the given point.
func (d *drawing) writeUp(label string, at vg.Point) {
	s := set(label, d.text)
	at.Y -= s.width / 2
	d.lay(s, at, true)
}

func (d *drawing) lay(s setting, at vg.Point, up bool) {
	if len(s.pieces) == 0 {
		return
	}
	d.c.words(s.pieces, at, up, d.look.shade(ink.paper))
	for _, r := range s.bars {
		p := transform(rectangle(r), func(q vg.Point) vg.Point { return place(at, up, q.X, q.Y) })
		d.fill(p, ink.paper)
	}
	a, b := place(at, up, 0, -s.bottom), place(at, up, s.width, s.top)
	d.written = append(d.written, box{min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X), max(a.Y, b.Y)})
}
