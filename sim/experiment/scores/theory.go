package scores

import (
	"mcsim/sim/experiment"
	"mcsim/sim/statistics/theory"
)

// scoreTheory is what theory knows of the errors of a cell's mean and variance,
// over n scores; theory.Score of independent pairs, theory.Gram of matrices.
type scoreTheory interface {
	Variance() float64
	MeanSE(n int64) float64
	VarianceSE(n int64) float64
	ErrorOfError(n int64) float64 // of s², how well its standard error is known, relatively
	VarianceSkew() float64
	VarianceSingleProductTail(n int64, rise float64) float64
}

// theoryOf returns the theory of the cell's estimator.
func theoryOf(c experiment.Cell) scoreTheory {
	if isGram(c) {
		return gramOf(c)
	}
	return theory.NewScore(c.Distribution(), c.Dimension())
}
