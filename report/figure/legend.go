package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/plot"
	"mcsim/report/theme"
)

// entry is an item of a legend: a label with one or several marks.
type entry struct {
	label                               string
	style                               theme.SeriesStyle
	lineWidth                           vg.Length // width of a line; 0 if the entry has none
	hasMarker, hasBand, hasBar, hasRing bool
	isPlain                             bool   // the label does not tell one parameter from others
	grade                               string // letter of a grade in a heat map; may be empty
}

// Lengths in a legend, in points.
const (
	legendSpace  = vg.Length(14)  // between two entries
	legendGap    = vg.Length(4)   // between the marks and the label of an entry
	legendHeight = vg.Length(7)   // height of a bar or of a cell
	legendRadius = vg.Length(2.3) // radius of a marker
)

// marksWidth returns the width of the room for the marks of an entry, with legendGap. A line needs
// more room, since it must show its dashes. A text has no marks.
func (e entry) marksWidth() vg.Length {
	switch {
	case e.lineWidth > 0:
		return 32
	case e.style.Colour == theme.Swatch{}:
		return 0
	}
	return 18
}

func (d *drawing) legendLineHeight() vg.Length { return 1.5 * d.textSize }

// legendEntries returns the entries for all marks of the panels. The caption explains the markers
// of the only series.
func legendEntries(panels []plot.Data) (entries []entry) {
	reference := theme.SeriesStyle{Colour: theme.ReferenceInk}
	for _, p := range panels {
		for _, g := range plot.Grades {
			cells := slices.DeleteFunc(slices.Clone(p.HeatCells), func(c plot.HeatCell) bool { return c.Grade != g })
			if n := len(cells); n > 0 {
				background := theme.SeriesStyle{Colour: cells[n/2].Colour}
				entries = append(entries, entry{label: g.Meaning(), style: background, grade: g.Letter})
			}
		}
		for _, s := range p.Series {
			e := entry{label: s.Title, style: s.Style, hasMarker: !s.HideMarkers && !s.PointsSpec.DrawBars,
				hasBar: s.PointsSpec.DrawBars, isPlain: s.SeriesParam == ""}
			hasFilled := slices.ContainsFunc(s.Markers, func(m plot.Point) bool { return !m.IsHollow })
			e.style.Hollow = e.style.Hollow || !hasFilled
			if s.IsJoined() || s.HideMarkers {
				e.lineWidth = strokeWidth(s.Style)
			}
			if s.IsTheory {
				e = entry{label: "theory", style: theme.SeriesStyle{Colour: theme.Ink}, hasRing: true, isPlain: true}
			}
			entries = append(entries, e)
		}
	}
	merged := mergeEntries(entries)
	if len(merged) == 1 && merged[0].isPlain && (merged[0].hasMarker || merged[0].hasRing) && merged[0].lineWidth == 0 {
		entries = nil
	}
	for _, p := range panels {
		for _, l := range p.Curves {
			e := entry{label: l.Label, style: l.Style, lineWidth: strokeWidth(l.Style)}
			if l.IsData { // its colour differs from panel to panel
				e.style, e.lineWidth = reference, thinWidth
			}
			entries = append(entries, e)
		}
		for _, r := range p.Ribbons {
			entries = append(entries, entry{label: r.Label, style: reference, hasBand: true})
		}
		for _, l := range p.Guides {
			style := theme.SeriesStyle{Colour: guideColour(l), Dash: l.Dash}
			entries = append(entries, entry{label: l.Label, style: style, lineWidth: thinWidth})
		}
	}
	return mergeEntries(entries)
}

// mergeEntries merges entries with the same label and colour, and removes entries without a label.
func mergeEntries(entries []entry) (merged []entry) {
	for _, e := range entries {
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
		merged[i].hasMarker = merged[i].hasMarker || e.hasMarker
		merged[i].lineWidth = max(merged[i].lineWidth, e.lineWidth)
		merged[i].style.Hollow = merged[i].style.Hollow && e.style.Hollow
	}
	return merged
}

// layOutLegend breaks the entries into lines that fit the width.
func (d *drawing) layOutLegend(entries []entry) [][]entry {
	width := d.w - 2*margin
	var lines [][]entry
	var x vg.Length
	for _, e := range entries {
		w := e.marksWidth() + d.width(e.label) + legendSpace
		if len(lines) == 0 || x+w-legendSpace > width {
			lines, x = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], e)
		x += w
	}
	return lines
}

// topBelowLegend returns the top of the room below the legend.
func (d *drawing) topBelowLegend() vg.Length {
	if len(d.legend) == 0 {
		return d.h - margin
	}
	return d.h - margin - vg.Length(len(d.legend))*d.legendLineHeight() - 0.5*d.textSize
}

// drawLegend draws the entries, line by line from the top.
func (d *drawing) drawLegend(lines [][]entry, top vg.Length) {
	lineHeight := d.legendLineHeight()
	for i, entries := range lines {
		x, y := margin, top-vg.Length(i)*lineHeight-lineHeight/2
		for _, e := range entries {
			marks := Box{Left: x, Bottom: y - legendHeight/2, Right: x + e.marksWidth() - legendGap,
				Top: y + legendHeight/2}
			d.drawMarks(e, marks)
			d.write(e.label, vg.Point{X: x + e.marksWidth(), Y: y - d.textSize*capHeight/2}, 0)
			x += e.marksWidth() + d.width(e.label) + legendSpace
		}
	}
}

// drawMarks draws the marks of an entry into a box.
func (d *drawing) drawMarks(e entry, b Box) {
	centre := vg.Point{X: (b.Left + b.Right) / 2, Y: (b.Bottom + b.Top) / 2}
	switch {
	case e.grade != "":
		d.fill(Rectangle(b), e.style.Colour)
		d.drawGrade(e.style.Colour, e.grade, centre)
	case e.hasBand || e.hasBar:
		d.drawBar(e.style, b)
	case e.hasRing:
		d.drawRing(centre)
	}
	if e.lineWidth > 0 {
		line := Polyline(vg.Point{X: b.Left, Y: centre.Y}, vg.Point{X: b.Right, Y: centre.Y})
		d.stroke(line, e.style.Colour, e.lineWidth, e.style.Dash)
	}
	if e.hasMarker {
		d.drawMarker(e.style, centre, legendRadius)
	}
}
