package scores

import (
	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/theory"
)

// spread is what theory knows of the errors of a cell's mean and variance,
// over n scores; theory.Score of independent pairs, theory.Gram of matrices.
type spread interface {
	Variance() float64
	MeanSE(n int64) float64
	VarianceSE(n int64) float64
	VarianceSkew() float64
}

func spreadOf(c experiment.Cell) spread {
	if isGram(c) {
		return gramOf(c)
	}
	return theory.NewScore(c.Law(), c.Dimension())
}

// measured is the variance that a cell's node holds.
type measured struct {
	n                  int64
	variance, se, sure float64
}

func measure(c experiment.Cell, n moments.Node) measured {
	m := n.Moments[0]
	if isGram(c) {
		g := gramOf(c)
		return measured{m.N, n.Moments[1].Mean, g.VarianceSE(m.N), gramSure(g, m.N)}
	}
	s := theory.NewScore(c.Law(), c.Dimension())
	return measured{m.N, m.Variance(), s.VarianceSE(m.N), s.ErrorOfError(m.N)}
}
