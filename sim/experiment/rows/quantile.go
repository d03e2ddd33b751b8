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
func ofShare(float64) experiment.Transform { return experiment.LogitScale }
func ofSize(float64) experiment.Transform  { return experiment.LogScale }

// ofCollision returns the scale of Σα² in the places of R.
func ofCollision(keys float64) experiment.Transform {
	uniformTrace := 1 - 1/keys
	return experiment.Transform{
		Inverse: func(logit float64) float64 { return 1 - float64(uniformTrace*quantile.FromLogit(logit)) },
		Slope:   func(logit float64) float64 { return uniformTrace * quantile.FromLogitSlope(logit) },
	}
}

// ofEffective returns the scale of 1/Σα² in the places of R.
func ofEffective(keys float64) experiment.Transform {
	c := ofCollision(keys)
	return experiment.Transform{
		Inverse: func(logit float64) float64 { return 1 / c.Inverse(logit) },
		Slope:   func(logit float64) float64 { return c.Slope(logit) / float64(c.Inverse(logit)*c.Inverse(logit)) },
	}
}

// addQuantiles adds the quantiles of the quantities that have some.
func (v view) addQuantiles(f *experiment.CellEstimates) {
	// Scores of signs lie on a lattice, and all that softmax makes of them on few values.
	lattice := v.cell.Value(experiment.DistributionAxis.Name).Name == names.DistributionRademacher
	s, points := v.sums, len(quantile.Probabilities)
	for _, q := range Quantities {
		if q.scale == nil || q.Gradient && !v.gradients {
			continue
		}
		h, scale := s.histograms[q.histogram], q.scale(float64(Keys(v.cell)))
		for i, p := range quantile.Probabilities {
			r := v.estimate(names.Quantile(q.Name, p), s.n(), math.NaN(), math.NaN())
			if q.falling {
				p, i = 1-p, points-1-i
			}
			z, deviation := experiment.LevelZ, quantile.Binomial(s.n(), p)
			if s.matrix > 1 {
				z, deviation = s.studentZ(), quantile.Clustered(h, s.squares[q.histogram], p, s.matrix)
			}
			atom := lattice || v.learnt.atoms[q.histogram*points+i] != 0
			e := quantile.Of(h, p, float64(z*deviation))
			f.AddQuantile(r, e, scale, z, atom, quantile.Enough(p, s.independent(), z))
		}
	}
}

// studentZ returns how many standard errors an interval reaches that rests on the scatter of
// matrices.
func (s sums) studentZ() float64 {
	return theory.StudentQuantile((1-experiment.Level)/2, float64(s.independent()-1))
}
