package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"
)

// entry is one item of a legend: a marker, a line or a band.
type entry struct {
	label string
	style style
	kind  int
}

const (
	markerEntry = iota
	lineEntry
	bandEntry
)

const (
	legendLine  = vg.Length(12)
	legendKey   = vg.Length(18)
	legendSpace = vg.Length(14)
)

// entries lists what the panels show and do not name at the lines' ends.
func entries(ps []plotted) []entry {
	var out []entry
	add := func(e entry) {
		same := func(o entry) bool { return o.label == e.label && o.kind == e.kind }
		if !slices.ContainsFunc(out, same) {
			out = append(out, e)
		}
	}
	for _, p := range ps {
		if p.Ends {
			continue
		}
		for _, s := range p.series {
			add(entry{s.label, s.style, markerEntry})
		}
	}
	for _, p := range ps {
		for _, l := range p.lines {
			if !p.Ends {
				add(entry{l.label, l.style, lineEntry})
			}
		}
		if len(p.band) > 0 {
			add(entry{p.Band.Label, style{colour: shade.paper}, bandEntry})
		}
	}
	return out
}

// layLegend breaks the entries into lines that fit the width. The legend
// stands above the axes: there it covers no data, however many laws there are.
func layLegend(es []entry, width vg.Length) [][]entry {
	var lines [][]entry
	var x vg.Length
	for _, e := range es {
		w := legendKey + widthOf(e.label, textSize) + legendSpace
		if len(lines) == 0 || x+w-legendSpace > width {
			lines, x = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], e)
		x += w
	}
	return lines
}

func (d *drawing) legend(lines [][]entry, top vg.Length) {
	for i, es := range lines {
		x, y := margin, top-vg.Length(i)*legendLine-legendLine/2
		for _, e := range es {
			d.key(e, vg.Point{X: x, Y: y})
			write(d.c, e.label, vg.Point{X: x + legendKey, Y: y - textSize*0.34}, 0, ink.paper)
			x += legendKey + widthOf(e.label, textSize) + legendSpace
		}
	}
}

func (d *drawing) key(e entry, at vg.Point) {
	end := at.X + legendKey - 4
	switch e.kind {
	case bandEntry:
		d.fill(rectangle(box{at.X, at.Y - 3.5, end, at.Y + 3.5}), e.style.colour)
	case lineEntry:
		d.stroke(vg.Path{move(at.X, at.Y), lineTo(end, at.Y)}, e.style.colour, lineWidth, e.style.dash)
	default:
		d.marker(e.style, vg.Point{X: (at.X + end) / 2, Y: at.Y}, 2.3)
	}
}
