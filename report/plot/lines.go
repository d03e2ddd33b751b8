package plot

import (
	"cmp"
	"maps"
	"slices"

	"mcsim/report/axis"
	"mcsim/report/rows"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// LinesOf returns the lines of theory that a panel shows.
func LinesOf(spec Lines, p Panel, doc *result.Document, keys []Key) []Line {
	var out []Line
	for _, c := range rows.Curves(doc, spec.Curves, p.X.Param) {
		l := Line{Label: spec.Label, Style: theme.SeriesStyle{Colour: theme.Quiet.Paper}}
		if i := slices.Index(keys, Key{Of: spec.Label}); i >= 0 && spec.By == "" {
			l.Style = StyleOf(keys, i) // of the points that it is the theory of
		}
		if spec.By != "" {
			i := slices.Index(keys, Key{By: spec.By, Of: c.Params[spec.By]})
			if i < 0 {
				continue // a line of something that was not measured
			}
			l.Label, l.Style = NameOf(keys[i]), StyleOf(keys, i)
		}
		for _, i := range rising(c) {
			if x, y := float64(c.X[i]), float64(c.Y[i]); axis.Holds(p.X.Log, x) && axis.Holds(p.Y.Log, y) {
				l.Xs, l.Ys = append(l.Xs, x), append(l.Ys, y)
				row := rowOf(c, c.X[i])
				row.Theory = c.Y[i]
				l.Rows = append(l.Rows, row)
			}
		}
		if len(l.Xs) > 1 { // one point is no line
			out = append(out, l)
		}
	}
	return out
}

// LineKeys lists the series that the lines of a panel are which shows nothing else.
func (p Panel) LineKeys(doc *result.Document) (keys []Key) {
	if !p.LinesAlone() {
		return nil
	}
	for _, spec := range p.Lines {
		if spec.By == "" {
			keys = append(keys, Key{Of: spec.Label})
			continue
		}
		for _, c := range rows.Curves(doc, spec.Curves, p.X.Param) {
			if of, ok := c.Params[spec.By]; ok {
				keys = append(keys, Key{By: spec.By, Of: of})
			}
		}
	}
	return keys
}

// rising lists the points of a curve from left to right.
func rising(c result.Curve) []int {
	at := make([]int, min(len(c.X), len(c.Y)))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(float64(c.X[a]), float64(c.X[b])) })
	return at
}

// rowOf writes a point of a curve as a row without a value and without a theory.
func rowOf(c result.Curve, x result.Number) result.Estimate {
	none := result.Absent()
	params := result.Params{c.Axis: float64(x)}
	maps.Copy(params, c.Params)
	return result.Estimate{Experiment: c.Experiment, Quantity: c.Quantity, Params: params, Estimator: names.EstimatorTheory,
		Value: none, SE: none, Lo: none, Hi: none, Level: none, Theory: none, TheoryKind: c.Kind}
}

// last is the height of a series at its right end.
func (s Series) last() float64 {
	if len(s.Points) == 0 {
		return s.AtMost[len(s.AtMost)-1].Hi
	}
	return s.Points[len(s.Points)-1].Y
}

// End is the name of a series, to stand where its line leaves the axes.
type End struct {
	Label string
	Style theme.SeriesStyle
	Y     float64
	Line  bool // there is one
	Bare  bool // it has no markers
}

// LineEnds returns the names in the panel with the heights at which their lines,
// or where there is no line their last points, arrive.
func (p Data) LineEnds() []End {
	var out []End
	for _, s := range p.Series {
		out = append(out, End{Label: s.Label, Style: s.Style, Y: s.last(), Line: s.Joined})
	}
	for _, l := range p.Theory {
		i := slices.IndexFunc(out, func(e End) bool { return e.Label == l.Label })
		if i < 0 && !p.LinesAlone() {
			continue
		}
		if i < 0 {
			i, out = len(out), append(out, End{Label: l.Label, Style: l.Style, Bare: true})
		}
		out[i].Line = true
		if p.ScaleY.Inside(l.Ys[len(l.Ys)-1]) {
			out[i].Y = l.Ys[len(l.Ys)-1]
		}
	}
	return out
}
