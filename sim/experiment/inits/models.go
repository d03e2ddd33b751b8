package inits

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"mcsim/sim/attention/models"
	"mcsim/sim/attention/reach"
	"mcsim/sim/attention/weights"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// Models samples the heads of released models at initialisation, as the ledger (the table of
// package models) describes them. Models share their draws if their heads differ only in the size
// of the entries of the weights and in the scale, which only multiply the scores.
//
// A unit is one draw of the weights of a head with weights.Tokens new tokens. (A head with latent
// attention has two parts with their own weights.) Two mean squares of scores enter a node, each
// divided by its value by theory: the mean over pairs of different tokens, and the mean over all
// possible tokens, which is known if a norm does not follow the weights. The gates judge the
// second, whose standard error is exact, or else the first.
var Models = experiment.New(experiment.Experiment{
	Name: names.ExperimentModels,
	Axes: []experiment.Axis{releasedAxis},
	Unit: names.UnitWeightDraw,
	Sampler: &experiment.Sampler{
		MinUnits:   2,
		BlockUnits: func(experiment.Cell) int64 { return 1 },
		Cost:       func(c experiment.Cell) float64 { return cellHeadGroup(c).cost() },
		Columns:    func(experiment.Cell) []experiment.Column { return modelColumns },
		Open:       openModels,
		Headline:   names.VarianceRatio,
	},
	Reader: experiment.Reader{
		Estimates: modelEstimates,
		Finish:    finishModels,
		ImpliedParams: []string{names.ParamHeadOf, names.ParamYear, names.ParamEvidence, names.ParamContext,
			names.ParamDimension},
	},
	Judge: experiment.Judge{Checks: modelChecks},
})

var releasedAxis = experiment.RestrictToNames(experiment.Axis{
	Name: names.ParamHeadOf, Names: headNames, DefaultsToAll: true, Probe: "gpt-1"})

var modelColumns = []experiment.Column{{Name: "pairs", Order: initOrder}, {Name: "heads", Order: initOrder}}

// headGroup has the models that share the draws of one head.
type headGroup []models.Model

// headID returns a text that is equal for models that share their draws.
func headID(m models.Model) string {
	text := ""
	for _, h := range m.HeadParts() {
		text += fmt.Sprint(h.Shape, h.Scheme.Distribution, h.Normalised, ";")
		if m.IsLatent() { // the parts have different variances
			text += fmt.Sprintf("%.4f", h.LogitVariance()/float64(m.LogitSD()*m.LogitSD()))
		}
	}
	return text
}

// headGroups returns the groups of the models with known heads, in the order of the ledger.
var headGroups = sync.OnceValue(func() []headGroup {
	withHead := slices.DeleteFunc(slices.Clone(models.All()), func(m models.Model) bool { return !m.HasHead() })
	return names.Map(experiment.GroupBy(withHead, headID), func(g []models.Model) headGroup { return g })
})

// headNames returns the name of each group, which is the name of its first model.
func headNames() []string {
	return names.Map(headGroups(), func(g headGroup) string { return g[0].TypedName() })
}

// cellHeadGroup returns the models that share the draws of the cell.
func cellHeadGroup(c experiment.Cell) headGroup {
	name := c.Value(names.ParamHeadOf).Name
	i := slices.IndexFunc(headGroups(), func(g headGroup) bool { return g[0].TypedName() == name })
	return headGroups()[i]
}

// cost returns the cost of a draw of all parts of the head.
func (g headGroup) cost() (sum float64) {
	for _, h := range g[0].HeadParts() {
		sum += drawCost(h)
	}
	return sum
}

// openModels returns the function that samples all parts of one head for each block.
func openModels(c experiment.Cell) experiment.BlockFunc {
	parts := cellHeadGroup(c)[0].HeadParts()
	samplers := names.Map(parts, weights.NewSampler)
	return func(b *experiment.BlockStream) moments.Node {
		var overPairs, overAllTokens, expected float64 // mean squares of logits
		for i, h := range parts {
			m := samplers[i].Sample(&b.Lanes)
			squareScale := float64(h.Scale * h.Scale)
			overPairs += float64(squareScale * m.ScoreSquare)
			overAllTokens += float64(squareScale * m.WeightsSquare)
			expected += float64(h.LogitVariance())
		}
		newMoments := func(x float64) moments.Moments { return moments.Moments{N: 1, Order: initOrder, Mean: x} }
		return moments.Node{Moments: []moments.Moments{
			newMoments(overPairs / expected), newMoments(overAllTokens / expected)}}
	}
}

// relativeVariance returns the relative variance, over draws of a part of a head, of the mean
// square of its scores. The mean is over the pairs of weights.Tokens tokens if overPairs is true,
// and otherwise over all possible tokens.
func relativeVariance(h weights.Head, overPairs bool) float64 {
	d, participationRatio := float64(h.Shape.Key), h.ParticipationRatio()
	const tokens = weights.Tokens
	switch {
	case h.Normalised:
		// Squared cosines of independent directions are uncorrelated, each with the relative
		// variance 2(d−1)/(d+2). To first order, the heads contribute Head.RelativeVariance without
		// the terms that come from the lengths of vectors.
		return float64(2*(d-1)/(d+2))/(tokens*(tokens-1)) + 2/float64(participationRatio*participationRatio)
	case overPairs: // as in theory.Gram for normal components, but the tokens are both the queries and the keys
		return h.RelativeVariance() + (2+6/d+4*(tokens-2)/d)/(tokens*(tokens-1))
	}
	return h.RelativeVariance()
}

// se returns the relative standard error of the mean over n draws. overPairs is as in
// relativeVariance.
func (g headGroup) se(n int64, overPairs bool) float64 {
	var variance, total float64
	for _, h := range g[0].HeadParts() {
		v := float64(h.LogitVariance())
		variance += float64(float64(v*v) * relativeVariance(h, overPairs))
		total += v
	}
	return math.Sqrt(variance/float64(n)) / total
}

// isNormalised reports whether a norm follows the weights. The mean square over all possible tokens
// is then not known.
func (g headGroup) isNormalised() bool { return g[0].HeadParts()[0].Normalised }

// modelEstimates returns the ratio of the measured variance to theory that the gate judges, and for
// each model the variance and the standard deviation of its logits. These are the values by theory
// times the ratio over pairs or its square root.
func modelEstimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	group := cellHeadGroup(c)
	pairs, gated := n.Moments[0], n.Moments[1]
	if group.isNormalised() {
		gated = pairs
	}
	add := func(quantity string, value, se, theory float64, extra ...result.Params) {
		r := experiment.WithTheory(c.Estimate(quantity, pairs.N, value, se, extra...), theory)
		f.AddExact(r, 0, skewPerRelativeSD*group.se(1, true))
	}
	add(names.VarianceRatio, gated.Mean, group.se(pairs.N, group.isNormalised()), 1)
	for _, m := range group {
		sd, se := m.LogitSD(), group.se(pairs.N, true)
		params := result.Params{names.ParamPublished: m.TypedName(), names.ParamYear: float64(m.Year),
			names.ParamEvidence: m.Evidence}
		if m.Context > 0 {
			params[names.ParamContext] = float64(m.Context)
		}
		add(names.LogitVariance, float64(sd*sd)*pairs.Mean, float64(sd*sd)*se, float64(sd*sd), params)
		add(names.LogitSD, sd*math.Sqrt(pairs.Mean), sd*se/2, sd, params)
		if x := reach.OfModel(m); !math.IsNaN(x) {
			r := c.Estimate(names.Reach, pairs.N, x, 0, params, result.Params{names.ParamDimension: float64(m.Key)})
			// It is by theory only, so the interval has no width.
			r.Theory, r.TheoryKind = r.Value, names.TheoryQuadrature
			r.Lo, r.Hi, r.Level = r.Value, r.Value, experiment.Level
			f.Estimates = append(f.Estimates, r)
		}
	}
	return f
}

// modelChecks returns the gate that requires the ratio to be 1 within the tolerance.
func modelChecks(c experiment.Cell) []gate.Check {
	group := cellHeadGroup(c)
	se := func(n int64) float64 { return group.se(n, group.isNormalised()) }
	skew := skewPerRelativeSD * group.se(1, group.isNormalised())
	return []gate.Check{c.NewVarianceCheck("logit variance", names.VarianceRatio, 1, skew, se)}
}

// finishModels adds curves as functions of the number of keys: the standard deviation of logits above
// which rows are concentrated, and the reach under a norm of each head and the scale 1/√d_k.
func finishModels(sampled experiment.SampledCells, doc *result.Document) error {
	addCurve := func(quantity, kind string, params result.Params, perOctave int, y func(n int) float64) {
		curve := result.Curve{Experiment: sampled.Cells[0].Experiment.Name, Quantity: quantity,
			Params: params, Axis: names.ParamContext, Kind: kind}
		for i := 3 * perOctave; i <= 24*perOctave; i++ {
			n := int(math.Round(elementary.Pow(2, float64(i)/float64(perOctave))))
			curve.X = append(curve.X, result.Number(n))
			curve.Y = append(curve.Y, result.Number(y(n)))
		}
		doc.Curves = append(doc.Curves, curve)
	}
	addCurve(names.FreezingSigma, names.TheoryLimit, result.Params{}, 1, theory.FreezingSigma)
	for _, d := range []int{128, 256, 512} {
		a := math.Sqrt(float64(d))
		addCurve(names.Reach, names.TheoryQuadrature, result.Params{names.ParamDimension: float64(d)}, 4,
			func(n int) float64 { return reach.Moments(n-1, d, a, a)[0] })
	}
	return nil
}
