package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// entry is one item of a legend: a marker, a line of a width, a band, a bar, a ring, the letter
// of a label, or several of them under the same name.
type entry struct {
	label                   string
	style                   theme.SeriesStyle
	width                   vg.Length
	marker, band, bar, ring bool
	grade                   string
}

// legendSpace is the space between two entries.
const legendSpace = vg.Length(14)

// signWidth is the room for the marks of an entry: a line is long enough for its dashes.
func (e entry) signWidth() vg.Length {
	if e.width > 0 {
		return 32
	}
	return 18
}

func (d *drawing) legendLine() vg.Length { return 1.5 * d.text }

// entries lists everything that the panels show.
func entries(ps []plot.Data) (out []entry) {
	for _, p := range ps {
		for _, g := range plot.Grades {
			cells := slices.DeleteFunc(slices.Clone(p.Cells), func(c plot.Cell) bool { return c.Label != g })
			if n := len(cells); n > 0 {
				ground := theme.SeriesStyle{Colour: cells[n/2].Colour}
				out = append(out, entry{label: g.Meaning(), style: ground, grade: g.Mark})
			}
		}
		for _, s := range p.Series {
			e := entry{label: s.Title, style: s.Style, marker: !s.Unmarked && !s.Points.Bars, bar: s.Points.Bars}
			hasFilled := slices.ContainsFunc(s.Marks, func(m plot.Point) bool { return !m.Open })
			e.style.Hollow = e.style.Hollow || !hasFilled
			if s.Joined() || s.Unmarked {
				e.width = widthOf(s.Style)
			}
			if s.Theory {
				e = entry{label: "theory", style: theme.SeriesStyle{Colour: theme.Ink}, ring: true}
			}
			out = append(out, e)
		}
	}
	for _, p := range ps {
		for _, l := range p.Curves {
			e := entry{label: l.Label, style: l.Style, width: widthOf(l.Style)}
			if l.IsData { // in the colours of exponents, which the titles of panels name
				e.style, e.width = theme.SeriesStyle{Colour: theme.ReferenceInk}, thinWidth
			}
			out = append(out, e)
		}
		for _, r := range p.Ribbons {
			out = append(out, entry{label: r.Label, style: theme.SeriesStyle{Colour: theme.ReferenceInk}, band: true})
		}
		for _, l := range p.Guides {
			style := theme.SeriesStyle{Colour: levelColour(l), Dash: l.Dash}
			out = append(out, entry{label: l.Label, style: style, width: thinWidth})
		}
	}
	return mergeEntries(out)
}

// mergeEntries merges entries of one name and colour, and drops those without a name.
func mergeEntries(all []entry) (out []entry) {
	for _, e := range all {
		i := slices.IndexFunc(out, func(o entry) bool {
			return o.label == e.label && o.style.Colour == e.style.Colour
		})
		switch {
		case e.label == "":
		case i < 0:
			out = append(out, e)
		default:
			out[i].marker = out[i].marker || e.marker
			out[i].width = max(out[i].width, e.width)
			out[i].style.Hollow = out[i].style.Hollow && e.style.Hollow
		}
	}
	return out
}

// layLegend breaks the entries into lines that fit the width. The legend is above the axes, where
// it covers no data.
func (d *drawing) layLegend(es []entry, width vg.Length) [][]entry {
	var lines [][]entry
	var x vg.Length
	for _, e := range es {
		w := e.signWidth() + label.Width(e.label, d.text) + legendSpace
		if len(lines) == 0 || x+w-legendSpace > width {
			lines, x = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], e)
		x += w
	}
	return lines
}

// belowLegend returns the top of the room below a legend.
func (d *drawing) belowLegend(legend [][]entry) vg.Length {
	top := d.h - margin
	if len(legend) > 0 {
		top -= vg.Length(len(legend))*d.legendLine() + 0.5*d.text
	}
	return top
}

// drawLegend draws the entries, line by line from the top.
func (d *drawing) drawLegend(lines [][]entry, top vg.Length) {
	high := d.legendLine()
	for i, es := range lines {
		x, y := margin, top-vg.Length(i)*high-high/2
		for _, e := range es {
			d.drawSign(e, Box{Left: x, Bottom: y - 3.5, Right: x + e.signWidth() - 4, Top: y + 3.5})
			d.write(e.label, vg.Point{X: x + e.signWidth(), Y: y - d.text*capHeight/2}, 0)
			x += e.signWidth() + label.Width(e.label, d.text) + legendSpace
		}
	}
}

// drawSign draws the marks of an entry as they look in the panels.
func (d *drawing) drawSign(e entry, b Box) {
	middle := vg.Point{X: (b.Left + b.Right) / 2, Y: (b.Bottom + b.Top) / 2}
	switch {
	case e.grade != "":
		d.fill(Rectangle(b), e.style.Colour)
		d.drawGrade(e.style.Colour, e.grade, middle)
	case e.band || e.bar:
		d.drawBar(e.style, b)
	case e.ring:
		d.drawRing(middle)
	}
	if e.width > 0 {
		line := polyline(vg.Point{X: b.Left, Y: middle.Y}, vg.Point{X: b.Right, Y: middle.Y})
		d.stroke(line, e.style.Colour, e.width, e.style.Dash)
	}
	if e.marker {
		d.drawMarker(e.style, middle, 2.3)
	}
}
