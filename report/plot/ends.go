package plot

import (
	"slices"

	"mcsim/report/theme"
)

// End is the name of a series, to stand where its line leaves the axes.
type End struct {
	Label string
	Style theme.SeriesStyle
	Y     float64
}

// LineEnds returns the names in the panel with the heights at which their lines,
// or where there is no line their last points, arrive.
func (p Data) LineEnds() []End {
	var out []End
	for _, s := range p.Series {
		out = append(out, End{s.Label, s.Style, s.Points[len(s.Points)-1].Y})
	}
	for _, l := range p.Theory {
		i := slices.IndexFunc(out, func(e End) bool { return e.Label == l.Label })
		if i >= 0 && p.ScaleY.Inside(l.Ys[len(l.Ys)-1]) {
			out[i].Y = l.Ys[len(l.Ys)-1]
		}
	}
	return out
}
