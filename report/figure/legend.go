package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// entry is one item of a legend: a marker, a line, a band, or several of
// them that have one name.
type entry struct {
	label   string
	style   theme.SeriesStyle
	marker  bool
	line    bool
	thin    bool // the line of a level
	band    bool
	ribbon  bool
	inner   bool   // of a band within another
	mark    string // of a label, on its colour
	cased   bool   // a line over colours
	upright bool   // a line across the axis of values
	dashed  bool   // an upright line that is broken
	theory  bool   // the mark of theory at one point
	faint   bool   // a marker with a bar of one standard error
	pale    bool   // a marker of which no error is known
	crossed bool   // a cross in place of a marker
}

const (
	legendKey   = vg.Length(18)
	legendSpace = vg.Length(14)
)

func (d *drawing) legendLine() vg.Length { return 1.5 * d.text }

// entries lists what the panels show and do not name at the lines' ends.
func entries(ps []plot.Data) []entry {
	var out []entry
	add := func(e entry) {
		if e.label == "" {
			return
		}
		i := slices.IndexFunc(out, func(o entry) bool { return o.label == e.label && o.style.Colour == e.style.Colour })
		if i < 0 {
			out = append(out, e)
			return
		}
		out[i].marker, out[i].line = out[i].marker || e.marker, out[i].line || e.line
	}
	for _, e := range append(markEntries(ps), stripEntries(ps)...) {
		add(e)
	}
	for _, p := range ps {
		if p.Ends {
			continue
		}
		for _, s := range p.Series {
			if !s.Theory {
				add(entry{label: s.Label, style: s.Style, marker: true})
			}
		}
	}
	for _, p := range ps {
		for _, l := range p.Theory {
			if !p.Ends {
				add(entry{label: l.Label, style: l.Style, line: true, cased: p.Map != nil})
			}
		}
		for _, r := range p.Ribbons {
			add(entry{label: r.Label, style: theme.SeriesStyle{Colour: theme.Quiet.Paper}, ribbon: true, inner: r.Inner})
		}
		if len(p.Tolerance) > 0 {
			add(entry{label: p.Band.Label, style: theme.SeriesStyle{Colour: theme.Shade.Paper}, band: true})
		}
		if p.Level != nil {
			add(entry{label: p.Level.Label, style: theme.SeriesStyle{Colour: theme.Quiet.Paper}, line: true, thin: true, cased: p.Bars != nil})
		}
		for _, bound := range p.Bounds {
			add(entry{label: bound.Label, style: theme.SeriesStyle{Colour: theme.Quiet.Paper}, upright: true, dashed: bound.Broken})
		}
		if p.Vertical != nil {
			add(entry{label: p.Vertical.Label, style: theme.SeriesStyle{Colour: theme.Quiet.Paper}, dashed: true})
		}
	}
	for _, e := range errorEntries(ps) {
		add(e)
	}
	return out
}

// errorEntries explain the marks of theory, and why markers have no interval.
func errorEntries(ps []plot.Data) (out []entry) {
	drawn := Drawn(ps)
	sign := theme.SeriesStyleOf(0)
	sign.Colour = theme.Quiet.Paper
	if slices.ContainsFunc(ps, func(p plot.Data) bool {
		return slices.ContainsFunc(p.Series, func(s plot.Series) bool { return s.Theory })
	}) {
		out = append(out, entry{label: "theory", style: theme.SeriesStyle{Colour: theme.Ink.Paper}, theory: true})
	}
	for _, p := range ps {
		for _, s := range p.Series {
			if slices.ContainsFunc(s.Points, func(pt plot.Point) bool { return pt.Crossed }) {
				out = append(out, entry{label: s.CrossedAs, style: sign, crossed: true})
			}
		}
	}
	if drawn.Points(plot.Roughly.Is) {
		out = append(out, entry{label: "± one standard error", style: sign, faint: true})
	}
	if drawn.Points(plot.Unsure.Is) {
		out = append(out, entry{label: "error not known", style: sign, pale: true})
	}
	return out
}

// markEntries explain the marks in cells and bars, all of them where there
// are any.
func markEntries(ps []plot.Data) (out []entry) {
	if !slices.ContainsFunc(ps, plot.Data.Graded) {
		return nil
	}
	for _, g := range plot.Grades {
		out = append(out, entry{label: g.Meaning(), style: theme.SeriesStyle{Colour: shadeOf(g)}, mark: g.Mark})
	}
	return out
}

// layLegend breaks the entries into lines that fit the width. The legend
// stands above the axes: there it covers no data, however many laws there are.
func (d *drawing) layLegend(es []entry, width vg.Length) [][]entry {
	var lines [][]entry
	var x vg.Length
	for _, e := range es {
		w := legendKey + label.WidthOf(e.label, d.text) + legendSpace
		if len(lines) == 0 || x+w-legendSpace > width {
			lines, x = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], e)
		x += w
	}
	return lines
}

// legend draws the entries, line by line from the top.
func (d *drawing) legend(lines [][]entry, top vg.Length) {
	high := d.legendLine()
	for i, es := range lines {
		x, y := margin, top-vg.Length(i)*high-high/2
		for _, e := range es {
			d.key(e, vg.Point{X: x, Y: y})
			d.write(e.label, vg.Point{X: x + legendKey, Y: y - d.text*capHeight/2}, 0)
			w := legendKey + label.WidthOf(e.label, d.text)
			d.keys = append(d.keys, draw.Box{Left: x, Bottom: y - high/2, Right: x + w, Top: y + high/2})
			x += w + legendSpace
		}
	}
}

// key draws the sign of an entry as it looks in the panels.
func (d *drawing) key(e entry, at vg.Point) {
	end := at.X + legendKey - 4
	keyLine := vg.Path{draw.Move(at.X, at.Y), draw.LineTo(end, at.Y)}
	switch {
	case e.mark != "":
		middle := vg.Point{X: (at.X + end) / 2, Y: at.Y}
		ground := draw.Rectangle(draw.Box{Left: middle.X - 5.5, Bottom: at.Y - 4, Right: middle.X + 5.5, Top: at.Y + 4})
		d.c.Fill(ground, e.style.Colour)
		d.markOn(e.style.Colour, e.mark, middle)
		d.stroke(ground, theme.Quiet.Paper, frameWidth/2, nil)
	case e.cased:
		d.onColours(keyLine, lineOnColours)
	case e.dashed || e.upright:
		middle := (at.X + end) / 2
		dash := uprightDash
		if !e.dashed {
			dash = nil
		}
		d.stroke(vg.Path{draw.Move(middle, at.Y-4.5), draw.LineTo(middle, at.Y+4.5)}, e.style.Colour, thinWidth, dash)
	case e.band:
		d.fill(draw.Rectangle(draw.Box{Left: at.X, Bottom: at.Y - 3.5, Right: end, Top: at.Y + 3.5}), e.style.Colour)
	case e.ribbon:
		r := plot.Ribbon{Style: e.style, Inner: e.inner}
		if e.inner { // it lies on the other
			d.fill(draw.Rectangle(draw.Box{Left: at.X, Bottom: at.Y - 3.5, Right: end, Top: at.Y + 3.5}), theme.Translucent(e.style.Colour))
		}
		d.fill(draw.Rectangle(draw.Box{Left: at.X, Bottom: at.Y - 3.5, Right: end, Top: at.Y + 3.5}), r.Fill())
		for _, y := range []vg.Length{at.Y - 3.5, at.Y + 3.5} {
			d.stroke(vg.Path{draw.Move(at.X, y), draw.LineTo(end, y)}, e.style.Colour, thinWidth, nil)
		}
	case e.theory:
		d.theoryMark(vg.Point{X: (at.X + end) / 2, Y: at.Y}, true)
	case e.faint:
		middle := vg.Point{X: (at.X + end) / 2, Y: at.Y}
		d.stroke(vg.Path{draw.Move(middle.X, at.Y-4.5), draw.LineTo(middle.X, at.Y+4.5)}, faint(e.style.Colour), faintWidth, nil)
		d.marker(e.style, middle, 2)
	case e.crossed:
		d.cross(e.style, vg.Point{X: (at.X + end) / 2, Y: at.Y}, 2, false)
	case e.pale:
		d.pale(e.style, vg.Point{X: (at.X + end) / 2, Y: at.Y}, 2)
	case e.thin:
		d.stroke(keyLine, e.style.Colour, thinWidth, nil)
	case e.line:
		d.stroke(keyLine, e.style.Colour, lineWidth, e.style.Dash)
	}
	if e.marker {
		d.marker(e.style, vg.Point{X: (at.X + end) / 2, Y: at.Y}, 2.3)
	}
}
