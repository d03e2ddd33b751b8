package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"
)

// entry is one item of a legend: a marker, a line, a band, or several of
// them that have one name.
type entry struct {
	label  string
	style  style
	marker bool
	line   bool
	thin   bool // the line of a level
	band   bool
	ribbon bool
	inner  bool   // of a band within another
	mark   string // of a label, on its colour
	cased  bool   // a line over colours
	dashed bool   // an upright line
}

const (
	legendKey   = vg.Length(18)
	legendSpace = vg.Length(14)
)

func (d *drawing) legendLine() vg.Length { return 1.5 * d.text }

// entries lists what the panels show and do not name at the lines' ends.
func entries(ps []plotted) []entry {
	var out []entry
	add := func(e entry) {
		if e.label == "" {
			return
		}
		i := slices.IndexFunc(out, func(o entry) bool { return o.label == e.label && o.style.colour == e.style.colour })
		if i < 0 {
			out = append(out, e)
			return
		}
		out[i].marker, out[i].line = out[i].marker || e.marker, out[i].line || e.line
	}
	for _, e := range markEntries(ps) {
		add(e)
	}
	for _, p := range ps {
		if p.Ends {
			continue
		}
		for _, s := range p.series {
			add(entry{label: s.label, style: s.style, marker: true})
		}
	}
	for _, p := range ps {
		for _, l := range p.lines {
			if !p.Ends {
				add(entry{label: l.label, style: l.style, line: true, cased: p.heat != nil})
			}
		}
		for _, r := range p.ribbons {
			add(entry{label: r.label, style: style{colour: r.colour()}, ribbon: true, inner: r.inner})
		}
		if len(p.band) > 0 {
			add(entry{label: p.Band.Label, style: style{colour: shade.paper}, band: true})
		}
		if p.Level != nil {
			add(entry{label: p.Level.Label, style: style{colour: quiet.paper}, line: true, thin: true, cased: p.stack != nil})
		}
		if p.upright != nil {
			add(entry{label: p.upright.Label, style: style{colour: quiet.paper}, dashed: true})
		}
	}
	return out
}

// markEntries explain the marks in cells and bars, all of them where there
// are any.
func markEntries(ps []plotted) (out []entry) {
	if !slices.ContainsFunc(ps, plotted.graded) {
		return nil
	}
	for _, g := range grades {
		out = append(out, entry{label: g.meaning(), style: style{colour: shadeOf(g)}, mark: g.mark})
	}
	return out
}

// graded reports whether a panel has marks of labels.
func (p plotted) graded() bool { return p.stack != nil || p.heat != nil && p.Heat.Graded }

// layLegend breaks the entries into lines that fit the width. The legend
// stands above the axes: there it covers no data, however many laws there are.
func (d *drawing) layLegend(es []entry, width vg.Length) [][]entry {
	var lines [][]entry
	var x vg.Length
	for _, e := range es {
		w := legendKey + widthOf(e.label, d.text) + legendSpace
		if len(lines) == 0 || x+w-legendSpace > width {
			lines, x = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], e)
		x += w
	}
	return lines
}

func (d *drawing) legend(lines [][]entry, top vg.Length) {
	high := d.legendLine()
	for i, es := range lines {
		x, y := margin, top-vg.Length(i)*high-high/2
		for _, e := range es {
			d.key(e, vg.Point{X: x, Y: y})
			d.write(e.label, vg.Point{X: x + legendKey, Y: y - d.text*capHeight/2}, 0)
			w := legendKey + widthOf(e.label, d.text)
			d.keys = append(d.keys, box{x, y - high/2, x + w, y + high/2})
			x += w + legendSpace
		}
	}
}

func (d *drawing) key(e entry, at vg.Point) {
	end := at.X + legendKey - 4
	across := vg.Path{move(at.X, at.Y), lineTo(end, at.Y)}
	switch {
	case e.mark != "":
		middle := vg.Point{X: (at.X + end) / 2, Y: at.Y}
		ground := rectangle(box{middle.X - 5.5, at.Y - 4, middle.X + 5.5, at.Y + 4})
		d.c.fill(ground, e.style.colour)
		d.markOn(e.style.colour, e.mark, middle)
		d.stroke(ground, quiet.paper, frameWidth/2, nil)
	case e.cased:
		d.onColours(across, lineOnColours)
	case e.dashed:
		middle := (at.X + end) / 2
		d.stroke(vg.Path{move(middle, at.Y-4.5), lineTo(middle, at.Y+4.5)}, e.style.colour, thinWidth, uprightDash)
	case e.band:
		d.fill(rectangle(box{at.X, at.Y - 3.5, end, at.Y + 3.5}), e.style.colour)
	case e.ribbon:
		r := ribbon{style: e.style, inner: e.inner}
		if e.inner { // it lies on the other
			d.fill(rectangle(box{at.X, at.Y - 3.5, end, at.Y + 3.5}), veil(e.style.colour))
		}
		d.fill(rectangle(box{at.X, at.Y - 3.5, end, at.Y + 3.5}), r.veil())
		for _, y := range []vg.Length{at.Y - 3.5, at.Y + 3.5} {
			d.stroke(vg.Path{move(at.X, y), lineTo(end, y)}, e.style.colour, thinWidth, nil)
		}
	case e.thin:
		d.stroke(across, e.style.colour, thinWidth, nil)
	case e.line:
		d.stroke(across, e.style.colour, lineWidth, e.style.dash)
	}
	if e.marker {
		d.marker(e.style, vg.Point{X: (at.X + end) / 2, Y: at.Y}, 2.3)
	}
}
