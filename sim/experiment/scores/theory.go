package scores

import (
	"mcsim/sim/experiment"
	"mcsim/sim/statistics/theory"
)

// scoreTheory has the exact standard errors of the mean and the variance of n scores. The types
// theory.Score for independent pairs and theory.Gram for matrices implement it.
type scoreTheory interface {
	Variance() float64
	MeanSE(n int64) float64
	VarianceSE(n int64) float64
	ErrorOfError(n int64) float64 // relative error of the standard error of s² from a sample
	VarianceSkew() float64
	VarianceSingleProductTail(n int64, rise float64) float64
}

func newTheory(c experiment.Cell) scoreTheory {
	if isGram(c) {
		return newGramTheory(c)
	}
	return theory.NewScore(c.Distribution(), c.Dimension())
}
