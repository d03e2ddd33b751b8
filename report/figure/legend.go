package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// entry is one item of a legend: a marker, a line, another sign, or a marker on a line of
// the same name.
type entry struct {
	label  string
	style  theme.SeriesStyle
	marker bool
	line   bool
	sign   sign
}

// sign draws what an entry stands for, as it looks in the panels, into a box.
type sign func(d *drawing, s theme.SeriesStyle, b draw.Box)

// legendSpace is what stands between two entries.
const legendSpace = vg.Length(14)

// signWidth is the room of the sign of an entry: a line is long enough for its dashes.
func (e entry) signWidth() vg.Length {
	if e.line {
		return 32
	}
	return 18
}

func (d *drawing) legendLine() vg.Length { return 1.5 * d.text }

// entries lists what the panels show and do not name at the lines' ends.
func entries(ps []plot.Data) []entry {
	out := slices.Concat(markEntries(ps), stripEntries(ps), traceEntries(ps))
	ended := endLabels(ps)
	for _, p := range ps {
		for _, s := range p.Series {
			if !s.Theory && !slices.Contains(ended, s.Label) {
				out = append(out, entry{label: s.Label, style: s.Style, marker: true, line: s.Joined})
			}
		}
	}
	for _, p := range ps {
		for _, l := range p.Theory {
			if !p.Ends && !slices.Contains(ended, l.Label) {
				out = append(out, entry{label: l.Label, style: l.Style, line: true})
			}
		}
		out = append(out, grounds(p)...)
		for _, l := range p.Guides {
			out = append(out, levelEntry(l.Label, theme.SeriesStyle{Colour: levelColour(l), Dash: l.Dash}))
		}
	}
	return merged(append(out, errorEntries(ps)...))
}

// grounds explain what lies behind the marks of a panel.
func grounds(p plot.Data) (out []entry) {
	for _, r := range p.Ribbons {
		out = append(out, entry{label: r.Label, style: theme.SeriesStyle{Colour: theme.Quiet.Paper}, sign: ribbonSign})
	}
	if _, _, ok := p.MarkedRow(); ok {
		out = append(out, entry{label: p.Heat.Marked.Label, sign: borderSign})
	}
	if len(p.Tolerance) > 0 {
		out = append(out, entry{label: p.Band.Label, style: theme.SeriesStyle{Colour: theme.Shade.Paper}, sign: shadeSign})
	}
	return out
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
			out[i].marker, out[i].line = out[i].marker || e.marker, out[i].line || e.line
		}
	}
	return out
}

// levelEntry explains a thin line.
func levelEntry(label string, s theme.SeriesStyle) entry {
	return entry{label: label, style: s, line: true, sign: func(d *drawing, s theme.SeriesStyle, b draw.Box) {
		middle := (b.Bottom + b.Top) / 2
		d.stroke(vg.Path{draw.Move(b.Left, middle), draw.LineTo(b.Right, middle)}, s.Colour, thinWidth, s.Dash)
	}}
}

// errorEntries explain the marks of theory, and why markers have no interval.
func errorEntries(ps []plot.Data) (out []entry) {
	d := drawn(ps)
	quiet := theme.SeriesStyleOf(0)
	quiet.Colour = theme.Quiet.Paper
	for _, e := range []struct {
		seen bool
		entry
	}{
		{d.series(isTheory), entry{label: "theory", style: theme.SeriesStyle{Colour: theme.Ink.Paper}, sign: theorySign}},
		{d.series(hangs), entry{label: "none seen: upper limit", style: quiet, sign: arrowSign}},
		{d.points(plot.Roughly.Is), entry{label: "± one standard error", style: quiet, sign: faintSign}},
		{d.points(plot.Unsure.Is), entry{label: "error not known", style: quiet, sign: paleSign}},
	} {
		if e.seen {
			out = append(out, e.entry)
		}
	}
	return out
}

// endLabels are the names that stand at the ends of lines, in any panel.
func endLabels(ps []plot.Data) (out []string) {
	for _, p := range ps {
		if p.Ends {
			for _, e := range p.LineEnds() {
				out = append(out, e.Label)
			}
		}
	}
	return out
}

// layLegend breaks the entries into lines that fit the width. The legend
// stands above the axes: there it covers no data, however many laws there are.
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
			d.key(e, vg.Point{X: x, Y: y})
			d.write(e.label, vg.Point{X: x + e.signWidth(), Y: y - d.text*capHeight/2}, 0)
			x += e.signWidth() + label.WidthOf(e.label, d.text) + legendSpace
		}
	}
}

// key draws the sign of an entry as it looks in the panels.
func (d *drawing) key(e entry, at vg.Point) {
	b := draw.Box{Left: at.X, Bottom: at.Y - 4, Right: at.X + e.signWidth() - 4, Top: at.Y + 4}
	switch {
	case e.sign != nil:
		e.sign(d, e.style, b)
	case e.line:
		d.stroke(vg.Path{draw.Move(b.Left, at.Y), draw.LineTo(b.Right, at.Y)}, e.style.Colour, widthOf(e.style), e.style.Dash)
	}
	if e.marker {
		d.marker(e.style, middleOf(b), 2.3)
	}
}

// middleOf is the middle of a box.
func middleOf(b draw.Box) vg.Point {
	return vg.Point{X: (b.Left + b.Right) / 2, Y: (b.Bottom + b.Top) / 2}
}

// shadeSign is that of a shaded ground.
func shadeSign(d *drawing, s theme.SeriesStyle, b draw.Box) {
	b.Bottom, b.Top = b.Bottom+0.5, b.Top-0.5
	d.fill(draw.Rectangle(b), s.Colour)
}

// ribbonSign is that of a band.
func ribbonSign(d *drawing, s theme.SeriesStyle, b draw.Box) {
	b.Bottom, b.Top = b.Bottom+0.5, b.Top-0.5
	d.fill(draw.Rectangle(b), theme.Translucent(s.Colour))
	for _, y := range []vg.Length{b.Bottom, b.Top} {
		d.stroke(vg.Path{draw.Move(b.Left, y), draw.LineTo(b.Right, y)}, s.Colour, thinWidth, nil)
	}
}

func theorySign(d *drawing, _ theme.SeriesStyle, b draw.Box) { d.theoryMark(middleOf(b)) }

func paleSign(d *drawing, s theme.SeriesStyle, b draw.Box) { d.pale(s, middleOf(b), 2) }

func arrowSign(d *drawing, s theme.SeriesStyle, b draw.Box) {
	d.arrow(s.Colour, vg.Point{X: (b.Left + b.Right) / 2, Y: b.Top}, 8)
}

// faintSign is that of one standard error.
func faintSign(d *drawing, s theme.SeriesStyle, b draw.Box) {
	middle := middleOf(b)
	d.stroke(vg.Path{draw.Move(middle.X, b.Bottom-0.5), draw.LineTo(middle.X, b.Top+0.5)}, faint(s.Colour), faintWidth, nil)
	d.marker(s, middle, 2)
}
