package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/label"
	"mcsim/report/plot"
)

// grid is how the panels stand: row by row.
type grid struct {
	columns int
	rows    []gridRow
	alike   bool // all panels but wide ones have the same axes, which are labelled once
}

// gridRow is a row of panels.
type gridRow struct {
	first, count int
	wide         bool // one panel, across all columns
}

// gridOf returns the grid of a chart. Panels of another name inside begin a row.
func gridOf(c Chart, panels []plot.Data, narrow bool) grid {
	columns := max(c.Columns, 1)
	if narrow {
		columns = min(columns, max(c.Narrow, 1))
	}
	g := grid{alike: c.Each != nil}
	for i, p := range panels {
		last := len(g.rows) - 1
		if i == 0 || p.Wide || p.Inside != panels[i-1].Inside || g.rows[last].wide || g.rows[last].count == columns {
			g.rows = append(g.rows, gridRow{first: i, wide: p.Wide})
			last++
		}
		g.rows[last].count++
		g.columns = max(g.columns, g.rows[last].count)
	}
	return g
}

// at is the place of a panel.
func (g grid) at(i int) (row, column int) {
	for row, r := range g.rows {
		if i < r.first+r.count {
			return row, i - r.first
		}
	}
	panic("figure: no such panel")
}

// under is the panel below another one in its column.
func (g grid) under(i int) (below int, ok bool) {
	row, column := g.at(i)
	if row+1 == len(g.rows) || g.rows[row].wide != g.rows[row+1].wide || column >= g.rows[row+1].count {
		return 0, false
	}
	return g.rows[row+1].first + column, true
}

// boxes divides the room below top among the panels. Those of one column
// share their edges, so that the same d_k stands below itself.
func (d *drawing) boxes(top vg.Length) []draw.Box {
	shares := d.shares()
	height := top - d.foot()
	for row := range d.grid.rows {
		height -= d.head(row) + d.between(row)
	}
	right := d.margins(height / vg.Length(shares))
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

	out := make([]draw.Box, len(d.panels))
	for row, r := range d.grid.rows {
		top -= d.head(row)
		h := height * vg.Length(d.panels[r.first].HeightShare()/shares)
		left := vg.Length(0)
		for col := range r.count {
			left += d.lefts[col]
			out[r.first+col] = draw.Box{Left: left, Bottom: top - h, Right: left + width, Top: top}
			left += width + gap
		}
		if r.wide {
			out[r.first].Right = d.w - right
		}
		top -= h + d.between(row)
	}
	return out
}

// shares is the sum of those that rows of panels have of the height.
func (d *drawing) shares() (sum float64) {
	for _, r := range d.grid.rows {
		sum += d.panels[r.first].HeightShare()
	}
	return sum
}

// foot is what stands under the lowest axes: tick labels and a label.
func (d *drawing) foot() vg.Length { return margin + 3.1*d.text }

// between is what stands between a row and the next.
func (d *drawing) between(row int) vg.Length {
	if row+1 == len(d.grid.rows) {
		return 0
	}
	r := d.grid.rows[row]
	gap := 1.25 * d.text
	for i := r.first; i < r.first+r.count; i++ {
		switch {
		case d.labelsX(i) && (r.wide || !d.grid.alike):
			return d.foot() + 0.3*d.text
		case d.labelsX(i): // the ticks alone
			gap = 2 * d.text
		}
	}
	return gap
}

// head is the room for the titles of a row.
func (d *drawing) head(row int) vg.Length {
	room := 0.3 * d.text
	r := d.grid.rows[row]
	for i := r.first; i < r.first+r.count; i++ {
		if d.panels[i].Title != "" {
			room = 1.5 * d.text
		}
	}
	return room
}

// labelsX reports whether a panel has its own labels at the ticks of x: not where the panel
// below has the same axis.
func (d *drawing) labelsX(i int) bool {
	below, ok := d.grid.under(i)
	return !ok || d.panels[i].X != d.panels[below].X
}

// labelsY reports the same of y: not where all panels have the heights of that to the left.
func (d *drawing) labelsY(i int) bool {
	_, column := d.grid.at(i)
	if column == 0 {
		return true
	}
	left, p := d.panels[i-1], d.panels[i]
	return left.Y != p.Y || left.ScaleY != p.ScaleY || left.Y.Names && !slices.Equal(left.RowNames, p.RowNames) || (left.Map == nil) != (p.Map == nil) || (len(left.Bars) == 0) != (len(p.Bars) == 0)
}

// margins measures what stands to the left of each column of axes (labels of
// the ticks and of the axis) where a share of 1 is so high, and returns the room to the
// right of all (names of lines).
func (d *drawing) margins(share vg.Length) (right vg.Length) {
	d.lefts = make([]vg.Length, d.grid.columns)
	right = 2 * margin
	for i, p := range d.panels {
		_, col := d.grid.at(i)
		if d.labelsY(i) {
			widest := d.widestTick(p, share*vg.Length(p.HeightShare()))
			if p.Y.Label != "" && d.ownLabels(i, col) {
				widest += 1.5 * d.text
			}
			d.lefts[col] = max(d.lefts[col], widest+margin+5)
		}
		if p.Ends {
			for _, e := range p.LineEnds() {
				right = max(right, label.WidthOf(e.Label, d.text)+endSample+margin+4)
			}
		}
	}
	return right
}

// ownLabels reports whether there is room for the label of an axis beside a panel: its
// own, or in the first column that of all.
func (d *drawing) ownLabels(i, column int) bool {
	return !d.grid.alike || d.panels[i].Wide || column == 0
}

// commonLabels writes the labels of axes that all panels share, once.
func (d *drawing) commonLabels(boxes []draw.Box) {
	if !d.grid.alike {
		return
	}
	first := slices.IndexFunc(d.panels, func(p plot.Data) bool { return !p.Wide })
	if first < 0 {
		return
	}
	all := boxes[first]
	for _, b := range boxes[first:] {
		all = draw.Box{Left: min(all.Left, b.Left), Bottom: min(all.Bottom, b.Bottom), Right: max(all.Right, b.Right), Top: max(all.Top, b.Top)}
	}
	p := d.panels[first]
	d.writeUp(p.Y.Label, vg.Point{X: margin + 0.8*d.text, Y: (all.Bottom + all.Top) / 2})
	d.write(p.X.Label, vg.Point{X: (all.Left + all.Right) / 2, Y: margin + 0.3*d.text}, 0.5)
}
