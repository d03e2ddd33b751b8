package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// entry is one item of a legend: a marker, a line of a width, a band, a bar, a ring, the mark
// of a label, or several of them under the same name.
type entry struct {
	label                   string
	style                   theme.SeriesStyle
	width                   vg.Length
	marker, band, bar, ring bool
	mark                    string
}

// legendSpace is what stands between two entries.
const legendSpace = vg.Length(14)

// signWidth is the room of the sign of an entry: a line is long enough for its dashes.
func (e entry) signWidth() vg.Length {
	if e.width > 0 {
		return 32
	}
	return 18
}

func (d *drawing) legendLine() vg.Length { return 1.5 * d.text }

// entries lists what the panels show.
func entries(ps []plot.Data) (out []entry) {
	for _, p := range ps {
		for _, g := range plot.Grades {
			cells := slices.DeleteFunc(slices.Clone(p.Cells), func(c plot.Cell) bool { return c.Label != g })
			if n := len(cells); n > 0 {
				ground := theme.SeriesStyle{Colour: cells[n/2].Colour}
				out = append(out, entry{label: g.Meaning(), style: ground, mark: g.Mark})
			}
		}
		for _, s := range p.Series {
			e := entry{label: s.Name, style: s.Style, marker: !s.Unmarked && !s.Points.Bars, bar: s.Points.Bars}
			e.style.Hollow = e.style.Hollow || !slices.ContainsFunc(s.Marks, func(pt plot.Point) bool { return !pt.Open })
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
			if l.Drawn { // in the colours of exponents, which the titles of panels name
				e.style, e.width = theme.SeriesStyle{Colour: theme.Quiet}, thinWidth
			}
			out = append(out, e)
		}
		for _, r := range p.Ribbons {
			out = append(out, entry{label: r.Label, style: theme.SeriesStyle{Colour: theme.Quiet}, band: true})
		}
		for _, l := range p.Guides {
			style := theme.SeriesStyle{Colour: levelColour(l), Dash: l.Dash}
			out = append(out, entry{label: l.Label, style: style, width: thinWidth})
		}
	}
	return merged(out)
}

// merged are entries that have a name, those of one name and colour as one.
func merged(all []entry) (out []entry) {
	for _, e := range all {
		i := slices.IndexFunc(out, func(o entry) bool { return o.label == e.label && o.style.Colour == e.style.Colour })
		switch {
		case e.label == "":
		case i < 0:
			out = append(out, e)
		default:
			out[i].marker, out[i].width = out[i].marker || e.marker, max(out[i].width, e.width)
			out[i].style.Hollow = out[i].style.Hollow && e.style.Hollow
		}
	}
	return out
}

// layLegend breaks the entries into lines that fit the width. The legend
// stands above the axes: there it covers no data, however many distributions there are.
func (d *drawing) layLegend(es []entry, width vg.Length) [][]entry {
	var lines [][]entry
	var x vg.Length
	for _, e := range es {
		w := e.signWidth() + label.WidthOf(e.label, d.text) + legendSpace
		if len(lines) == 0 || x+w-legendSpace > width {
			lines, x = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], e)
		x += w
	}
	return lines
}

// below is the top of what stands below a legend.
func (d *drawing) below(legend [][]entry) vg.Length {
	top := d.h - margin
	if len(legend) > 0 {
		top -= vg.Length(len(legend))*d.legendLine() + 0.5*d.text
	}
	return top
}

// legend draws the entries, line by line from the top.
func (d *drawing) legend(lines [][]entry, top vg.Length) {
	high := d.legendLine()
	for i, es := range lines {
		x, y := margin, top-vg.Length(i)*high-high/2
		for _, e := range es {
			d.sign(e, draw.Box{Left: x, Bottom: y - 3.5, Right: x + e.signWidth() - 4, Top: y + 3.5})
			d.write(e.label, vg.Point{X: x + e.signWidth(), Y: y - d.text*capHeight/2}, 0)
			x += e.signWidth() + label.WidthOf(e.label, d.text) + legendSpace
		}
	}
}

// sign draws what an entry stands for, as it looks in the panels.
func (d *drawing) sign(e entry, b draw.Box) {
	middle := vg.Point{X: (b.Left + b.Right) / 2, Y: (b.Bottom + b.Top) / 2}
	switch {
	case e.mark != "":
		d.fill(draw.Rectangle(b), e.style.Colour)
		d.mark(e.style.Colour, e.mark, middle)
	case e.band || e.bar:
		d.bar(e.style, b)
	case e.ring:
		d.ring(middle)
	}
	if e.width > 0 {
		d.line(b.Left, middle.Y, b.Right, middle.Y, e.style.Colour, e.width, e.style.Dash)
	}
	if e.marker {
		d.marker(e.style, middle, 2.3)
	}
}
