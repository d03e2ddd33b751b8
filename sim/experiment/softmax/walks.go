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

// finishRanks adds the curves of one typical row to each line of cells. The row is sampled again
// from the stream of the cell with the longest vectors. The curves are the partial scores of the
// row, as functions of the number of summed components (walks), and its weights after its vectors
// are truncated to the d_k of each cell. A line has no curves if the keys of its longest vectors
// are not in memory together, since [replay.Open] refuses such a cell.
func finishRanks(sampled experiment.SampledCells, doc *result.Document) error {
	lineKey := func(c experiment.Cell) string { return fmt.Sprint(c.Distribution(), rows.Keys(c)) }
	for _, line := range experiment.GroupLines(sampled.Cells, lineKey) {
		longest := line[len(line)-1]
		reader, err := replay.Open(sampled.Seed, sampled.Attempt, longest)
		if err != nil {
			continue
		}
		rowIndex := findTypicalRow(line, reader, doc)
		row, _ := reader.Row(rowIndex)
		doc.Curves = append(doc.Curves, newWalkCurves(longest, row, rowIndex)...)
		for _, c := range line {
			doc.Curves = append(doc.Curves, newWeightCurves(c, row, rowIndex)...)
		}
	}
	return nil
}

// findTypicalRow returns the index of the row of the first block that is nearest to the medians: it
// minimises the largest distance, over all cells of the line and all scalings, between R of the
// truncated row and the median R of the cell.
func findTypicalRow(line []experiment.Cell, reader *replay.Reader, doc *result.Document) (rowIndex int64) {
	minDistance := math.Inf(1)
	medians := names.Map(line, func(c experiment.Cell) []float64 {
		return names.Map(rows.Scalings(c), func(s rows.Scaling) float64 { return medianRelativeTrace(c, s, doc) })
	})
	for i := range blockUnits(line[len(line)-1]) {
		row, _ := reader.Row(i)
		maxDistance := 0.0
		for k, c := range line {
			scores := row.Truncate(len(row.Keys), c.Dimension()).Scores(replay.Standard)
			for j, s := range rows.Scalings(c) {
				r := replay.Measure(scores, s, 1).RelativeTrace
				distance := math.Abs(r - medians[k][j])
				if distance > maxDistance { // false if there is no median and the distance is NaN
					maxDistance = distance
				}
			}
		}
		if maxDistance < minDistance {
			minDistance, rowIndex = maxDistance, i
		}
	}
	return rowIndex
}

// medianRelativeTrace returns the median of R over the rows of a cell under a scaling, or NaN if
// the document does not have this estimate.
func medianRelativeTrace(c experiment.Cell, s rows.Scaling, doc *result.Document) float64 {
	for r := range doc.Rows(c.Experiment.Name, names.Quantile(names.RelativeTrace, 0.5), c.Params(s.Params())) {
		return float64(r.Value)
	}
	return math.NaN()
}

// newWeightCurves returns a curve for each scaling: the weights of the keys of a row whose vectors
// are truncated to the d_k of the cell.
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

// maxWalks is the largest number of keys of a row whose partial scores have a curve.
const maxWalks = 8

// newWalkCurves returns a curve for each of the first keys of a row: the partial scores, which are
// sums over the first components, as a function of their number.
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
