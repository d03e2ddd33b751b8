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

// overflowTail returns the probability that a score of d unrounded components overflows the format.
// If the scale is applied before the score is stored, the standard deviation of the score is 1
// instead of √d. The overflow of partial sums of the score is ignored: in float32 they do not
// overflow, and in the worst case the probability that some partial sum exceeds the limit is at
// most twice the returned one (P. Lévy, Théorie de l'addition des variables aléatoires, 1937, for
// symmetric terms).
func overflowTail(cfg config, d int) float64 {
	limit := cfg.format.overflowLimit
	if cfg.placement != names.PlacementAfter {
		limit = float64(limit * math.Sqrt(float64(d)))
	}
	return theory.ScoreTail(d, limit)
}

// curvePointsPerOctave is the number of points per octave of a curve of headrooms. The curve
// extends to maxCurveDimension, even if the cells have smaller d_k.
const curvePointsPerOctave, maxCurveDimension = 4, experiment.MaxDimension

// headroom returns the factor by which the stored scores may be multiplied before the probability
// of an overflow reaches names.MaxOverflow.
func headroom(cfg config, d int) float64 {
	maxScore := theory.ScoreLimit(d, names.MaxOverflow) // exceeded with the probability MaxOverflow
	if cfg.placement != names.PlacementAfter {
		maxScore /= math.Sqrt(float64(d))
	}
	return cfg.format.overflowLimit / maxScore
}

// finish adds the curves of the headroom as a function of d_k, for the configs with sums in
// float32, in which only the stored scores can overflow.
func finish(sampled experiment.SampledCells, doc *result.Document) error {
	lineKey := func(c experiment.Cell) string { return fmt.Sprint(rows.Keys(c), cellConfigs(c)) }
	for _, line := range experiment.GroupLines(sampled.Cells, lineKey) {
		x := experiment.CurveWholes([]float64{float64(line[0].Dimension()), maxCurveDimension}, curvePointsPerOctave)
		for _, cfg := range cellConfigs(line[0]) {
			if cfg.isWorstCase() {
				continue
			}
			params := line[0].Params(cfg.params())
			delete(params, names.ParamDimension)
			y := func(d int) float64 { return headroom(cfg, d) }
			doc.Curves = append(doc.Curves,
				experiment.NewCurve(line, x, names.TheoryQuadrature, names.Headroom, params, y))
		}
	}
	return nil
}
