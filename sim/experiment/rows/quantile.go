package rows

import (
	"math"

	"mcsim/sim/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/quantile"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// quantileQuantity is a quantity whose quantiles are reported, the scale of its histogram;
// falling if it falls while the place on it rises.
type quantileQuantity struct {
	experiment.OnScale
	name              string
	histogram         int
	falling, gradient bool
}

// quantileQuantities lists the quantities of a row of so many keys that have quantiles.
func quantileQuantities(keys float64) []quantileQuantity {
	survival := 1 - 1/keys
	collision := func(logit float64) float64 { return 1 - float64(survival*quantile.Share(logit)) }
	collisionSlope := func(logit float64) float64 { return survival * quantile.ShareSlope(logit) }
	effective := experiment.OnScale{
		Back:  func(logit float64) float64 { return 1 / collision(logit) },
		Slope: func(logit float64) float64 { return collisionSlope(logit) / float64(collision(logit)*collision(logit)) },
	}
	share, size := experiment.Shares, experiment.OnScale{Back: elementary.Exp, Slope: elementary.Exp}
	return []quantileQuantity{
		{OnScale: share, name: names.MaxWeight, histogram: histWeight},
		{OnScale: share, name: names.EntropyRatio, histogram: histEntropy},
		{OnScale: experiment.OnScale{Back: collision, Slope: collisionSlope}, name: names.Collision, histogram: histSurvival, falling: true},
		{OnScale: effective, name: names.EffectiveKeys, histogram: histSurvival},
		{OnScale: share, name: names.GradientSurvival, histogram: histSurvival},
		{OnScale: share, name: names.JacobianNorm, histogram: histJacobian},
		{OnScale: share, name: names.OffPeakTrace, histogram: histOffPeak},
		{OnScale: size, name: names.KeyGradient, histogram: histKey, gradient: true},
		{OnScale: size, name: names.QueryGradient, histogram: histQuery, gradient: true},
	}
}

// addQuantiles adds the quantiles of the histograms.
func addQuantiles(f *experiment.Findings, c experiment.Cell, s Scaling, n Sums, l Learnt, gradient bool) {
	// Scores of signs lie on a lattice, and all that softmax makes of them on few values.
	lattice := c.Value(experiment.LawAxis.Name).Name == names.LawRademacher
	for _, q := range quantileQuantities(float64(Keys(c))) {
		if q.gradient && !gradient {
			continue
		}
		for i, p := range quantile.Points {
			at, point := p, i
			if q.falling {
				at, point = 1-p, len(quantile.Points)-1-i
			}
			r := Scaled(c, s, names.Quantile(q.name, p), n.N(), math.NaN(), math.NaN())
			q.add(f, r, n, at, lattice || l.atoms[q.histogram*len(quantile.Points)+point] != 0)
		}
	}
}

// add adds the quantile of the quantity's histogram at the probability p.
func (q quantileQuantity) add(f *experiment.Findings, r result.Estimate, n Sums, p float64, atom bool) {
	h := n.histograms[q.histogram]
	z, half := experiment.LevelZ, quantile.Binomial(n.N(), p)
	if n.Matrix > 1 {
		z, half = n.studentZ(), quantile.Clustered(h, n.squares[q.histogram], p, n.Matrix)
	}
	enough := quantile.Enough(p, n.independent(), z)
	f.AddQuantile(r, quantile.Of(h, p, float64(z*half)), q.OnScale, z, atom, enough)
}

// studentZ is how many standard errors an interval reaches that rests on the scatter of
// matrices.
func (s Sums) studentZ() float64 {
	return theory.StudentQuantile((1-experiment.Level)/2, float64(s.independent()-1))
}
