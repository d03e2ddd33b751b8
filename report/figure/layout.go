package figure

import (
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
	"mcsim/report/plot"
)

// columnsOf returns the number of panels side by side.
func columnsOf(c Chart, narrow bool, panels int) int {
	columns := max(c.Columns, 1)
	if narrow {
		columns = min(columns, max(c.Narrow, 1))
	}
	return min(columns, panels)
}

// rows are the panels, row by row.
func (d *drawing) rows() [][]plot.Data { return slices.Collect(slices.Chunk(d.panels, d.columns)) }

// boxes divides the room below top among the panels. Those of one column
// share their edges, so that the same d_k stands below itself.
func (d *drawing) boxes(top vg.Length) []Box {
	rows := d.rows()
	height := top - d.foot() - vg.Length(len(rows))*d.head()
	for row := range rows[1:] {
		height -= d.between(row)
	}
	d.measureLefts(height / vg.Length(d.shares()))
	gap := d.text
	room := d.w - 2*margin - gap*vg.Length(d.columns-1)
	for _, l := range d.lefts {
		room -= l
	}
	width := room / vg.Length(d.columns)

	var out []Box
	for row, ps := range rows {
		top -= d.head()
		h := height * vg.Length(ps[0].HeightShare()/d.shares())
		left := vg.Length(0)
		for column := range ps {
			left += d.lefts[column]
			out = append(out, Box{Left: left, Bottom: top - h, Right: left + width, Top: top})
			left += width + gap
		}
		top -= h + d.between(row)
	}
	return out
}

// shares is the sum of the shares of the height that the rows of panels have.
func (d *drawing) shares() (sum float64) {
	for _, ps := range d.rows() {
		sum += ps[0].HeightShare()
	}
	return sum
}

// foot is the room under the lowest axes for tick labels and a label.
func (d *drawing) foot() vg.Length { return margin + 3.1*d.text }

// between is the room between a row and the next.
func (d *drawing) between(row int) vg.Length {
	for i := row * d.columns; i < min((row+1)*d.columns, len(d.panels)); i++ {
		if d.labelsX(i) {
			return d.foot()
		}
	}
	return d.text
}

// head is the room for the titles of a row.
func (d *drawing) head() vg.Length {
	if slices.ContainsFunc(d.panels, func(p plot.Data) bool { return p.Title != "" }) {
		return 1.5 * d.text
	}
	return 0.3 * d.text
}

// labelsX reports whether a panel has its own labels of x: not if the panel below has the same
// axis.
func (d *drawing) labelsX(i int) bool {
	below := i + d.columns
	return below >= len(d.panels) || d.panels[i].X != d.panels[below].X
}

// labelsY reports whether a panel has its own labels of y: not if the panel to the left has the
// same axis.
func (d *drawing) labelsY(i int) bool {
	if i%d.columns == 0 {
		return true
	}
	left, p := d.panels[i-1], d.panels[i]
	return left.Y != p.Y || left.ScaleY != p.ScaleY || !slices.Equal(left.RowNames, p.RowNames)
}

// measureLefts measures the labels of ticks and axis to the left of each column of axes; share is
// the height of a panel of share 1.
func (d *drawing) measureLefts(share vg.Length) {
	d.lefts = make([]vg.Length, d.columns)
	for i, p := range d.panels {
		if !d.labelsY(i) {
			continue
		}
		widest := d.widestTick(p, share*vg.Length(p.HeightShare()))
		if p.Y.Label != "" {
			widest += 1.5 * d.text
		}
		d.lefts[i%d.columns] = max(d.lefts[i%d.columns], widest+margin+tickGap+1)
	}
}

// letteredTitle matches the title of a panel that a caption names, "(a) median of $R$".
var letteredTitle = regexp.MustCompile(`^\(([a-z])\)\s*(.*)$`)

// drawTitle writes a panel's title above its axes; left is the room to their left. If the style
// has bold letters, the panel's letter is in its upper left corner.
func (d *drawing) drawTitle(title string, b Box, left vg.Length) {
	y, room := b.Top+0.5*d.text, b.Width()
	if parts := letteredTitle.FindStringSubmatch(title); parts != nil && d.theme.Style.PanelLetterSize > 0 {
		letter := label.TypesetBold(parts[1], d.theme.Style.PanelLetterSize)
		d.drawLabel(letter, vg.Point{X: b.Left - left + margin, Y: y}, false)
		title = parts[2]
		room -= 2 * max(0, letter.Width+2*margin-left)
	}
	if label.Width(title, d.text) > room { // of small multiples, whose legend has the rest
		title, _, _ = strings.Cut(title, ": ")
	}
	d.write(title, vg.Point{X: d.onPage(title, (b.Left+b.Right)/2), Y: y}, 0.5)
}

// onPage returns the middle of a label that is nearest to x and keeps the label on the page.
func (d *drawing) onPage(words string, x vg.Length) vg.Length {
	half := label.Width(words, d.text) / 2
	return max(min(x, d.w-margin-half), margin+half)
}
