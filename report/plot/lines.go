package plot

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// selectLines takes the lines of one declaration, and the band around them.
func (p *Data) selectLines(spec Lines, doc *result.Document, keys []Key) {
	for _, c := range p.curves(spec, doc) {
		l := Line{Label: spec.Label, Style: theme.SeriesStyle{Colour: theme.ReferenceInk}, IsData: c.Kind == names.CurveDrawn}
		key := Key{Value: spec.Label} // of the points whose theory it is
		if spec.By != "" {
			key = Key{By: spec.By, Value: c.Params[spec.By]}
		}
		i := slices.Index(keys, key)
		switch {
		case l.IsData:
			l.Style, _ = theme.ExponentStyle(spec.Exponent)
		case i >= 0:
			l.Label, l.Style = NameOf(key), StyleOf(keys, i)
		case spec.By != "":
			continue // a line of something that was not measured
		}
		for _, i := range sortedPoints(c) {
			x, y := float64(c.X[i]), float64(c.Y[i])/math.Pow(float64(c.X[i]), spec.Exponent)
			if p.X.Holds(x) && p.Y.Holds(y) && x >= spec.MinX {
				l.Xs, l.Ys = append(l.Xs, x), append(l.Ys, y)
				l.Rows = append(l.Rows, RowOf(doc, c, i))
			}
		}
		if len(l.Xs) > 1 { // one point is no line
			p.Curves = append(p.Curves, l)
		}
	}
	if spec.Around == "" || len(p.Curves) == 0 {
		return
	}
	r := Ribbon{Label: spec.Around, Style: theme.SeriesStyle{Colour: theme.ReferenceInk, Dash: Dashed}}
	for _, x := range p.Curves[0].Xs {
		two := 2 * math.Pow(x, 0.5-spec.Exponent)
		r.At = append(r.At, Limits{x, -two, two})
	}
	p.Ribbons = append(p.Ribbons, r)
}

// sortedPoints returns the indices of the points of a curve from left to right.
func sortedPoints(c result.Curve) []int {
	points := make([]int, min(len(c.X), len(c.Y)))
	for i := range points {
		points[i] = i
	}
	slices.SortStableFunc(points, func(a, b int) int { return cmp.Compare(float64(c.X[a]), float64(c.X[b])) })
	return points
}

// RowOf returns a point of a curve as a row: theory without a value, or one sampled number without
// an error.
func RowOf(doc *result.Document, c result.Curve, i int) result.Estimate {
	none := result.Absent()
	e := result.Estimate{Experiment: c.Experiment, Quantity: c.Quantity,
		Params: result.Params{c.Axis: float64(c.X[i])}, Estimator: names.EstimatorTheory,
		Value: none, SE: none, Lo: none, Hi: none, Level: none, Theory: c.Y[i], TheoryKind: c.Kind}
	maps.Copy(e.Params, c.Params)
	if c.Kind == names.CurveDrawn {
		e.Cell, e.Estimator, e.N = selection.CellOf(doc, c), names.EstimatorDirect, 1
		e.Value, e.Theory, e.TheoryKind = c.Y[i], none, names.TheoryNone
	}
	return e
}
