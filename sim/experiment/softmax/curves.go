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

// finishSoftmax adds the curves of theory for normal components: each mean as a function of d_k
// under one scaling, and as a function of the temperature at one d_k.
func finishSoftmax(sampled experiment.SampledCells, doc *result.Document) error {
	for _, line := range groupScaledLines(sampled.Cells) {
		cells := names.Map(line, func(p scaledCell) experiment.Cell { return p.cell })
		first := line[0]
		// One point per octave is enough, since no curve bends much. Each point needs quadrature.
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

// softmaxCurves returns a curve with the params, axis and X of the template for each mean whose
// theory is known. If isHard is true, there are no curves of gradients.
func softmaxCurves(
	template result.Curve, isHard bool, theoryAt func(x float64) theory.Softmax,
) (curves []result.Curve) {
	for _, q := range rows.Quantities {
		isMissing := q.Gradient && isHard
		if q.Theory == nil || isMissing {
			continue
		}
		curve := result.Curve{Experiment: names.ExperimentSoftmax, Quantity: q.Name,
			Params: maps.Clone(template.Params),
			Axis:   template.Axis, X: slices.Clone(template.X), Kind: names.TheoryQuadrature}
		curves = append(curves, experiment.FillCurve(curve, func(x float64) float64 { return q.Theory(theoryAt(x)) }))
	}
	return curves
}

// scaledCell is a cell under one of its scalings.
type scaledCell struct {
	cell         experiment.Cell
	scaling      rows.Scaling
	scalingIndex int // index in rows.Scalings, which identifies the scaling at other d_k
}

// hasTheoryCurves reports whether the cell has normal components and keys that are not shared, for
// which quadrature gives the curves.
func hasTheoryCurves(c experiment.Cell) bool {
	return c.Distribution().Name() == names.DistributionNormal && !rows.SharesKeys(c)
}

// groupScaledLines groups the cells with theory, under each of their scalings, into lines that
// differ only in d_k. It omits lines of a single cell.
func groupScaledLines(cells []experiment.Cell) [][]scaledCell {
	var scaledCells []scaledCell
	for _, c := range cells {
		if !hasTheoryCurves(c) {
			continue
		}
		for i, s := range rows.Scalings(c) {
			scaledCells = append(scaledCells, scaledCell{cell: c, scaling: s, scalingIndex: i})
		}
	}
	lines := experiment.GroupBy(scaledCells,
		func(p scaledCell) string { return fmt.Sprint(rows.Keys(p.cell), p.scaling.Axis, p.scaling.Value) })
	return slices.DeleteFunc(lines, func(l []scaledCell) bool { return len(l) < 2 })
}

// listFiniteTemperatures returns the points of the cell's curve over the temperature. They range
// from the smallest to the largest temperature of the cell, without the limits 0 and infinity.
func listFiniteTemperatures(c experiment.Cell) []result.Number {
	var finite []float64
	for _, s := range rows.Scalings(c) {
		if s.Axis == rows.TemperatureAxis.Name && !s.Hard() && s.Factor != 0 {
			finite = append(finite, s.Value.Number)
		}
	}
	return experiment.CurveValues(finite, experiment.SmoothPerOctave)
}
