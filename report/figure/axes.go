package figure

import (
	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
)

// axes draws the full frame, ticks inwards on all four sides, the labels of
// the ticks and of the axes. Only the lowest panel of a column labels its x
// axis.
func (d *drawing) axes(i int, b box) {
	p := d.panels[i]
	d.xAxis(p, b, d.labelsX(i))
	d.yAxis(p, b, d.labelsY(i))
	d.stroke(rectangle(b), ink.paper, frameWidth, nil)
	if p.Title != "" {
		d.write(p.Title, vg.Point{X: (b.left + b.right) / 2, Y: b.top + 0.5*d.text}, 0.5)
	}
	if d.grid.alike {
		return // commonLabels writes them
	}
	// The label stands at the middle of the axis as drawn; gonum's own would
	// stand at the arithmetic middle of a logarithmic one.
	if p.Y.Label != "" {
		x := b.left - d.lefts[i%d.grid.columns] + margin + 0.8*d.text
		d.writeUp(p.Y.Label, vg.Point{X: x, Y: (b.bottom + b.top) / 2})
	}
	if d.labelsX(i) {
		d.write(p.X.Label, vg.Point{X: (b.left + b.right) / 2, Y: b.bottom - 2.7*d.text}, 0.5)
	}
}

func (d *drawing) xAxis(p plotted, b box, labels bool) {
	ts := d.xTicks(p, b.width())
	at := func(t tick) vg.Length { return b.x(p.x.unit(t.at)) }
	d.clear(ts, at, func(t tick) vg.Length { return widthOf(t.label, d.text) + 0.4*d.text })
	for _, t := range ts {
		x, long := at(t), length(t)
		if p.heat == nil && p.stack == nil {
			d.tick(vg.Point{X: x, Y: b.bottom}, vg.Point{X: x, Y: b.bottom + long})
			d.tick(vg.Point{X: x, Y: b.top}, vg.Point{X: x, Y: b.top - long})
		} else { // inwards it would hide in the colours
			d.tick(vg.Point{X: x, Y: b.bottom}, vg.Point{X: x, Y: b.bottom - 2})
		}
		if labels && t.label != "" {
			d.write(t.label, vg.Point{X: x, Y: b.bottom - 3 - 0.95*d.text}, 0.5)
		}
	}
}

func (d *drawing) yAxis(p plotted, b box, labels bool) {
	ts := d.yTicks(p, b.height())
	at := func(t tick) vg.Length { return b.y(p.y.unit(t.at)) }
	d.clear(ts, at, func(tick) vg.Length { return 0.95 * d.text })
	for _, t := range ts {
		y, long := at(t), length(t)
		switch {
		case p.heat != nil || p.stack != nil:
			d.tick(vg.Point{X: b.left, Y: y}, vg.Point{X: b.left - 2, Y: y})
		case p.Y.Names: // a hair line leads from the name to its mark
			d.stroke(vg.Path{move(b.left, y), lineTo(b.right, y)}, shade.paper, frameWidth, nil)
		default:
			d.tick(vg.Point{X: b.left, Y: y}, vg.Point{X: b.left + long, Y: y})
			d.tick(vg.Point{X: b.right, Y: y}, vg.Point{X: b.right - long, Y: y})
		}
		if labels {
			d.write(t.label, vg.Point{X: b.left - 4, Y: y - d.text*capHeight/2}, 1)
		}
	}
}

// clear takes away the labels that would touch the one before, each of which
// takes so much of the axis.
func (d *drawing) clear(ts []tick, at, size func(tick) vg.Length) {
	last := vg.Length(-1e9)
	for i := range ts {
		if ts[i].label == "" {
			continue
		}
		half := size(ts[i]) / 2
		if at(ts[i])-half < last {
			ts[i].label = ""
			continue
		}
		last = at(ts[i]) + half
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

func (d *drawing) yTicks(p plotted, height vg.Length) []tick {
	most := int(height / (2.6 * d.text))
	switch {
	case p.Y.Names:
		return nameTicks(p.names)
	case p.Y.At:
		return fractionTicks(p.ys())
	case p.Y.Log:
		return logTicks(p.y, most, p.ys())
	}
	return linearTicks(p.y, most)
}

// ys are the values of an axis that a map divides; other panels have none.
func (p plotted) ys() []float64 {
	if p.heat == nil {
		return nil
	}
	return p.heat.ys
}

func (d *drawing) xTicks(p plotted, width vg.Length) []tick {
	switch {
	case p.X.Limits:
		return d.limitTicks(p, int(width/(3*d.text)))
	case p.X.At:
		return fractionTicks(p.xs)
	case p.X.Log && len(p.xs) > 0:
		at := p.xs
		if reached := p.reached(); len(reached) > 0 {
			at = reached
		}
		widest := widthOf(digits.Short(at[len(at)-1]), d.text)
		return logTicks(p.x, int(width/(widest+d.text)), at)
	case p.X.Log:
		return logTicks(p.x, int(width/(5*d.text)), nil)
	}
	return linearTicks(p.x, int(width/(5*d.text)))
}
