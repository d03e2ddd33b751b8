package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
)

// box is where the axes of a panel stand.
type box struct{ left, bottom, right, top vg.Length }

func (b box) x(u float64) vg.Length { return b.left + vg.Length(u)*(b.right-b.left) }
func (b box) y(u float64) vg.Length { return b.bottom + vg.Length(u)*(b.top-b.bottom) }

const (
	frameWidth = 0.7
	lineWidth  = 1.1
	thinWidth  = 0.6
	tickLong   = 3.6
	tickShort  = 2
)

// drawing is a figure on its way to a canvas.
type drawing struct {
	c      vg.Canvas
	w, h   vg.Length
	panels []plotted
	count  int // series of the whole figure
}

func (d *drawing) all() {
	d.fill(rectangle(box{0, 0, d.w, d.h}), paper.paper)
	legend := layLegend(entries(d.panels), d.w-2*margin)
	top := d.h - margin
	if len(legend) > 0 {
		d.legend(legend, top)
		top -= vg.Length(len(legend))*legendLine + 4
	}
	for i, b := range d.boxes(top) {
		d.panel(d.panels[i], b, i == len(d.panels)-1)
	}
}

const margin = vg.Length(4)

// boxes divides the height below top among the panels. All share the left
// and right edges, so that the same d_k stands below itself.
func (d *drawing) boxes(top vg.Length) []box {
	const below, gap = 29, 8
	left, right := d.margins()
	var shares float64
	for _, p := range d.panels {
		shares += p.Share
	}
	room := top - below - gap*vg.Length(len(d.panels)-1)
	var out []box
	for _, p := range d.panels {
		height := room * vg.Length(p.Share/shares)
		out = append(out, box{left, top - height, d.w - right, top})
		top -= height + gap
	}
	return out
}

// margins measures what stands beside the axes: tick labels and the label of
// the axis on the left, names of lines on the right.
func (d *drawing) margins() (left, right vg.Length) {
	right = 8
	for _, p := range d.panels {
		var widest vg.Length
		for _, t := range d.yTicks(p, 150) {
			widest = max(widest, widthOf(t.label, textSize))
		}
		left = max(left, widest+textSize*1.25+12)
		if p.Ends {
			for _, e := range p.ends() {
				right = max(right, widthOf(e.label, textSize)+18)
			}
		}
	}
	return left, right
}

func (d *drawing) panel(p plotted, b box, last bool) {
	d.band(p, b)
	if p.Level != nil {
		d.stroke(vg.Path{move(b.left, b.y(p.y.unit(p.Level.Y))), lineTo(b.right, b.y(p.y.unit(p.Level.Y)))}, quiet.paper, thinWidth, nil)
	}
	for _, l := range p.lines {
		d.line(p, b, l)
	}
	for _, s := range slices.Backward(p.series) { // the first on top
		d.series(p, b, s)
	}
	d.axes(p, b, last)
	if p.Ends {
		d.ends(p, b)
	}
}

func (d *drawing) band(p plotted, b box) {
	if len(p.band) == 0 {
		return
	}
	first, last := p.band[0], p.band[len(p.band)-1]
	first.x, last.x = p.x.lo, p.x.hi // the tolerance does not end with the data
	all := append(append([]limits{first}, p.band...), last)
	var path vg.Path
	for i, l := range all {
		at := vg.Point{X: b.x(p.x.unit(l.x)), Y: b.y(p.y.unit(l.hi))}
		if i == 0 {
			path.Move(at)
		} else {
			path.Line(at)
		}
	}
	for i := len(all) - 1; i >= 0; i-- {
		path.Line(vg.Point{X: b.x(p.x.unit(all[i].x)), Y: b.y(p.y.unit(all[i].lo))})
	}
	path.Close()
	d.fill(path, shade.paper)
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
	if len(path) > 1 {
		d.stroke(path, l.style.colour, lineWidth, l.style.dash)
	}
}

func (d *drawing) series(p plotted, b box, s series) {
	shift := d.dodge(p, b, s)
	r := d.radius()
	for _, pt := range s.points {
		x := b.x(p.x.unit(pt.x)) + shift
		if !math.IsNaN(pt.lo) {
			lo, hi := b.y(p.y.unit(pt.lo)), b.y(p.y.unit(pt.hi))
			d.stroke(vg.Path{move(x, lo), lineTo(x, hi)}, s.style.colour, 0.8, nil)
		}
		d.marker(s.style, vg.Point{X: x, Y: b.y(p.y.unit(pt.y))}, r)
	}
}

// dodge sets the series of a panel that shows small differences apart, within
// two thirds of the distance between neighbouring x.
func (d *drawing) dodge(p plotted, b box, s series) vg.Length {
	if p.Points[0].In == nil || d.count < 2 {
		return 0
	}
	room := b.right - b.left
	for i := 1; i < len(p.xs); i++ {
		room = min(room, b.x(p.x.unit(p.xs[i]))-b.x(p.x.unit(p.xs[i-1])))
	}
	step := min(5, 0.72*room/vg.Length(d.count-1))
	return step * (vg.Length(s.place) - vg.Length(d.count-1)/2)
}

func (d *drawing) radius() vg.Length {
	if d.w < 300 {
		return 1.5
	}
	return 2
}

func (d *drawing) marker(s style, at vg.Point, r vg.Length) {
	path := s.glyph.path(at, r)
	if s.hollow {
		d.fill(path, paper.paper)
		d.stroke(path, s.colour, 0.8, nil)
		return
	}
	d.fill(path, s.colour)
}

func (d *drawing) fill(p vg.Path, k color.Color) {
	d.c.SetColor(k)
	d.c.Fill(p)
}

func (d *drawing) stroke(p vg.Path, k color.Color, width vg.Length, dash []vg.Length) {
	d.c.SetColor(k)
	d.c.SetLineWidth(width)
	d.c.SetLineDash(dash, 0)
	d.c.Stroke(p)
}

func move(x, y vg.Length) vg.PathComp {
	return vg.PathComp{Type: vg.MoveComp, Pos: vg.Point{X: x, Y: y}}
}

func lineTo(x, y vg.Length) vg.PathComp {
	return vg.PathComp{Type: vg.LineComp, Pos: vg.Point{X: x, Y: y}}
}

func rectangle(b box) vg.Path {
	return vg.Path{move(b.left, b.bottom), lineTo(b.right, b.bottom), lineTo(b.right, b.top),
		lineTo(b.left, b.top), {Type: vg.CloseComp}}
}

func (d *drawing) yTicks(p plotted, height vg.Length) []tick {
	most := int(height / 22)
	if p.Y.Log {
		return logTicks(p.y, most, nil)
	}
	return linearTicks(p.y, most)
}

func (d *drawing) xTicks(p plotted, width vg.Length) []tick {
	switch {
	case p.X.At:
		return fractionTicks(p.xs)
	case p.X.Log:
		widest := widthOf(digits.Short(p.xs[len(p.xs)-1]), textSize)
		return logTicks(p.x, int(width/(widest+9)), p.xs)
	}
	return linearTicks(p.x, int(width/40))
}
