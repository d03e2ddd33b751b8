package scores

import (
	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/theory"
)

// scoreTheory is what theory knows of the errors of a cell's mean and variance,
// over n scores; theory.Score of independent pairs, theory.Gram of matrices.
type scoreTheory interface {
	Variance() float64
	MeanSE(n int64) float64
	VarianceSE(n int64) float64
	VarianceSkew() float64
	VarianceSingle(n int64, rise float64) float64
}

// theoryOf is the theory of the cell's estimator.
func theoryOf(c experiment.Cell) scoreTheory {
	if isGram(c) {
		return gramOf(c)
	}
	return theory.NewScore(c.Law(), c.Dimension())
}

// sampleVariance is the variance of n scores that a cell's node holds, with its exact
// standard error and how well that is known, relatively.
type sampleVariance struct {
	n                          int64
	variance, se, errorOfError float64
	skewness                   float64 // of what one score contributes
}

// sampleVarianceOf reads the variance off a node of either estimator.
func sampleVarianceOf(c experiment.Cell, n moments.Node) sampleVariance {
	m := n.Moments[0]
	if isGram(c) {
		g := gramOf(c)
		return sampleVariance{m.N, n.Moments[1].Mean, g.VarianceSE(m.N), gramErrorOfError(g, m.N), g.VarianceSkew()}
	}
	s := theory.NewScore(c.Law(), c.Dimension())
	return sampleVariance{m.N, m.Variance(), s.VarianceSE(m.N), s.ErrorOfError(m.N), s.VarianceSkew()}
}
