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

// selectLines selects the lines of one declaration, and adds the band around them.
func (p *Data) selectLines(spec Lines, doc *result.Document, ids []SeriesID) {
	for _, c := range p.curves(spec, doc) {
		l := Line{
			Label:  spec.Label,
			Style:  theme.SeriesStyle{Colour: theme.ReferenceInk},
			IsData: c.Kind == names.CurveDrawn,
		}
		id := SeriesID{Value: spec.Label} // the series whose theory the line is
		if spec.SeriesParam != "" {
			id = SeriesID{Param: spec.SeriesParam, Value: c.Params[spec.SeriesParam]}
		}
		i := slices.Index(ids, id)
		switch {
		case l.IsData:
			l.Style, _ = theme.ExponentStyle(spec.Exponent)
		case i >= 0:
			l.Label, l.Style = SeriesLabel(id), SeriesStyle(ids, i)
		case spec.SeriesParam != "":
			continue // theory of a series that was not measured
		}
		for _, i := range sortedPoints(c) {
			x, y := float64(c.X[i]), float64(c.Y[i])/math.Pow(float64(c.X[i]), spec.Exponent)
			if p.X.CanShow(x) && p.Y.CanShow(y) && x >= spec.MinX {
				l.Xs, l.Ys = append(l.Xs, x), append(l.Ys, y)
				l.Estimates = append(l.Estimates, CurveEstimate(doc, c, i))
			}
		}
		if len(l.Xs) > 1 {
			p.Curves = append(p.Curves, l)
		}
	}
	if spec.BandLabel == "" || len(p.Curves) == 0 {
		return
	}
	r := Ribbon{Label: spec.BandLabel, Style: theme.SeriesStyle{Colour: theme.ReferenceInk, Dash: Dashed}}
	for _, x := range p.Curves[0].Xs {
		halfWidth := 2 * math.Pow(x, 0.5-spec.Exponent)
		r.Limits = append(r.Limits, Limits{x, -halfWidth, halfWidth})
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

// CurveEstimate returns the i-th point of a curve as an estimate, which is theory without a value,
// or a number of a single sampled row without an error.
func CurveEstimate(doc *result.Document, c result.Curve, i int) result.Estimate {
	absent := result.Absent()
	e := result.Estimate{Experiment: c.Experiment, Quantity: c.Quantity,
		Params: result.Params{c.Axis: float64(c.X[i])}, Estimator: names.EstimatorTheory,
		Value: absent, SE: absent, Lo: absent, Hi: absent, Level: absent, Theory: c.Y[i], TheoryKind: c.Kind}
	maps.Copy(e.Params, c.Params)
	if c.Kind == names.CurveDrawn {
		e.Cell, e.Estimator, e.N = selection.CellOfCurve(doc, c), names.EstimatorDirect, 1
		e.Value, e.Theory, e.TheoryKind = c.Y[i], absent, names.TheoryNone
	}
	return e
}
