package precision

import (
	"fmt"
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// tail returns the probability that the score of d unrounded components overflows the format. If
// the way stores the score after the scale, its standard deviation is 1 instead of √d. In exact
// arithmetic no sum on the way there matters; in the worst case one of them passes the limit at
// most twice as often as the last one does (P. Lévy, Théorie de l'addition des variables
// aléatoires, 1937, for symmetric terms).
func tail(w way, d int) float64 {
	limit := w.format.limit
	if w.placement != names.PlacementAfter {
		limit = float64(limit * math.Sqrt(float64(d)))
	}
	return theory.ScoreTail(d, limit)
}

// points is how many points of an octave a line of tails has, and farthest the d_k that it
// goes to, whatever was drawn.
const points, farthest = 4, experiment.MaxDimension

// headroom returns how many times as large scores may be, where the way stores them, before the
// tail is MostOverflow.
func headroom(w way, d int) float64 {
	size := theory.ScoreLimit(d, names.MaxOverflow)
	if w.placement != names.PlacementAfter {
		size /= math.Sqrt(float64(d))
	}
	return w.format.limit / size
}

// finish adds lines of the headroom over d_k, for the ways in which sums are in float32, so
// that the scores that are stored alone can overflow.
func finish(sampled experiment.SampledCells, doc *result.Document) error {
	alike := func(c experiment.Cell) string { return fmt.Sprint(rows.Keys(c), waysOf(c)) }
	for _, line := range experiment.GroupLines(sampled.Cells, alike) {
		x := experiment.CurveWholes([]float64{float64(line[0].Dimension()), farthest}, points)
		for _, w := range waysOf(line[0]) {
			if w.worst() {
				continue
			}
			params := line[0].Params(w.params())
			delete(params, names.ParamDimension)
			y := func(d int) float64 { return headroom(w, d) }
			doc.Curves = append(doc.Curves, experiment.NewCurve(line, x, names.TheoryQuadrature, names.Headroom, params, y))
		}
	}
	return nil
}
