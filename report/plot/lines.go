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
func (p *Data) selectLines(spec LinesSpec, doc *result.Document, ids []SeriesID) {
	for _, c := range p.curves(spec, doc) {
		line := Line{
			Label:  spec.Label,
			Style:  theme.SeriesStyle{Colour: theme.ReferenceInk},
			IsData: c.Kind == names.CurveDrawn,
		}
		measuredID := SeriesID{Value: spec.Label} // the series of points for which the line is theory
		if spec.SeriesParam != "" {
			measuredID = SeriesID{Param: spec.SeriesParam, Value: c.Params[spec.SeriesParam]}
		}
		seriesIndex := slices.Index(ids, measuredID)
		switch {
		case line.IsData:
			line.Style, _ = theme.ExponentStyle(spec.Exponent)
		case seriesIndex >= 0:
			line.Label, line.Style = SeriesLabel(measuredID), SeriesStyle(ids, seriesIndex)
		case spec.SeriesParam != "":
			continue // the series of points is not shown
		}
		for _, i := range sortedPoints(c) {
			x, y := float64(c.X[i]), float64(c.Y[i])/math.Pow(float64(c.X[i]), spec.Exponent)
			if p.X.CanShow(x) && p.Y.CanShow(y) && x >= spec.MinX {
				line.Xs, line.Ys = append(line.Xs, x), append(line.Ys, y)
				line.Estimates = append(line.Estimates, CurveEstimate(doc, c, i))
			}
		}
		if len(line.Xs) > 1 {
			p.Curves = append(p.Curves, line)
		}
		if spec.BelowLabel != "" && len(line.Xs) > 1 {
			below := Ribbon{Label: spec.BelowLabel, Style: theme.SeriesStyle{Colour: theme.ReferenceInk}}
			for i, x := range line.Xs {
				below.Limits = append(below.Limits, Limits{x, math.Inf(-1), line.Ys[i]})
			}
			p.Ribbons = append(p.Ribbons, below)
		}
	}
	if spec.BandLabel == "" || len(p.Curves) == 0 {
		return
	}
	r := Ribbon{Label: spec.BandLabel, Style: theme.SeriesStyle{Colour: theme.ReferenceInk, Dash: Dashed}}
	for _, x := range p.Curves[0].Xs {
		halfWidth := 2 * math.Pow(x, 0.5-spec.Exponent) // two standard deviations
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

// CurveEstimate returns the i-th point of a curve as an estimate. A point of theory becomes an
// estimate with a Theory and no Value. A point of a sampled row becomes an estimate with a Value
// and no standard error.
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
