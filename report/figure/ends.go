package figure

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/plot"
)

// endGap is how far apart the names at the ends of lines are, in units of the text: so
// far that one with a script above and below keeps clear of its neighbours.
const endGap = 1.5

// ends writes the names beside the axes, from below to above, each moved as
// little as keeps it clear of its neighbours.
func (d *drawing) ends(p plot.Data, b draw.Box) {
	es := p.LineEnds()
	slices.SortStableFunc(es, func(a, c plot.End) int { return cmp.Compare(a.Y, c.Y) })
	at := make([]vg.Length, len(es))
	for i, e := range es {
		at[i] = b.Y(p.ScaleY.Unit(e.Y))
	}
	spread(at, endGap*d.text, b.Bottom+4, b.Top-4)
	for i, e := range es {
		if y := b.Y(p.ScaleY.Unit(e.Y)); max(at[i]-y, y-at[i]) > 2 {
			d.stroke(vg.Path{draw.Move(b.Right, y), draw.LineTo(b.Right+5, at[i])}, e.Style.Colour, thinWidth/2, nil)
		}
		if e.Line { // on which a marker does not look like a point outside of the axes
			d.stroke(vg.Path{draw.Move(b.Right+5, at[i]), draw.LineTo(b.Right+endSample, at[i])}, e.Style.Colour, widthOf(e.Style), e.Style.Dash)
		}
		if !e.Bare {
			d.marker(e.Style, vg.Point{X: b.Right + 12, Y: at[i]}, d.radius())
		}
		d.write(e.Label, vg.Point{X: b.Right + endSample + 4, Y: at[i] - d.text*capHeight/2}, 0)
	}
}

// endSample is how far from the axes the sample of a line goes beside its name.
const endSample = vg.Length(19)

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
