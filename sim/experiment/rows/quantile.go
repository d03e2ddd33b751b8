package rows

import (
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/statistics/quantile"
	"mcsim/sim/statistics/theory"
)

// The scales of histograms, of numbers of rows of so many keys. A share is the place of its
// logit, a size that of its logarithm.
func ofShare(float64) experiment.OnScale { return experiment.Shares }
func ofSize(float64) experiment.OnScale  { return experiment.Sizes }

// ofCollision is the scale of Σα² in the places of R.
func ofCollision(keys float64) experiment.OnScale {
	uniformTrace := 1 - 1/keys
	return experiment.OnScale{
		Back:  func(logit float64) float64 { return 1 - float64(uniformTrace*quantile.Share(logit)) },
		Slope: func(logit float64) float64 { return uniformTrace * quantile.ShareSlope(logit) },
	}
}

// ofEffective is that of 1/Σα².
func ofEffective(keys float64) experiment.OnScale {
	c := ofCollision(keys)
	return experiment.OnScale{
		Back:  func(logit float64) float64 { return 1 / c.Back(logit) },
		Slope: func(logit float64) float64 { return c.Slope(logit) / float64(c.Back(logit)*c.Back(logit)) },
	}
}

// addQuantiles adds the quantiles of the quantities that have some.
func addQuantiles(f *experiment.CellEstimates, c experiment.Cell, s Scaling, n Sums, l Learnt, gradient bool) {
	// Scores of signs lie on a lattice, and all that softmax makes of them on few values.
	lattice := c.Value(experiment.DistributionAxis.Name).Name == names.DistributionRademacher
	for _, q := range Quantities {
		if q.scale == nil || q.Gradient && !gradient {
			continue
		}
		h, on := n.histograms[q.histogram], q.scale(float64(Keys(c)))
		for i, p := range quantile.Points {
			r := Scaled(c, s, names.Quantile(q.Name, p), n.N(), math.NaN(), math.NaN())
			if q.falling {
				p, i = 1-p, len(quantile.Points)-1-i
			}
			z, half := experiment.LevelZ, quantile.Binomial(n.N(), p)
			if n.Matrix > 1 {
				z, half = n.studentZ(), quantile.Clustered(h, n.squares[q.histogram], p, n.Matrix)
			}
			atom := lattice || l.atoms[q.histogram*len(quantile.Points)+i] != 0
			f.AddQuantile(r, quantile.Of(h, p, float64(z*half)), on, z, atom, quantile.Enough(p, n.independent(), z))
		}
	}
}

// studentZ is how many standard errors an interval reaches that rests on the scatter of
// matrices.
func (s Sums) studentZ() float64 {
	return theory.StudentQuantile((1-experiment.Level)/2, float64(s.independent()-1))
}
