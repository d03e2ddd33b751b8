package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// entry is one item of a legend, with one or several marks.
type entry struct {
	label                   string
	style                   theme.SeriesStyle
	width                   vg.Length // width of a line; 0 if the entry has none
	marker, band, bar, ring bool
	grade                   string // letter of the label of a heat map's cells
}

// legendSpace is the space between two entries.
const legendSpace = vg.Length(14)

// marksWidth returns the room for the marks of an entry. A line is long enough for its dashes.
func (e entry) marksWidth() vg.Length {
	if e.width > 0 {
		return 32
	}
	return 18
}

func (d *drawing) legendLine() vg.Length { return 1.5 * d.textSize }

// legendEntries returns the entries for all marks of the panels.
func legendEntries(ps []plot.Data) (list []entry) {
	for _, p := range ps {
		for _, g := range plot.Grades {
			cells := slices.DeleteFunc(slices.Clone(p.HeatCells), func(c plot.HeatCell) bool { return c.Grade != g })
			if n := len(cells); n > 0 {
				background := theme.SeriesStyle{Colour: cells[n/2].Colour}
				list = append(list, entry{label: g.Meaning(), style: background, grade: g.Letter})
			}
		}
		for _, s := range p.Series {
			e := entry{label: s.Title, style: s.Style, marker: !s.HideMarkers && !s.Points.DrawBars,
				bar: s.Points.DrawBars}
			hasFilled := slices.ContainsFunc(s.Markers, func(m plot.Point) bool { return !m.HasOpenMarker })
			e.style.Hollow = e.style.Hollow || !hasFilled
			if s.IsJoined() || s.HideMarkers {
				e.width = strokeWidth(s.Style)
			}
			if s.IsTheory {
				e = entry{label: "theory", style: theme.SeriesStyle{Colour: theme.Ink}, ring: true}
			}
			list = append(list, e)
		}
	}
	for _, p := range ps {
		for _, l := range p.Curves {
			e := entry{label: l.Label, style: l.Style, width: strokeWidth(l.Style)}
			if l.IsData { // its colour differs from panel to panel
				e.style, e.width = theme.SeriesStyle{Colour: theme.ReferenceInk}, thinWidth
			}
			list = append(list, e)
		}
		for _, r := range p.Ribbons {
			list = append(list, entry{label: r.Label, style: theme.SeriesStyle{Colour: theme.ReferenceInk}, band: true})
		}
		for _, l := range p.Guides {
			style := theme.SeriesStyle{Colour: guideColour(l), Dash: l.Dash}
			list = append(list, entry{label: l.Label, style: style, width: thinWidth})
		}
	}
	return mergeEntries(list)
}

// mergeEntries merges entries of one label and colour, and removes those without a label.
func mergeEntries(list []entry) (merged []entry) {
	for _, e := range list {
		if e.label == "" {
			continue
		}
		i := slices.IndexFunc(merged, func(m entry) bool {
			return m.label == e.label && m.style.Colour == e.style.Colour
		})
		if i < 0 {
			merged = append(merged, e)
			continue
		}
		merged[i].marker = merged[i].marker || e.marker
		merged[i].width = max(merged[i].width, e.width)
		merged[i].style.Hollow = merged[i].style.Hollow && e.style.Hollow
	}
	return merged
}

// layOutLegend breaks the entries into lines that fit the width.
func (d *drawing) layOutLegend(es []entry, width vg.Length) [][]entry {
	var lines [][]entry
	var x vg.Length
	for _, e := range es {
		w := e.marksWidth() + label.Width(e.label, d.textSize) + legendSpace
		if len(lines) == 0 || x+w-legendSpace > width {
			lines, x = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], e)
		x += w
	}
	return lines
}

// topBelowLegend returns the top of the room below the legend.
func (d *drawing) topBelowLegend(legend [][]entry) vg.Length {
	top := d.h - margin
	if len(legend) > 0 {
		top -= vg.Length(len(legend))*d.legendLine() + 0.5*d.textSize
	}
	return top
}

// drawLegend draws the entries, line by line from the top.
func (d *drawing) drawLegend(lines [][]entry, top vg.Length) {
	lineHeight := d.legendLine()
	for i, es := range lines {
		x, y := margin, top-vg.Length(i)*lineHeight-lineHeight/2
		for _, e := range es {
			d.drawEntry(e, Box{Left: x, Bottom: y - 3.5, Right: x + e.marksWidth() - 4, Top: y + 3.5})
			d.write(e.label, vg.Point{X: x + e.marksWidth(), Y: y - d.textSize*capHeight/2}, 0)
			x += e.marksWidth() + label.Width(e.label, d.textSize) + legendSpace
		}
	}
}

// drawEntry draws the marks of an entry.
func (d *drawing) drawEntry(e entry, b Box) {
	centre := vg.Point{X: (b.Left + b.Right) / 2, Y: (b.Bottom + b.Top) / 2}
	switch {
	case e.grade != "":
		d.fill(Rectangle(b), e.style.Colour)
		d.drawGrade(e.style.Colour, e.grade, centre)
	case e.band || e.bar:
		d.drawBar(e.style, b)
	case e.ring:
		d.drawRing(centre)
	}
	if e.width > 0 {
		line := polyline(vg.Point{X: b.Left, Y: centre.Y}, vg.Point{X: b.Right, Y: centre.Y})
		d.stroke(line, e.style.Colour, e.width, e.style.Dash)
	}
	if e.marker {
		d.drawMarker(e.style, centre, 2.3)
	}
}
