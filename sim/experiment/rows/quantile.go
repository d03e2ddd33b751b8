package rows

import (
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/statistics/quantile"
	"mcsim/sim/statistics/theory"
)

func newLogitTransform(float64) experiment.Transform { return experiment.LogitScale }
func newLogTransform(float64) experiment.Transform   { return experiment.LogScale }

// newCollisionTransform returns the transform from logit R to Σα² = 1 − (1 − 1/n)·R for n keys.
func newCollisionTransform(keys float64) experiment.Transform {
	uniformTrace := 1 - 1/keys
	return experiment.Transform{
		Inverse: func(logit float64) float64 { return 1 - float64(uniformTrace*quantile.FromLogit(logit)) },
		Slope:   func(logit float64) float64 { return uniformTrace * quantile.FromLogitSlope(logit) },
	}
}

// newEffectiveKeysTransform returns the transform from logit R to 1/Σα².
func newEffectiveKeysTransform(keys float64) experiment.Transform {
	collision := newCollisionTransform(keys)
	return experiment.Transform{
		Inverse: func(logit float64) float64 { return 1 / collision.Inverse(logit) },
		Slope: func(logit float64) float64 {
			x := collision.Inverse(logit)
			return collision.Slope(logit) / float64(x*x)
		},
	}
}

// addQuantiles adds the quantiles of the quantities that have a transform.
func (v scalingView) addQuantiles(f *experiment.CellEstimates) {
	// Scores of signs are on a lattice, so quantities of their rows have few values.
	lattice := v.cell.Value(experiment.DistributionAxis.Name).Name == names.DistributionRademacher
	s, probabilities := v.sums, len(quantile.Probabilities)
	for _, q := range Quantities {
		isMissing := q.Gradient && !v.gradients
		if q.quantileScale == nil || isMissing {
			continue
		}
		h, scale := s.histograms[q.histogram], q.quantileScale(float64(Keys(v.cell)))
		for i, p := range quantile.Probabilities {
			r := v.estimate(names.Quantile(q.Name, p), s.rowCount(), math.NaN(), math.NaN())
			if q.isFalling { // the quantile of the position is at the other end
				p, i = 1-p, probabilities-1-i
			}
			z, sd := experiment.LevelZ, quantile.BinomialSE(s.rowCount(), p)
			if s.matrixRows > 1 {
				z, sd = s.studentZ(), quantile.ClusteredSE(h, s.squares[q.histogram], p, s.matrixRows)
			}
			f.AddQuantile(r, experiment.MeasuredQuantile{
				Estimate: quantile.NewEstimate(h, p, float64(z*sd)), Z: z,
				OnAtom:           lattice || v.pilot.atoms[q.histogram*probabilities+i] != 0,
				HasEnoughNumbers: quantile.IsEnough(p, s.independentCount(), z),
			}, scale)
		}
	}
}

// studentZ returns the quantile of Student's distribution that replaces LevelZ in intervals from
// the scatter of matrices.
func (s sums) studentZ() float64 {
	return theory.StudentQuantile((1-experiment.Level)/2, float64(s.independentCount()-1))
}
