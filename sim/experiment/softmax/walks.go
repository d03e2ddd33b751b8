package softmax

import (
	"fmt"
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/replay"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// finishRanks adds curves of one typical row, which is sampled again from the stream of the cell
// with the longest vectors: its scores as sums over a growing number of components, and its
// weights if the vectors are truncated to the d_k of each cell. Cells whose keys are not in memory
// all at once have no such curves.
func finishRanks(sampled experiment.SampledCells, doc *result.Document) error {
	lineKey := func(c experiment.Cell) string { return fmt.Sprint(c.Distribution(), rows.Keys(c)) }
	for _, line := range experiment.GroupLines(sampled.Cells, lineKey) {
		longest := line[len(line)-1]
		reader, err := replay.Open(sampled.Seed, sampled.Attempt, longest)
		if err != nil {
			continue
		}
		typicalIndex := findTypicalRow(line, reader, doc)
		row, _ := reader.Row(typicalIndex)
		doc.Curves = append(doc.Curves, newWalkCurves(longest, row, typicalIndex)...)
		for _, c := range line {
			doc.Curves = append(doc.Curves, newWeightCurves(c, row, typicalIndex)...)
		}
	}
	return nil
}

// findTypicalRow returns the row of the first block that is nearest to the median in the sense of
// minimax: it minimises the largest distance of R from the median R of the cell, over all d_k and
// all scalings.
func findTypicalRow(line []experiment.Cell, reader *replay.Reader, doc *result.Document) (rowIndex int64) {
	nearest := math.Inf(1)
	medians := names.Map(line, func(c experiment.Cell) []float64 {
		return names.Map(rows.Scalings(c), func(s rows.Scaling) float64 { return medianRelativeTrace(c, s, doc) })
	})
	for i := range blockUnits(line[len(line)-1]) {
		row, _ := reader.Row(i)
		farthest := 0.0
		for k, c := range line {
			scores := row.Truncate(len(row.Keys), c.Dimension()).Scores(replay.Standard)
			for j, s := range rows.Scalings(c) {
				r := replay.Measure(scores, s, 1).RelativeTrace
				if distance := math.Abs(r - medians[k][j]); distance > farthest { // false if it is NaN
					farthest = distance
				}
			}
		}
		if farthest < nearest {
			nearest, rowIndex = farthest, i
		}
	}
	return rowIndex
}

// medianRelativeTrace returns the median of R over the rows of a cell under a scaling, or NaN if
// the document has none.
func medianRelativeTrace(c experiment.Cell, s rows.Scaling, doc *result.Document) float64 {
	for r := range doc.Rows(c.Experiment.Name, names.Quantile(names.RelativeTrace, 0.5), c.Params(s.Params())) {
		return float64(r.Value)
	}
	return math.NaN()
}

// newWeightCurves returns the weights of the keys of a row that is truncated to the d_k of the
// cell, a curve for each scaling.
func newWeightCurves(c experiment.Cell, row replay.Row, rowIndex int64) (curves []result.Curve) {
	scores := row.Truncate(len(row.Keys), c.Dimension()).Scores(replay.Standard)
	for _, s := range rows.Scalings(c) {
		curve := newSampledCurve(c, names.KeyWeight, names.ParamKey, s.Params(),
			result.Params{names.ParamRow: float64(rowIndex)})
		for j, w := range replay.Measure(scores, s, 1).Weights {
			curve.X, curve.Y = append(curve.X, result.Number(j+1)), append(curve.Y, result.Number(w))
		}
		curves = append(curves, curve)
	}
	return curves
}

// newSampledCurve returns an empty curve through sampled numbers of a cell.
func newSampledCurve(c experiment.Cell, quantity, axis string, extra ...result.Params) result.Curve {
	return result.Curve{Experiment: c.Experiment.Name, Quantity: quantity, Params: c.Params(extra...), Axis: axis,
		Kind: names.CurveDrawn}
}

// maxWalks is the largest number of keys of a row that have a curve of partial scores.
const maxWalks = 8

// newWalkCurves returns the partial scores of a row, the sums over the first components, as a
// curve for each of its first keys.
func newWalkCurves(c experiment.Cell, row replay.Row, rowIndex int64) (curves []result.Curve) {
	for j := range min(maxWalks, len(row.Keys)) {
		curve := newSampledCurve(c, names.PartialScore, names.ParamComponents,
			result.Params{names.ParamKey: float64(j + 1), names.ParamRow: float64(rowIndex)})
		row.VisitPartialScores(replay.Standard, j, func(components int, sum float32) {
			if replay.IsCurvePoint(components, c.Dimension()) {
				curve.X, curve.Y = append(curve.X, result.Number(components)), append(curve.Y, result.Number(sum))
			}
		})
		curves = append(curves, curve)
	}
	return curves
}
