package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"
)

// end is the name of a series, to stand where its line leaves the axes.
type end struct {
	label string
	style style
	y     float64
}

// ends returns the names in the panel with the heights at which their lines,
// or where there is no line their last points, arrive.
func (p plotted) ends() []end {
	var out []end
	for _, s := range p.series {
		out = append(out, end{s.label, s.style, s.points[len(s.points)-1].y})
	}
	for _, l := range p.lines {
		i := slices.IndexFunc(out, func(e end) bool { return e.label == l.label })
		if i >= 0 && p.y.inside(l.ys[len(l.ys)-1]) {
			out[i].y = l.ys[len(l.ys)-1]
		}
	}
	return out
}

// ends writes the names beside the axes, from below to above, each moved as
// little as keeps it clear of its neighbours.
func (d *drawing) ends(p plotted, b box) {
	es := p.ends()
	slices.SortStableFunc(es, func(a, c end) int { return order(a.y, c.y) })
	at := make([]vg.Length, len(es))
	for i, e := range es {
		at[i] = b.y(p.y.unit(e.y))
	}
	spread(at, 1.25*d.text, b.bottom+4, b.top-4)
	for i, e := range es {
		if y := b.y(p.y.unit(e.y)); max(at[i]-y, y-at[i]) > 2 {
			d.stroke(vg.Path{move(b.right, y), lineTo(b.right+5, at[i])}, e.style.colour, thinWidth/2, nil)
		}
		d.marker(e.style, vg.Point{X: b.right + 8, Y: at[i]}, d.radius())
		d.write(e.label, vg.Point{X: b.right + 13, Y: at[i] - d.text*capHeight/2}, 0)
	}
}

// spread moves ascending heights apart until neighbours differ by gap: runs
// that are too close are set around their common middle.
func spread(at []vg.Length, gap, lowest, highest vg.Length) {
	for range at {
		for i := 1; i < len(at); i++ {
			if short := gap - (at[i] - at[i-1]); short > 0.01 {
				at[i-1] -= short / 2
				at[i] += short / 2
			}
		}
	}
	for i := range at {
		at[i] = max(at[i], lowest+vg.Length(i)*gap)
	}
	for i := len(at) - 1; i >= 0; i-- {
		at[i] = min(at[i], highest-vg.Length(len(at)-1-i)*gap)
	}
}
