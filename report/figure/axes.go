package figure

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/draw"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// axes draws the full frame, ticks inwards on all four sides, the labels of
// the ticks and of the axes.
func (d *drawing) axes(i int, b draw.Box) {
	p := d.panels[i]
	d.xAxis(p, b, d.labelsX(i))
	d.yAxis(p, b, d.labelsY(i))
	d.stroke(draw.Rectangle(b), theme.Ink, frameWidth, nil)
	// The label stands at the middle of the axis as drawn; gonum's own would
	// stand at the arithmetic middle of a logarithmic one.
	if p.Y.Label != "" && d.labelsY(i) {
		x := b.Left - d.widestTick(p, b.Height()) - tickGap - 0.7*d.text
		d.writeUp(p.Y.Label, vg.Point{X: x, Y: (b.Bottom + b.Top) / 2})
	}
	d.title(p.Title, b, d.lefts[i%d.columns])
	if d.labelsX(i) {
		d.write(p.X.Label, vg.Point{X: d.onPage(p.X.Label, (b.Left+b.Right)/2), Y: b.Bottom - 2.7*d.text}, 0.5)
	}
}

// xAxis draws the ticks of the x axis, below and above.
func (d *drawing) xAxis(p plot.Data, b draw.Box, labels bool) {
	ts := d.xTicks(p, b.Width())
	at := func(t plot.Tick) vg.Length { return b.X(p.ScaleX.Unit(t.At)) }
	d.clear(ts, at, func(t plot.Tick) vg.Length { return label.WidthOf(t.Label, d.text) + 0.4*d.text })
	for _, t := range ts {
		x, long := at(t), length(t)
		if p.Cells == nil && !p.Bars() {
			d.line(x, b.Bottom, x, b.Bottom+long, theme.Ink, frameWidth, nil)
			d.line(x, b.Top, x, b.Top-long, theme.Ink, frameWidth, nil)
		} else { // inwards it would hide in the colours
			d.line(x, b.Bottom, x, b.Bottom-tickShort, theme.Ink, frameWidth, nil)
		}
		if labels && t.Label != "" {
			d.write(t.Label, vg.Point{X: d.onPage(t.Label, x), Y: b.Bottom - 3 - 0.95*d.text}, 0.5)
		}
	}
}

// yAxis draws the ticks of the y axis, left and right, or the names of its
// rows.
func (d *drawing) yAxis(p plot.Data, b draw.Box, labels bool) {
	ts := d.yTicks(p, b.Height())
	at := func(t plot.Tick) vg.Length { return b.Y(p.ScaleY.Unit(t.At)) }
	d.clear(ts, at, func(plot.Tick) vg.Length { return 0.95 * d.text })
	for _, t := range ts {
		y, long := at(t), length(t)
		switch {
		case p.Cells != nil:
			d.line(b.Left, y, b.Left-tickShort, y, theme.Ink, frameWidth, nil)
		case p.Y.Names: // hair lines lead from the names to their marks
		default:
			d.line(b.Left, y, b.Left+long, y, theme.Ink, frameWidth, nil)
			d.line(b.Right, y, b.Right-long, y, theme.Ink, frameWidth, nil)
		}
		if labels {
			d.write(t.Label, vg.Point{X: b.Left - tickGap, Y: y - d.text*capHeight/2}, 1)
		}
	}
}

// hairLines lead from the names of rows to their marks, and lie below them.
func (d *drawing) hairLines(p plot.Data, b draw.Box) {
	if !p.Y.Names {
		return
	}
	for _, t := range d.yTicks(p, b.Height()) {
		y := b.Y(p.ScaleY.Unit(t.At))
		d.line(b.Left, y, b.Right, y, theme.Quiet.Translucent(), frameWidth, nil)
	}
}

// clear takes away the labels that would touch the one before, each of which
// takes so much of the axis.
func (d *drawing) clear(ts []plot.Tick, at, size func(plot.Tick) vg.Length) {
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
func length(t plot.Tick) vg.Length {
	if t.Label == "" {
		return tickShort
	}
	return tickLong
}

// widestTick is the width of the widest label of the y axis at that height.
func (d *drawing) widestTick(p plot.Data, height vg.Length) (widest vg.Length) {
	for _, t := range d.yTicks(p, height) {
		widest = max(widest, label.WidthOf(t.Label, d.text))
	}
	return widest
}

// yTicks chooses the ticks of the y axis for that height.
func (d *drawing) yTicks(p plot.Data, height vg.Length) []plot.Tick {
	most := max(int(height/(2.6*d.text)), min(3, int(height/(1.5*d.text)))) // one tick says nothing of a range
	switch {
	case p.Y.Names:
		return p.NameTicks()
	case p.Cells != nil:
		return plot.CellTicks(p.Ys, len(p.Ys))
	case p.Y.Log:
		return plot.LogTicks(p.ScaleY, most, nil)
	}
	return plot.LinearTicks(p.ScaleY, most)
}

// xTicks chooses the ticks of the x axis for that width.
func (d *drawing) xTicks(p plot.Data, width vg.Length) []plot.Tick {
	switch {
	case p.Cells != nil:
		widest := label.WidthOf(digits.Fraction(p.Xs[len(p.Xs)-1]), d.text)
		return plot.CellTicks(p.Xs, int(width/(widest+0.4*d.text)))
	case p.X.Log && len(p.Xs) > 0:
		widest := label.WidthOf(digits.Short(p.Xs[len(p.Xs)-1]), d.text)
		return plot.LogTicks(p.ScaleX, int(width/(widest+d.text)), p.Xs)
	case p.X.Log:
		return plot.LogTicks(p.ScaleX, int(width/(5*d.text)), nil)
	}
	room := 4 * d.text
	if p.Bars() { // whose labels are short
		room = 1.3 * d.text
	}
	most := max(4, int(width/room))
	if !slices.ContainsFunc(p.Xs, func(x float64) bool { return x != math.Trunc(x) }) && len(p.Xs) > 2 {
		most = min(most, int(math.Ceil(p.ScaleX.Hi-p.ScaleX.Lo))) // no tick stands between ranks, steps or layers
	}
	for ; ; most-- {
		ts := plot.LinearTicks(p.ScaleX, most)
		last := len(ts) - 1
		if most <= 2 || last < 1 {
			return ts
		}
		apart := width * vg.Length(p.ScaleX.Unit(ts[1].At)-p.ScaleX.Unit(ts[0].At))
		if apart > label.WidthOf(ts[last].Label, d.text)+room/4 {
			return ts
		}
	}
}
