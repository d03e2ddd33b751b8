package softmax

import (
	"fmt"
	"maps"
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// finishSoftmax adds the curves of theory: each mean of normal components over d_k, and
// over the temperature at one d_k.
func finishSoftmax(sampled experiment.SampledCells, doc *result.Document) error {
	for _, line := range softmaxLines(sampled.Cells) {
		cells := names.Map(line, func(p softmaxPoint) experiment.Cell { return p.cell })
		first := line[0]
		x := experiment.CurveDimensions(cells, 1) // of every exponent by quadrature; none bends much
		params := result.Params{rows.KeysAxis.Name: float64(rows.Keys(first.cell)),
			first.scaling.Axis: first.scaling.Value.Any()}
		atDimension := func(d float64) theory.Softmax {
			c := first.cell.AtDimension(int(d))
			t, _ := rows.Quadrature(c, rows.Scalings(c)[first.number])
			return t
		}
		curve := result.Curve{Params: params, Axis: experiment.DimensionAxis.Name, X: x}
		doc.Curves = append(doc.Curves, softmaxCurves(curve, first.scaling.Hard(), atDimension)...)
	}
	for _, c := range sampled.Cells {
		x := temperaturesOf(c)
		if len(x) < 2 || !hasLines(c) {
			continue
		}
		params := result.Params{rows.KeysAxis.Name: float64(rows.Keys(c)),
			experiment.DimensionAxis.Name: float64(c.Dimension())}
		atTemperature := func(temperature float64) theory.Softmax {
			t, _ := rows.Quadrature(c, rows.Scaling{Axis: rows.TemperatureAxis.Name,
				Value: experiment.AxisValue{Number: temperature}, Factor: 1 / temperature})
			return t
		}
		curve := result.Curve{Params: params, Axis: rows.TemperatureAxis.Name, X: x}
		doc.Curves = append(doc.Curves, softmaxCurves(curve, false, atTemperature)...)
	}
	return nil
}

// softmaxCurves returns a curve for each mean that has theory, over the axis of the given one; hard
// attention has no gradients.
func softmaxCurves(template result.Curve, hard bool, theoryAt func(x float64) theory.Softmax) (curves []result.Curve) {
	for _, q := range rows.Quantities {
		if q.Theory == nil || q.Gradient && hard {
			continue
		}
		curve := result.Curve{Experiment: names.ExperimentSoftmax, Quantity: q.Name,
			Params: maps.Clone(template.Params),
			Axis:   template.Axis, X: slices.Clone(template.X), Kind: names.TheoryQuadrature}
		curves = append(curves, experiment.FillCurve(curve, func(x float64) float64 { return q.Theory(theoryAt(x)) }))
	}
	return curves
}

// softmaxPoint is a cell of a line with its own scaling, and the scaling's number among
// those of the cell: one exponent is another factor at another d_k.
type softmaxPoint struct {
	cell    experiment.Cell
	scaling rows.Scaling
	number  int
}

// hasLines reports whether a cell is of normal components and keys of its own, of which
// curves of theory are made.
func hasLines(c experiment.Cell) bool {
	return c.Distribution().Name() == names.DistributionNormal && !rows.SharesKeys(c)
}

// softmaxLines returns the lines that go over at least two dimensions.
func softmaxLines(cells []experiment.Cell) [][]softmaxPoint {
	var points []softmaxPoint
	for _, c := range cells {
		if !hasLines(c) {
			continue
		}
		for i, s := range rows.Scalings(c) {
			points = append(points, softmaxPoint{c, s, i})
		}
	}
	lines := experiment.GroupBy(points,
		func(p softmaxPoint) string { return fmt.Sprint(rows.Keys(p.cell), p.scaling.Axis, p.scaling.Value) })
	return slices.DeleteFunc(lines, func(l []softmaxPoint) bool { return len(l) < 2 })
}

// temperaturesOf lists the temperatures that the cell's curve goes through: no limits.
func temperaturesOf(c experiment.Cell) []result.Number {
	var finite []float64
	for _, s := range rows.Scalings(c) {
		if s.Axis == rows.TemperatureAxis.Name && !s.Hard() && s.Factor != 0 {
			finite = append(finite, s.Value.Number)
		}
	}
	return experiment.CurveValues(finite, experiment.SmoothPerOctave)
}
