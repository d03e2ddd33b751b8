package figure

import (
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"mcsim/report/plot"
)

// columnCount returns the number of columns in which the panels are arranged.
func columnCount(c Chart, narrow bool, panels int) int {
	columns := max(c.Columns, 1)
	if narrow {
		columns = min(columns, max(c.NarrowColumns, 1))
	}
	return min(columns, panels)
}

// rows returns the panels, row by row.
func (d *drawing) rows() [][]plot.Data { return slices.Collect(slices.Chunk(d.panels, d.columns)) }

// axesBelow returns the boxes of the axes of all panels, which are below top. The boxes of one
// column have the same left and right edges, so that equal values of x are below each other.
func (d *drawing) axesBelow(top vg.Length) []Box {
	rows := d.rows()
	height := top - d.footHeight() - vg.Length(len(rows))*d.headHeight()
	for row := range rows[1:] {
		height -= d.rowGap(row)
	}
	d.measureLeftRooms(height / vg.Length(d.totalRelativeHeight()))
	gap := d.textSize
	room := d.w - 2*margin - gap*vg.Length(d.columns-1) - d.endRoom
	for _, l := range d.leftRooms {
		room -= l
	}
	width := room / vg.Length(d.columns)

	var boxes []Box
	for row, panels := range rows {
		top -= d.headHeight()
		h := height * vg.Length(panels[0].RelativeHeight()/d.totalRelativeHeight())
		left := vg.Length(0)
		for column := range panels {
			left += d.leftRooms[column]
			boxes = append(boxes, Box{Left: left, Bottom: top - h, Right: left + width, Top: top})
			left += width + gap
			if column == d.endColumn {
				left += d.endRoom
			}
		}
		top -= h + d.rowGap(row)
	}
	return boxes
}

// totalRelativeHeight returns the sum of the relative heights of the rows of panels.
func (d *drawing) totalRelativeHeight() (sum float64) {
	for _, panels := range d.rows() {
		sum += panels[0].RelativeHeight()
	}
	return sum
}

// footHeight returns the room below the lowest axes for the labels of the ticks and of the x axis.
func (d *drawing) footHeight() vg.Length { return margin + 3.1*d.textSize }

// rowGap returns the room between a row of panels and the next.
func (d *drawing) rowGap(row int) vg.Length {
	for i := row * d.columns; i < min((row+1)*d.columns, len(d.panels)); i++ {
		if d.hasXLabels(i) {
			return d.footHeight()
		}
	}
	return d.textSize
}

// headHeight returns the room above the axes of a row, for titles or for labels of guide lines.
func (d *drawing) headHeight() vg.Length {
	hasText := func(p plot.Data) bool {
		hasGuide := slices.ContainsFunc(p.Guides, func(g plot.Guide) bool { return g.Label != "" })
		return p.Title != "" || p.Y.IsCategorical && hasGuide
	}
	if slices.ContainsFunc(d.panels, hasText) {
		return 1.5 * d.textSize
	}
	return 0.3 * d.textSize
}

// hasXLabels reports whether a panel has labels of x. It does not have them if the panel below has
// the same axis.
func (d *drawing) hasXLabels(i int) bool {
	next := i + d.columns
	return next >= len(d.panels) || d.panels[i].X != d.panels[next].X
}

// hasYLabels reports whether a panel has labels of y. It does not have them if the panel to its
// left has the same axis.
func (d *drawing) hasYLabels(i int) bool {
	if i%d.columns == 0 {
		return true
	}
	left, p := d.panels[i-1], d.panels[i]
	return left.Y != p.Y || left.ScaleY != p.ScaleY || !slices.Equal(left.Categories, p.Categories)
}

// measureLeftRooms sets the room for labels to the left of each column of axes. unitHeight is the
// height of a panel of the relative height 1.
func (d *drawing) measureLeftRooms(unitHeight vg.Length) {
	d.leftRooms = make([]vg.Length, d.columns)
	for i, p := range d.panels {
		if !d.hasYLabels(i) {
			continue
		}
		width := d.widestTick(p, unitHeight*vg.Length(p.RelativeHeight()))
		if p.Y.Label != "" {
			width += 1.5 * d.textSize
		}
		d.leftRooms[i%d.columns] = max(d.leftRooms[i%d.columns], width+margin+tickGap+1)
	}
}

// titlesFit reports whether no title needs to be cut.
func (d *drawing) titlesFit() bool {
	for i, p := range d.panels {
		if d.width(p.Title) > d.axes[i].Width() {
			return false
		}
	}
	return true
}

// drawTitle writes the title of a panel above its axes.
func (d *drawing) drawTitle(title string, b Box) {
	y := b.Top + 0.5*d.textSize
	if !d.titlesFit() { // keep only the value of a facet, before the colon
		title, _, _ = strings.Cut(title, ": ")
	}
	d.write(title, vg.Point{X: d.clampToPage(title, (b.Left+b.Right)/2), Y: y}, 0.5)
}

// clampToPage returns the centre nearest to x at which a label is completely on the page.
func (d *drawing) clampToPage(words string, x vg.Length) vg.Length {
	halfWidth := d.width(words) / 2
	return max(min(x, d.w-margin-halfWidth), margin+halfWidth)
}
