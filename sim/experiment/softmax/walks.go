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

// rankLines adds what single rows look like, drawn again from the cells' own streams: of every
// cell the row in the middle under each scaling, and of the longest rows how the scores of
// the first one come about. Cells whose keys are not held at once have no such lines.
func rankLines(cells []experiment.Cell, seed, attempt uint64, doc *result.Document) {
	open := func(c experiment.Cell) *replay.Reader {
		reader, err := replay.Open(seed, attempt, c)
		if err != nil {
			return nil
		}
		return reader
	}
	for _, c := range cells {
		if reader := open(c); reader != nil {
			doc.Curves = append(doc.Curves, middleRows(c, reader, doc)...)
		}
	}
	alike := func(c experiment.Cell) string { return fmt.Sprint(c.Distribution(), rows.Keys(c)) }
	for _, line := range experiment.LinesOf(cells, alike) {
		longest := line[len(line)-1]
		if reader := open(longest); reader != nil {
			doc.Curves = append(doc.Curves, walks(longest, reader)...)
		}
	}
}

// middle is the row whose R is nearest to a median.
type middle struct {
	median, off float64
	row         int64
	weights     []float64 // the greatest first
}

// middleRows are the weights by rank of the row whose R is nearest to the median of all
// rows' under each scaling, of the rows of the cell's first block.
func middleRows(c experiment.Cell, reader *replay.Reader, doc *result.Document) (curves []result.Curve) {
	all, keys := rows.Scalings(c), rows.Keys(c)
	found := make([]middle, len(all))
	for i, s := range all {
		found[i] = middle{median: medianOf(c, s, doc), off: math.Inf(1), weights: make([]float64, keys)}
	}
	scores, weights, others := make([]float64, keys), make([]float64, keys), make([]float64, keys)
	for i := range softmaxUnits(c) {
		row, _ := reader.Row(i)
		for k, s := range row.Scores(replay.Standard) {
			scores[k] = float64(s)
		}
		fall(scores)
		for j, s := range all {
			at := &found[j]
			if off := math.Abs(weigh(scores, s.Factor, weights, others) - at.median); off < at.off {
				at.off, at.row = off, i
				copy(at.weights, weights)
			}
		}
	}
	for j, s := range all {
		if math.IsInf(found[j].off, 1) {
			continue // there is no median
		}
		line := drawnLine(c, names.RankedWeight, names.ParamRank, append(s.Params(), names.ParamRow, float64(found[j].row))...)
		for k, w := range found[j].weights {
			line.X, line.Y = append(line.X, result.Number(k+1)), append(line.Y, result.Number(w))
		}
		curves = append(curves, line)
	}
	return curves
}

// medianOf is the median of R over the rows of a cell under a scaling, NaN if it has none.
func medianOf(c experiment.Cell, s rows.Scaling, doc *result.Document) float64 {
	for r := range doc.Rows(c.Experiment.Name, names.Quantile(names.GradientSurvival, 0.5), c.Params(s.Params()...)) {
		return float64(r.Value)
	}
	return math.NaN()
}

// drawnLine begins a line through what was drawn of a cell.
func drawnLine(c experiment.Cell, quantity, axis string, more ...any) result.Curve {
	return result.Curve{Experiment: c.Experiment.Name, Quantity: quantity, Params: c.Params(more...), Axis: axis, Kind: names.CurveDrawn}
}

// mostWalks is how many keys of a row have a line.
const mostWalks = 8

// walks are the sums of the first products of the scores of the cell's row 0, a line for
// each of its first keys.
func walks(c experiment.Cell, reader *replay.Reader) (curves []result.Curve) {
	row, _ := reader.Row(0)
	for j := range min(mostWalks, len(row.Keys)) {
		line := drawnLine(c, names.PartialScore, names.ParamComponents, "key", float64(j+1), names.ParamRow, 0.0)
		row.Walk(replay.Standard, j, func(components int, sum float32) {
			if replay.HasPoint(components, c.Dimension()) {
				line.X, line.Y = append(line.X, result.Number(components)), append(line.Y, result.Number(sum))
			}
		})
		curves = append(curves, line)
	}
	return curves
}
