package figure

import "gonum.org/v1/plot/vg"

// axes draws the full frame, ticks inwards on all four sides, the labels of
// the ticks and of the axes. Only the lowest panel labels its x axis.
func (d *drawing) axes(p plotted, b box, last bool) {
	xs, ys := d.xTicks(p, b.right-b.left), d.yTicks(p, b.top-b.bottom)
	for _, t := range xs {
		x, long := b.x(p.x.unit(t.at)), length(t)
		d.tick(vg.Point{X: x, Y: b.bottom}, vg.Point{X: x, Y: b.bottom + long})
		d.tick(vg.Point{X: x, Y: b.top}, vg.Point{X: x, Y: b.top - long})
		if last && t.label != "" {
			write(d.c, t.label, vg.Point{X: x, Y: b.bottom - textSize - 3}, 0.5, ink.paper)
		}
	}
	var widest vg.Length
	for _, t := range ys {
		y, long := b.y(p.y.unit(t.at)), length(t)
		d.tick(vg.Point{X: b.left, Y: y}, vg.Point{X: b.left + long, Y: y})
		d.tick(vg.Point{X: b.right, Y: y}, vg.Point{X: b.right - long, Y: y})
		write(d.c, t.label, vg.Point{X: b.left - 4, Y: y - textSize*0.34}, 1, ink.paper)
		widest = max(widest, widthOf(t.label, textSize))
	}
	d.stroke(rectangle(b), ink.paper, frameWidth, nil)
	// The label stands at the middle of the axis as drawn; gonum's own would
	// stand at the arithmetic middle of a logarithmic one.
	writeUp(d.c, p.Y.Label, vg.Point{X: margin + textSize*0.8, Y: (b.bottom + b.top) / 2}, ink.paper)
	if last {
		write(d.c, p.X.Label, vg.Point{X: (b.left + b.right) / 2, Y: margin + 2.5}, 0.5, ink.paper)
	}
}

func length(t tick) vg.Length {
	if t.label == "" {
		return tickShort
	}
	return tickLong
}

func (d *drawing) tick(from, to vg.Point) {
	d.stroke(vg.Path{move(from.X, from.Y), lineTo(to.X, to.Y)}, ink.paper, frameWidth, nil)
}
