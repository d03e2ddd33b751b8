package figure

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// drawAxes draws the full frame, ticks inwards on all four sides, the labels of
// the ticks and of the axes, and the title.
func (d *drawing) drawAxes(i int, b Box) {
	p := d.panels[i]
	d.drawXAxis(p, b, d.labelsX(i))
	d.drawYAxis(p, b, d.labelsY(i))
	d.stroke(Rectangle(b), theme.Ink, frameWidth, nil)
	// The label is at the middle of the axis as drawn; gonum would put it at the arithmetic middle of
	// a logarithmic one.
	if p.Y.Label != "" && d.labelsY(i) {
		x := b.Left - d.widestTick(p, b.Height()) - tickGap - 0.7*d.text
		d.writeUp(p.Y.Label, vg.Point{X: x, Y: (b.Bottom + b.Top) / 2})
	}
	d.drawTitle(p.Title, b, d.lefts[i%d.columns])
	if d.labelsX(i) {
		d.write(p.X.Label, vg.Point{X: d.onPage(p.X.Label, (b.Left+b.Right)/2), Y: b.Bottom - 2.7*d.text}, 0.5)
	}
}

// drawXAxis draws the ticks of the x axis, below and above.
func (d *drawing) drawXAxis(p plot.Data, b Box, labels bool) {
	ticks := d.xTicks(p, b.Width())
	position := func(t plot.Tick) vg.Length { return b.X(p.ScaleX.Unit(t.At)) }
	dropTouchingLabels(ticks, position, func(t plot.Tick) vg.Length {
		return label.Width(t.Label, d.text) + 0.4*d.text
	})
	for _, t := range ticks {
		x, length := position(t), tickLength(t)
		if p.Cells == nil && !p.Bars() {
			d.tickLine(x, b.Bottom, x, b.Bottom+length)
			d.tickLine(x, b.Top, x, b.Top-length)
		} else { // inwards it would be hidden by the colours
			d.tickLine(x, b.Bottom, x, b.Bottom-tickShort)
		}
		if labels && t.Label != "" {
			d.write(t.Label, vg.Point{X: d.onPage(t.Label, x), Y: b.Bottom - 3 - 0.95*d.text}, 0.5)
		}
	}
}

// drawYAxis draws the ticks of the y axis, left and right, or the names of its
// rows.
func (d *drawing) drawYAxis(p plot.Data, b Box, labels bool) {
	ticks := d.yTicks(p, b.Height())
	position := func(t plot.Tick) vg.Length { return b.Y(p.ScaleY.Unit(t.At)) }
	dropTouchingLabels(ticks, position, func(plot.Tick) vg.Length { return 0.95 * d.text })
	for _, t := range ticks {
		y, length := position(t), tickLength(t)
		switch {
		case p.Cells != nil:
			d.tickLine(b.Left, y, b.Left-tickShort, y)
		case !p.Y.Names: // names have hair lines
			d.tickLine(b.Left, y, b.Left+length, y)
			d.tickLine(b.Right, y, b.Right-length, y)
		}
		if labels {
			d.write(t.Label, vg.Point{X: b.Left - tickGap, Y: y - d.text*capHeight/2}, 1)
		}
	}
}

// drawHairLines draws lines from the names of rows to their marks, which lie above them.
func (d *drawing) drawHairLines(p plot.Data, b Box) {
	if !p.Y.Names {
		return
	}
	for _, t := range d.yTicks(p, b.Height()) {
		y := b.Y(p.ScaleY.Unit(t.At))
		line := polyline(vg.Point{X: b.Left, Y: y}, vg.Point{X: b.Right, Y: y})
		d.stroke(line, theme.ReferenceInk.Translucent(), frameWidth, nil)
	}
}

// dropTouchingLabels removes labels that would touch the one before.
func dropTouchingLabels(ticks []plot.Tick, position, size func(plot.Tick) vg.Length) {
	last := vg.Length(-1e9)
	for i, t := range ticks {
		if t.Label == "" {
			continue
		}
		half := size(t) / 2
		if position(t)-half < last {
			ticks[i].Label = ""
			continue
		}
		last = position(t) + half
	}
}

// tickLength returns the length of a tick: one with a label is longer.
func tickLength(t plot.Tick) vg.Length {
	if t.Label == "" {
		return tickShort
	}
	return tickLong
}

// widestTick is the width of the widest label of the y axis at that height.
func (d *drawing) widestTick(p plot.Data, height vg.Length) (widest vg.Length) {
	for _, t := range d.yTicks(p, height) {
		widest = max(widest, label.Width(t.Label, d.text))
	}
	return widest
}

// yTicks chooses the ticks of the y axis for that height.
func (d *drawing) yTicks(p plot.Data, height vg.Length) []plot.Tick {
	// A low axis has up to three labels that are close, since one tick does not show a range.
	maxLabels := max(int(height/(2.6*d.text)), min(3, int(height/(1.5*d.text))))
	switch {
	case p.Y.Names:
		return p.NameTicks()
	case p.Cells != nil:
		return plot.CellTicks(p.Ys, len(p.Ys))
	case p.Y.Log:
		return plot.LogTicks(p.ScaleY, maxLabels, nil)
	}
	return plot.LinearTicks(p.ScaleY, maxLabels)
}

// xTicks chooses the ticks of the x axis for that width.
func (d *drawing) xTicks(p plot.Data, width vg.Length) []plot.Tick {
	switch {
	case p.Cells != nil:
		widest := label.Width(digits.Fraction(p.Xs[len(p.Xs)-1]), d.text)
		return plot.CellTicks(p.Xs, int(width/(widest+0.4*d.text)))
	case p.X.Log && len(p.Xs) > 0:
		widest := label.Width(digits.Short(p.Xs[len(p.Xs)-1]), d.text)
		return plot.LogTicks(p.ScaleX, int(width/(widest+d.text)), p.Xs)
	case p.X.Log:
		return plot.LogTicks(p.ScaleX, int(width/(5*d.text)), nil)
	}
	room := 4 * d.text
	if p.Bars() { // whose labels are short
		room = 1.3 * d.text
	}
	maxLabels := max(4, int(width/room))
	isFraction := func(x float64) bool { return x != math.Trunc(x) }
	if !slices.ContainsFunc(p.Xs, isFraction) && len(p.Xs) > 2 { // no tick between ranks, steps or layers
		maxLabels = min(maxLabels, int(math.Ceil(p.ScaleX.Hi-p.ScaleX.Lo)))
	}
	for ; ; maxLabels-- {
		ticks := plot.LinearTicks(p.ScaleX, maxLabels)
		last := len(ticks) - 1
		if maxLabels <= 2 || last < 1 {
			return ticks
		}
		distance := width * vg.Length(p.ScaleX.Unit(ticks[1].At)-p.ScaleX.Unit(ticks[0].At))
		if distance > label.Width(ticks[last].Label, d.text)+room/4 {
			return ticks
		}
	}
}
