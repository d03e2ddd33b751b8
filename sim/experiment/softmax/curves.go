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

// finishSoftmax adds the curves of theory for normal components: each mean over d_k, and over the
// temperature at one d_k.
func finishSoftmax(sampled experiment.SampledCells, doc *result.Document) error {
	for _, line := range groupSoftmaxLines(sampled.Cells) {
		cells := names.Map(line, func(p scaledCell) experiment.Cell { return p.cell })
		first := line[0]
		// one per octave: the points need quadrature, and no curve bends much
		dimensions := experiment.CurveDimensions(cells, 1)
		params := result.Params{rows.KeysAxis.Name: float64(rows.Keys(first.cell)),
			first.scaling.Axis: first.scaling.Value.Any()}
		theoryAtDimension := func(d float64) theory.Softmax {
			c := first.cell.AtDimension(int(d))
			t, _ := rows.Quadrature(c, rows.Scalings(c)[first.scalingIndex])
			return t
		}
		curve := result.Curve{Params: params, Axis: experiment.DimensionAxis.Name, X: dimensions}
		doc.Curves = append(doc.Curves, softmaxCurves(curve, first.scaling.Hard(), theoryAtDimension)...)
	}
	for _, c := range sampled.Cells {
		temperatures := listFiniteTemperatures(c)
		if len(temperatures) < 2 || !hasTheoryCurves(c) {
			continue
		}
		params := result.Params{rows.KeysAxis.Name: float64(rows.Keys(c)),
			experiment.DimensionAxis.Name: float64(c.Dimension())}
		theoryAtTemperature := func(temperature float64) theory.Softmax {
			t, _ := rows.Quadrature(c, rows.Scaling{Axis: rows.TemperatureAxis.Name,
				Value: experiment.AxisValue{Number: temperature}, Factor: 1 / temperature})
			return t
		}
		curve := result.Curve{Params: params, Axis: rows.TemperatureAxis.Name, X: temperatures}
		doc.Curves = append(doc.Curves, softmaxCurves(curve, false, theoryAtTemperature)...)
	}
	return nil
}

// softmaxCurves returns a curve for each mean that has theory, with the axis and X of the
// template. Hard attention has no gradients.
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

// scaledCell is a cell of a curve under one of its scalings. The scaling is identified by its
// index among those of the cell, since one exponent gives different factors at different d_k.
type scaledCell struct {
	cell         experiment.Cell
	scaling      rows.Scaling
	scalingIndex int
}

// hasTheoryCurves reports whether the cell has normal components and keys that are not shared, for
// which quadrature gives the curves.
func hasTheoryCurves(c experiment.Cell) bool {
	return c.Distribution().Name() == names.DistributionNormal && !rows.SharesKeys(c)
}

// groupSoftmaxLines returns the lines with at least two dimensions.
func groupSoftmaxLines(cells []experiment.Cell) [][]scaledCell {
	var points []scaledCell
	for _, c := range cells {
		if !hasTheoryCurves(c) {
			continue
		}
		for i, s := range rows.Scalings(c) {
			points = append(points, scaledCell{c, s, i})
		}
	}
	lines := experiment.GroupBy(points,
		func(p scaledCell) string { return fmt.Sprint(rows.Keys(p.cell), p.scaling.Axis, p.scaling.Value) })
	return slices.DeleteFunc(lines, func(l []scaledCell) bool { return len(l) < 2 })
}

// listFiniteTemperatures returns the temperatures of the cell's curve, without the limits 0 and
// infinity.
func listFiniteTemperatures(c experiment.Cell) []result.Number {
	var finite []float64
	for _, s := range rows.Scalings(c) {
		if s.Axis == rows.TemperatureAxis.Name && !s.Hard() && s.Factor != 0 {
			finite = append(finite, s.Value.Number)
		}
	}
	return experiment.CurveValues(finite, experiment.SmoothPerOctave)
}
