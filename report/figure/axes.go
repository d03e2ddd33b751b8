package figure

import (
	"gonum.org/v1/plot/vg"

	"mcsim/report/axis"
	"mcsim/report/digits"
	"mcsim/report/draw"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// axes draws the full frame, ticks inwards on all four sides, the labels of
// the ticks and of the axes. Only the lowest panel of a column labels its x
// axis.
func (d *drawing) axes(i int, b draw.Box) {
	p := d.panels[i]
	_, column := d.grid.at(i)
	d.xAxis(p, b, d.labelsX(i))
	d.yAxis(p, b, d.labelsY(i))
	d.stroke(draw.Rectangle(b), theme.Ink.Paper, frameWidth, nil)
	d.title(p.Title, b, d.lefts[column])
	d.write(p.Inside, vg.Point{X: b.Right - 0.6*d.text, Y: b.Top - 1.5*d.text}, 1)
	if d.grid.alike && !p.Wide {
		return // commonLabels writes them
	}
	// The label stands at the middle of the axis as drawn; gonum's own would
	// stand at the arithmetic middle of a logarithmic one.
	if p.Y.Label != "" && d.labelsY(i) {
		x := b.Left - d.widestTick(p, b.Height()) - 4 - 0.7*d.text
		d.writeUp(p.Y.Label, vg.Point{X: x, Y: (b.Bottom + b.Top) / 2})
	}
	if d.labelsX(i) { // below the middle of the axes, as far as the page goes
		half := label.WidthOf(p.X.Label, d.text) / 2
		middle := min((b.Left+b.Right)/2, d.w-margin-half)
		d.write(p.X.Label, vg.Point{X: max(middle, margin+half), Y: b.Bottom - 2.7*d.text}, 0.5)
	}
}

// xAxis draws the ticks of the x axis, below and above.
func (d *drawing) xAxis(p plot.Data, b draw.Box, labels bool) {
	ts := d.xTicks(p, b.Width())
	at := func(t axis.Tick) vg.Length { return b.X(p.ScaleX.Unit(t.At)) }
	d.clear(ts, at, func(t axis.Tick) vg.Length { return label.WidthOf(t.Label, d.text) + 0.4*d.text })
	for _, t := range ts {
		x, long := at(t), length(t)
		if p.Map == nil && len(p.Bars) == 0 && !p.OnZero() {
			d.tick(vg.Point{X: x, Y: b.Bottom}, vg.Point{X: x, Y: b.Bottom + long})
			d.tick(vg.Point{X: x, Y: b.Top}, vg.Point{X: x, Y: b.Top - long})
		} else { // inwards it would hide in the colours
			d.tick(vg.Point{X: x, Y: b.Bottom}, vg.Point{X: x, Y: b.Bottom - 2})
		}
		if labels && t.Label != "" {
			d.write(t.Label, vg.Point{X: x, Y: b.Bottom - 3 - 0.95*d.text}, 0.5)
		}
	}
}

// yAxis draws the ticks of the y axis, left and right, or the names of its
// rows.
func (d *drawing) yAxis(p plot.Data, b draw.Box, labels bool) {
	ts := d.yTicks(p, b.Height())
	at := func(t axis.Tick) vg.Length { return b.Y(p.ScaleY.Unit(t.At)) }
	d.clear(ts, at, func(axis.Tick) vg.Length { return 0.95 * d.text })
	for _, t := range ts {
		y, long := at(t), length(t)
		switch {
		case p.Map != nil || len(p.Bars) > 0:
			d.tick(vg.Point{X: b.Left, Y: y}, vg.Point{X: b.Left - 2, Y: y})
		case p.Y.Names: // hair lines lead from the names to their marks
		default:
			d.tick(vg.Point{X: b.Left, Y: y}, vg.Point{X: b.Left + long, Y: y})
			d.tick(vg.Point{X: b.Right, Y: y}, vg.Point{X: b.Right - long, Y: y})
		}
		if labels {
			d.write(t.Label, vg.Point{X: b.Left - 4, Y: y - d.text*capHeight/2}, 1)
		}
	}
}

// hairLines lead from the names of rows to their marks, and lie below them.
func (d *drawing) hairLines(p plot.Data, b draw.Box) {
	if !p.Y.Names || p.Map != nil || len(p.Bars) > 0 || p.Gates != nil {
		return
	}
	for _, t := range d.yTicks(p, b.Height()) {
		y := b.Y(p.ScaleY.Unit(t.At))
		d.stroke(vg.Path{draw.Move(b.Left, y), draw.LineTo(b.Right, y)}, theme.Translucent(theme.Quiet.Paper), frameWidth, nil)
	}
}

// clear takes away the labels that would touch the one before, each of which
// takes so much of the axis.
func (d *drawing) clear(ts []axis.Tick, at, size func(axis.Tick) vg.Length) {
	last := vg.Length(-1e9)
	for i := range ts {
		if ts[i].Label == "" {
			continue
		}
		half := size(ts[i]) / 2
		if at(ts[i])-half < last {
			ts[i].Label = ""
			continue
		}
		last = at(ts[i]) + half
	}
}

// length is that of a tick: one with a label is longer.
func length(t axis.Tick) vg.Length {
	if t.Label == "" {
		return tickShort
	}
	return tickLong
}

// tick draws the stroke of one.
func (d *drawing) tick(from, to vg.Point) {
	d.stroke(vg.Path{draw.Move(from.X, from.Y), draw.LineTo(to.X, to.Y)}, theme.Ink.Paper, frameWidth, nil)
}

// widestTick is the width of the widest label of the y axis at that height.
func (d *drawing) widestTick(p plot.Data, height vg.Length) (widest vg.Length) {
	for _, t := range d.yTicks(p, height) {
		widest = max(widest, label.WidthOf(t.Label, d.text))
	}
	return widest
}

// yTicks chooses the ticks of the y axis for that height.
func (d *drawing) yTicks(p plot.Data, height vg.Length) []axis.Tick {
	most := max(int(height/(2.6*d.text)), min(3, int(height/(1.5*d.text)))) // one tick says nothing of a range
	switch {
	case p.Y.Names:
		return p.NameTicks()
	case p.Map != nil:
		return axis.CellTicks(p.Map.Ys)
	case len(p.Bars) > 0: // of which the half says which label the median row has
		return axis.FractionTicks([]float64{0, 0.25, 0.5, 0.75, 1})
	case p.Y.Log:
		return axis.LogTicks(p.ScaleY, most, nil)
	}
	return axis.LinearTicks(p.ScaleY, most)
}

// xTicks chooses the ticks of the x axis for that width.
func (d *drawing) xTicks(p plot.Data, width vg.Length) []axis.Tick {
	switch {
	case p.Map != nil:
		return axis.CellTicks(p.Map.Xs)
	case p.X.At:
		return axis.FractionTicks(p.Xs)
	case p.X.Log && len(p.Xs) > 0:
		at := p.Xs
		if reached := p.Reached(); len(reached) > 0 { // between its ends a curve goes through what it needs to be smooth
			at = []float64{reached[0], reached[len(reached)-1]}
		}
		widest := label.WidthOf(digits.Short(at[len(at)-1]), d.text)
		return axis.LogTicks(p.ScaleX, int(width/(widest+d.text)), at)
	case p.X.Log:
		return axis.LogTicks(p.ScaleX, int(width/(5*d.text)), nil)
	}
	if p.Y.Names { // of a few values on either side of 0
		return axis.LinearTicks(p.ScaleX, int(width/(3*d.text)))
	}
	return axis.LinearTicks(p.ScaleX, int(width/(5*d.text)))
}
