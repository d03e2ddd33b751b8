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

// finishRanks adds the curves of two typical rows to each line of cells. The rows are sampled again
// from the stream of the cell with the longest vectors. The curves are the partial scores of one
// row, as functions of the number of summed components (walks), and the weights of the other after
// its vectors are truncated to the d_k of each cell. A line has no curves if the keys of its
// longest vectors are not in memory together, since [replay.Open] refuses such a cell.
func finishRanks(sampled experiment.SampledCells, doc *result.Document) error {
	lineKey := func(c experiment.Cell) string { return fmt.Sprint(c.Distribution(), rows.Keys(c)) }
	for _, line := range experiment.GroupLines(sampled.Cells, lineKey) {
		longest := line[len(line)-1]
		reader, err := replay.Open(sampled.Seed, sampled.Attempt, longest)
		if err != nil {
			continue
		}
		walksIndex := findTypicalWalks(line, reader)
		row, _ := reader.Row(walksIndex)
		doc.Curves = append(doc.Curves, newWalkCurves(longest, row, walksIndex)...)
		rowIndex := findTypicalRow(line, reader, doc)
		row, _ = reader.Row(rowIndex)
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
	medians := names.Map(line, func(c experiment.Cell) []float64 {
		return names.Map(rows.Scalings(c), func(s rows.Scaling) float64 { return medianRelativeTrace(c, s, doc) })
	})
	return findNearestRow(line, reader, func(row replay.Row) (maxDistance float64) {
		for k, c := range line {
			scores := row.Truncate(len(row.Keys), c.Dimension()).Scores(replay.Standard)
			for j, s := range rows.Scalings(c) {
				r := replay.Measure(scores, s, 1).RelativeTrace
				if distance := math.Abs(r - medians[k][j]); distance > maxDistance { // false without a median
					maxDistance = distance
				}
			}
		}
		return maxDistance
	})
}

// findTypicalWalks returns the index of the row of the first block whose partial scores are nearest
// to theory: it minimises the largest |M − 1| over all d ≥ minWalkComponents of the curves, where M
// is the mean of s²/d over the keys that have curves. M has the expected value 1.
func findTypicalWalks(line []experiment.Cell, reader *replay.Reader) (rowIndex int64) {
	longest := line[len(line)-1]
	return findNearestRow(line, reader, func(row replay.Row) (maxDistance float64) {
		curves := newWalkCurves(longest, row, 0)
		for i, d := range curves[0].X {
			meanSquare := 0.0
			for _, c := range curves {
				meanSquare += float64(c.Y[i] * c.Y[i] / (d * result.Number(len(curves))))
			}
			if d >= minWalkComponents {
				maxDistance = max(maxDistance, math.Abs(meanSquare-1))
			}
		}
		return maxDistance
	})
}

// findNearestRow returns the index of the first of the rows of the first block with the smallest
// distance.
func findNearestRow(line []experiment.Cell, reader *replay.Reader, distance func(replay.Row) float64) (index int64) {
	minDistance := math.Inf(1)
	for i := range blockUnits(line[len(line)-1]) {
		row, _ := reader.Row(i)
		if d := distance(row); d < minDistance {
			minDistance, index = d, i
		}
	}
	return index
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

const (
	maxWalks          = 8 // largest number of keys of a row whose partial scores have a curve
	minWalkComponents = 8 // sums of fewer products do not count for the choice of the row
)

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
