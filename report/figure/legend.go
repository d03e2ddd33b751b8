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
	thin    bool // the line of a level or a limit
	band    bool
	ribbon  bool
	inner   bool   // of a band within another
	mark    string // of a label, on its colours
	colours []float64
	border  bool // around cells of a map
	theory  bool // the mark of theory at one point
	faint   bool // a marker with a bar of one standard error
	pale    bool // a marker of which no error is known
	hangs   bool // an arrow
	box     bool // a bar
	whisker bool
}

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
	for _, e := range slices.Concat(markEntries(ps), stripEntries(ps), traceEntries(ps)) {
		add(e)
	}
	ended := endLabels(ps)
	for _, p := range ps {
		for _, s := range p.Series {
			if !s.Theory && !slices.Contains(ended, s.Label) {
				add(entry{label: s.Label, style: s.Style, marker: true, line: s.Joined})
			}
		}
	}
	for _, p := range ps {
		for _, l := range p.Theory {
			if !p.Ends && !slices.Contains(ended, l.Label) {
				add(entry{label: l.Label, style: l.Style, line: true})
			}
		}
		for _, r := range p.Ribbons {
			add(entry{label: r.Label, style: theme.SeriesStyle{Colour: theme.Quiet.Paper}, ribbon: true, inner: r.Inner})
		}
		if _, _, ok := p.MarkedRow(); ok {
			add(entry{label: p.Heat.Marked.Label, border: true})
		}
		if len(p.Tolerance) > 0 {
			add(entry{label: p.Band.Label, style: theme.SeriesStyle{Colour: theme.Shade.Paper}, band: true})
		}
		if p.Shade != nil {
			add(entry{label: p.Shade.Label, style: theme.SeriesStyle{Colour: theme.Shade.Paper}, band: true})
		}
		if p.Level != nil {
			add(entry{label: p.Level.Label, style: theme.SeriesStyle{Colour: theme.Ink.Paper}, line: true, thin: true})
		}
		for _, bound := range p.Bounds {
			add(entry{label: bound.Label, style: theme.SeriesStyle{Colour: theme.Quiet.Paper, Dash: boundDash(bound)}, line: true, thin: true})
		}
		if p.Vertical != nil {
			add(entry{label: p.Vertical.Label, style: theme.SeriesStyle{Colour: theme.Quiet.Paper, Dash: uprightDash}, line: true, thin: true})
		}
	}
	for _, e := range errorEntries(ps) {
		add(e)
	}
	return out
}

// entries lists what the legend explains: of bars of one standard error nothing where
// markers hide them all.
func (d *drawing) entries() []entry {
	boxes := d.boxes(d.h - margin)
	seen := false
	for i, p := range d.panels {
		seen = seen || p.Measured(func(pt plot.Point) bool {
			from, to := place(p, boxes[i], pt.X, pt.Lo), place(p, boxes[i], pt.X, pt.Hi)
			if p.Y.Names {
				from, to = place(p, boxes[i], pt.Lo, pt.Y), place(p, boxes[i], pt.Hi, pt.Y)
			}
			return pt.Error == plot.Roughly && (to.X-from.X)+(to.Y-from.Y) > 2*d.radius()
		})
	}
	return slices.DeleteFunc(entries(d.panels), func(e entry) bool { return e.faint && !seen })
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
	if drawn.hangs() {
		out = append(out, entry{label: "none seen: upper limit", style: sign, hangs: true})
	}
	if drawn.Points(plot.Roughly.Is) {
		out = append(out, entry{label: "± one standard error", style: sign, faint: true})
	}
	if drawn.Points(plot.Unsure.Is) {
		out = append(out, entry{label: "error not known", style: sign, pale: true})
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
			w := e.signWidth() + label.WidthOf(e.label, d.text)
			d.keys = append(d.keys, draw.Box{Left: x, Bottom: y - high/2, Right: x + w, Top: y + high/2})
			x += w + legendSpace
		}
	}
}

// key draws the sign of an entry as it looks in the panels.
func (d *drawing) key(e entry, at vg.Point) {
	end := at.X + e.signWidth() - 4
	keyLine := vg.Path{draw.Move(at.X, at.Y), draw.LineTo(end, at.Y)}
	switch {
	case e.mark != "":
		d.markKey(e, draw.Box{Left: at.X, Bottom: at.Y - 4, Right: end, Top: at.Y + 4})
	case e.border:
		d.stroke(draw.Rectangle(draw.Box{Left: at.X, Bottom: at.Y - 3, Right: end, Top: at.Y + 3}), theme.Ink.Paper, borderWidth, nil)
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
		d.theoryMark(vg.Point{X: (at.X + end) / 2, Y: at.Y})
	case e.faint:
		middle := vg.Point{X: (at.X + end) / 2, Y: at.Y}
		d.stroke(vg.Path{draw.Move(middle.X, at.Y-4.5), draw.LineTo(middle.X, at.Y+4.5)}, faint(e.style.Colour), faintWidth, nil)
		d.marker(e.style, middle, 2)
	case e.pale:
		d.pale(e.style, vg.Point{X: (at.X + end) / 2, Y: at.Y}, 2)
	case e.hangs:
		d.arrow(e.style.Colour, vg.Point{X: (at.X + end) / 2, Y: at.Y + 4}, 8)
	case e.box:
		box := draw.Rectangle(draw.Box{Left: (at.X+end)/2 - 4, Bottom: at.Y - 4, Right: (at.X+end)/2 + 4, Top: at.Y + 4})
		d.fill(box, theme.Translucent(e.style.Colour))
		d.stroke(box, e.style.Colour, thinWidth, nil)
	case e.whisker:
		d.whiskerPath(vg.Point{X: (at.X + end) / 2, Y: at.Y - 4.5}, vg.Point{X: (at.X + end) / 2, Y: at.Y + 4.5}, 2)
	case e.thin:
		d.stroke(keyLine, e.style.Colour, thinWidth, e.style.Dash)
	case e.line:
		d.stroke(keyLine, e.style.Colour, widthOf(e.style), e.style.Dash)
	}
	if e.marker {
		d.marker(e.style, vg.Point{X: (at.X + end) / 2, Y: at.Y}, 2.3)
	}
}
