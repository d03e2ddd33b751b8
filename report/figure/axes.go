package figure

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// drawAxes draws the axes of a panel, their ticks and labels, and its title.
func (d *drawing) drawAxes(i int, b Box) {
	p := d.panels[i]
	d.drawXAxis(p, b, d.hasXLabels(i))
	d.drawYAxis(p, b, d.hasYLabels(i))
	corner := vg.Point{X: b.Left, Y: b.Bottom}
	frame := Polyline(vg.Point{X: b.Left, Y: b.Top}, corner, vg.Point{X: b.Right, Y: b.Bottom})
	d.stroke(frame, theme.Ink, frameWidth, nil)
	if p.Y.Label != "" && d.hasYLabels(i) {
		x := b.Left - d.widestTick(p, b.Height()) - tickGap - 0.7*d.textSize
		d.writeUp(p.Y.Label, vg.Point{X: x, Y: (b.Bottom + b.Top) / 2})
	}
	d.drawTitle(p.Title, b)
	if d.hasXLabels(i) {
		d.write(p.X.Label, vg.Point{X: d.clampToPage(p.X.Label, (b.Left+b.Right)/2), Y: b.Bottom - 2.7*d.textSize}, 0.5)
	}
}

// drawXAxis draws the ticks of the x axis, and their labels below it.
func (d *drawing) drawXAxis(p plot.Data, b Box, showLabels bool) {
	ticks := d.xTicks(p, b.Width())
	position := func(t plot.Tick) vg.Length { return b.X(p.ScaleX.Position(t.Value)) }
	dropTouchingLabels(ticks, position, func(t plot.Tick) vg.Length { return d.width(t.Label) + 0.4*d.textSize })
	for _, t := range ticks {
		x, end := position(t), b.Bottom+tickLength(t)
		if p.HeatCells != nil || p.HasBars() || p.Y.IsCategorical { // inside the frame, marks would hide the tick
			end = b.Bottom - tickShort
		}
		d.tickLine(x, b.Bottom, x, end)
		if showLabels {
			d.write(t.Label, vg.Point{X: d.clampToPage(t.Label, x), Y: b.Bottom - 3 - 0.95*d.textSize}, 0.5)
		}
	}
}

// drawYAxis draws the ticks of the y axis, and their labels to the left of it. Categories have hair
// lines in place of ticks.
func (d *drawing) drawYAxis(p plot.Data, b Box, showLabels bool) {
	ticks := d.yTicks(p, b.Height())
	position := func(t plot.Tick) vg.Length { return b.Y(p.ScaleY.Position(t.Value)) }
	dropTouchingLabels(ticks, position, func(plot.Tick) vg.Length { return 0.95 * d.textSize })
	for _, t := range ticks {
		y, end := position(t), b.Left+tickLength(t)
		if p.HeatCells != nil {
			end = b.Left - tickShort
		}
		if !p.Y.IsCategorical {
			d.tickLine(b.Left, y, end, y)
		}
		if showLabels {
			lines := d.breakTick(t.Label)
			for i, words := range lines {
				shift := 0.6*vg.Length(len(lines)-1-2*i) - capHeight/2
				d.write(words, vg.Point{X: b.Left - tickGap, Y: y + shift*d.textSize}, 1)
			}
		}
	}
}

// drawHairLines draws a thin line through each category.
func (d *drawing) drawHairLines(p plot.Data, b Box) {
	if !p.Y.IsCategorical {
		return
	}
	for _, t := range d.yTicks(p, b.Height()) {
		y := b.Y(p.ScaleY.Position(t.Value))
		line := Polyline(vg.Point{X: b.Left, Y: y}, vg.Point{X: b.Right, Y: y})
		d.stroke(line, theme.ReferenceInk.Translucent(), frameWidth, nil)
	}
}

// dropTouchingLabels removes each label that would touch the label before it.
func dropTouchingLabels(ticks []plot.Tick, position, size func(plot.Tick) vg.Length) {
	previousEnd := vg.Length(math.Inf(-1))
	for i, t := range ticks {
		if t.Label == "" {
			continue
		}
		halfSize := size(t) / 2
		if position(t)-halfSize < previousEnd {
			ticks[i].Label = ""
			continue
		}
		previousEnd = position(t) + halfSize
	}
}

func tickLength(t plot.Tick) vg.Length {
	if t.Label == "" {
		return tickShort
	}
	return tickLong
}

// breakTick returns the lines of a label of the y axis: a label of more than half of the width of the
// figure is broken after its commas.
func (d *drawing) breakTick(words string) []string {
	if d.width(words) > d.w/2 {
		return strings.SplitAfter(words, ", ")
	}
	return []string{words}
}

// widestTick returns the width of the widest label of the y axis for a panel's height.
func (d *drawing) widestTick(p plot.Data, height vg.Length) (widest vg.Length) {
	for _, t := range d.yTicks(p, height) {
		for _, words := range d.breakTick(t.Label) {
			widest = max(widest, d.width(words))
		}
	}
	return widest
}

// yTicks returns the ticks of the y axis for a panel's height.
func (d *drawing) yTicks(p plot.Data, height vg.Length) []plot.Tick {
	// The labels of a short axis may be closer together, since one label does not show a scale.
	maxLabels := max(int(height/(2.6*d.textSize)), min(3, int(height/(1.5*d.textSize))))
	switch {
	case p.Y.IsCategorical:
		return p.CategoryTicks()
	case p.HeatCells != nil:
		return plot.CellTicks(p.Ys, len(p.Ys))
	case p.Y.Log:
		return plot.LogTicks(p.ScaleY, maxLabels, nil)
	}
	return plot.LinearTicks(p.ScaleY, maxLabels)
}

// xTicks returns the ticks of the x axis for a panel's width.
func (d *drawing) xTicks(p plot.Data, width vg.Length) []plot.Tick {
	switch {
	case p.HeatCells != nil:
		widest := d.width(digits.Fraction(p.Xs[len(p.Xs)-1]))
		return plot.CellTicks(p.Xs, int(width/(widest+0.4*d.textSize)))
	case p.X.Log && len(p.Xs) > 0:
		widest := d.width(digits.Short(p.Xs[len(p.Xs)-1]))
		return plot.LogTicks(p.ScaleX, int(width/(widest+d.textSize)), p.Xs)
	case p.X.Log:
		return plot.LogTicks(p.ScaleX, int(width/(5*d.textSize)), nil)
	}
	room := 4 * d.textSize
	if p.HasBars() { // their labels are short
		room = 1.3 * d.textSize
	}
	maxLabels := max(4, int(width/room))
	isFraction := func(x float64) bool { return x != math.Trunc(x) }
	if !slices.ContainsFunc(p.Xs, isFraction) && len(p.Xs) > 2 { // no ticks between integers
		maxLabels = min(maxLabels, int(math.Ceil(p.ScaleX.Hi-p.ScaleX.Lo)))
	}
	for ; ; maxLabels-- { // until the labels do not touch
		ticks := plot.LinearTicks(p.ScaleX, maxLabels)
		last := len(ticks) - 1
		if maxLabels <= 2 || last < 1 {
			return ticks
		}
		distance := width * vg.Length(p.ScaleX.Position(ticks[1].Value)-p.ScaleX.Position(ticks[0].Value))
		if distance > d.width(ticks[last].Label)+room/4 {
			return ticks
		}
	}
}
