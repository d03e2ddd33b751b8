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

// finishRanks adds what one row looks like, drawn again from the stream of the longest rows: how
// its scores come about component by component, and the weights that it would have if vectors had
// as few components as those of the other cells. Cells whose keys are not held at once have no
// such lines.
func finishRanks(sampled experiment.SampledCells, doc *result.Document) error {
	alike := func(c experiment.Cell) string { return fmt.Sprint(c.Distribution(), rows.Keys(c)) }
	for _, line := range experiment.GroupLines(sampled.Cells, alike) {
		longest := line[len(line)-1]
		reader, err := replay.Open(sampled.Seed, sampled.Attempt, longest)
		if err != nil {
			continue
		}
		i := typical(line, reader, doc)
		row, _ := reader.Row(i)
		doc.Curves = append(doc.Curves, walks(longest, row, i)...)
		for _, c := range line {
			doc.Curves = append(doc.Curves, weightsOf(c, row, i)...)
		}
	}
	return nil
}

// typical returns the row of the first block that is nearest to the median at every number of
// components and under every scaling: whose R is, at its farthest, least far from the median R
// of the cell.
func typical(line []experiment.Cell, reader *replay.Reader, doc *result.Document) (found int64) {
	nearest := math.Inf(1)
	medians := names.Map(line, func(c experiment.Cell) []float64 {
		return names.Map(rows.Scalings(c), func(s rows.Scaling) float64 { return medianOf(c, s, doc) })
	})
	for i := range softmaxUnits(line[len(line)-1]) {
		row, _ := reader.Row(i)
		farthest := 0.0
		for k, c := range line {
			scores := row.Head(len(row.Keys), c.Dimension()).Scores(replay.Standard)
			for j, s := range rows.Scalings(c) {
				if distance := math.Abs(replay.Measure(scores, s,
					1).RelativeTrace - medians[k][j]); distance > farthest {
					farthest = distance
				}
			}
		}
		if farthest < nearest {
			nearest, found = farthest, i
		}
	}
	return found
}

// medianOf returns the median of R over the rows of a cell under a scaling, NaN if it has none.
func medianOf(c experiment.Cell, s rows.Scaling, doc *result.Document) float64 {
	for r := range doc.Rows(c.Experiment.Name, names.Quantile(names.RelativeTrace, 0.5), c.Params(s.Params())) {
		return float64(r.Value)
	}
	return math.NaN()
}

// weightsOf returns the weights of the keys of a row, cut to as many components as the cell has, a
// line for each scaling.
func weightsOf(c experiment.Cell, row replay.Row, number int64) (curves []result.Curve) {
	scores := row.Head(len(row.Keys), c.Dimension()).Scores(replay.Standard)
	for _, s := range rows.Scalings(c) {
		line := drawnLine(c, names.KeyWeight, names.ParamKey, s.Params(),
			result.Params{names.ParamRow: float64(number)})
		for j, w := range replay.Measure(scores, s, 1).Weights {
			line.X, line.Y = append(line.X, result.Number(j+1)), append(line.Y, result.Number(w))
		}
		curves = append(curves, line)
	}
	return curves
}

// drawnLine begins a line through what was drawn of a cell.
func drawnLine(c experiment.Cell, quantity, axis string, more ...result.Params) result.Curve {
	return result.Curve{Experiment: c.Experiment.Name, Quantity: quantity, Params: c.Params(more...), Axis: axis,
		Kind: names.CurveDrawn}
}

// maxWalks is how many keys of a row have a line.
const maxWalks = 8

// walks returns the sums of the first products of the scores of a row, a line for each of its first
// keys.
func walks(c experiment.Cell, row replay.Row, number int64) (curves []result.Curve) {
	for j := range min(maxWalks, len(row.Keys)) {
		line := drawnLine(c, names.PartialScore, names.ParamComponents,
			result.Params{names.ParamKey: float64(j + 1), names.ParamRow: float64(number)})
		row.Walk(replay.Standard, j, func(components int, sum float32) {
			if replay.HasPoint(components, c.Dimension()) {
				line.X, line.Y = append(line.X, result.Number(components)), append(line.Y, result.Number(sum))
			}
		})
		curves = append(curves, line)
	}
	return curves
}
