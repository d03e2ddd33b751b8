package figure

import (
	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/label"
)

// grid is how the panels stand: row by row.
type grid struct {
	columns, rows int
	alike         bool // all panels have the same axes, which are labelled once
}

// gridOf returns the grid of a chart. In one column of print two panels stand
// side by side where they share their labels, and else one.
func gridOf(c Chart, panels int, narrow bool) grid {
	columns := min(max(c.Columns, 1), panels)
	switch {
	case narrow && c.Each != nil:
		columns = min(columns, 2)
	case narrow:
		columns = 1
	}
	return grid{columns, (panels + columns - 1) / columns, c.Each != nil}
}

// below reports whether a panel has another one under it in its column.
func (d *drawing) below(i int) bool { return i+d.grid.columns < len(d.panels) }

// boxes divides the room below top among the panels. Those of one column
// share their edges, so that the same d_k stands below itself.
func (d *drawing) boxes(top vg.Length) []draw.Box {
	right := d.margins()
	columns := d.grid.columns
	room := d.w - right
	for _, l := range d.lefts {
		room -= l
	}
	gap := d.text
	if columns > 1 {
		room -= gap * vg.Length(columns-1)
	}
	width := room / vg.Length(columns)

	shares := d.shares()
	height := top - d.foot()
	for row := range d.grid.rows {
		height -= d.head(row)
		if row > 0 {
			height -= d.between()
		}
	}
	out := make([]draw.Box, len(d.panels))
	for row := range d.grid.rows {
		if row > 0 {
			top -= d.between()
		}
		top -= d.head(row)
		h := height * vg.Length(d.panels[row*columns].HeightShare()/shares)
		left := vg.Length(0)
		for col := 0; col < columns && row*columns+col < len(d.panels); col++ {
			left += d.lefts[col]
			out[row*columns+col] = draw.Box{Left: left, Bottom: top - h, Right: left + width, Top: top}
			left += width + gap
		}
		top -= h
	}
	return out
}

// shares is the sum of those that rows of panels have of the height.
func (d *drawing) shares() (sum float64) {
	for row := range d.grid.rows {
		sum += d.panels[row*d.grid.columns].HeightShare()
	}
	return sum
}

// foot is what stands under the lowest axes: tick labels and a label.
func (d *drawing) foot() vg.Length { return margin + 3.1*d.text }

// between is what stands between two rows.
func (d *drawing) between() vg.Length {
	for i := range d.panels {
		if d.below(i) && d.labelsX(i) {
			return d.foot() + 0.3*d.text
		}
	}
	return 1.25 * d.text
}

// head is the room for the titles of a row.
func (d *drawing) head(row int) vg.Length {
	for i := row * d.grid.columns; i < min((row+1)*d.grid.columns, len(d.panels)); i++ {
		if d.panels[i].Title != "" {
			return 1.5 * d.text
		}
	}
	return 0.3 * d.text
}

// labelsX and labelsY report whether a panel has its own labels at the ticks.
func (d *drawing) labelsX(i int) bool {
	return !d.below(i) || d.panels[i].X != d.panels[i+d.grid.columns].X
}

func (d *drawing) labelsY(i int) bool { return !d.grid.alike || i%d.grid.columns == 0 }

// margins measures what stands to the left of each column of axes (labels of
// the ticks and of the axis), and returns the room to the right of all (names
// of lines, the bar of colours).
func (d *drawing) margins() (right vg.Length) {
	d.lefts = make([]vg.Length, d.grid.columns)
	right = 2 * margin
	for i, p := range d.panels {
		col := i % d.grid.columns
		if d.labelsY(i) {
			var widest vg.Length
			for _, t := range d.yTicks(p, 150) {
				widest = max(widest, label.WidthOf(t.Label, d.text))
			}
			if p.Y.Label != "" {
				widest += 1.5 * d.text
			}
			d.lefts[col] = max(d.lefts[col], widest+margin+5)
		}
		if p.Ends {
			for _, e := range p.LineEnds() {
				right = max(right, label.WidthOf(e.Label, d.text)+18)
			}
		}
		if p.Map != nil {
			right = max(right, d.barWidth(p))
		}
	}
	return right
}

// commonLabels writes the labels of axes that all panels share, once.
func (d *drawing) commonLabels(boxes []draw.Box) {
	if !d.grid.alike {
		return
	}
	all := boxes[0]
	for _, b := range boxes {
		all = draw.Box{Left: min(all.Left, b.Left), Bottom: min(all.Bottom, b.Bottom), Right: max(all.Right, b.Right), Top: max(all.Top, b.Top)}
	}
	p := d.panels[0]
	d.writeUp(p.Y.Label, vg.Point{X: margin + 0.8*d.text, Y: (all.Bottom + all.Top) / 2})
	d.write(p.X.Label, vg.Point{X: (all.Left + all.Right) / 2, Y: margin + 0.3*d.text}, 0.5)
}
