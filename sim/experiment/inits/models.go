package inits

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"mcsim/sim/attention/models"
	"mcsim/sim/attention/weights"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// Models samples the heads of released models at initialisation, as the ledger describes them.
// Models whose heads differ only in the size of entries, in scales and in facts of the ledger
// share their draws, since these only multiply the scores.
//
// A unit is one draw of the weights of a head, or of both parts of latent attention, with
// weights.Tokens new tokens. Two mean squares of scores enter a node, each divided by its theory:
// over pairs of different tokens, and, if the weights are not followed by a norm, over all
// possible tokens. The gates use the second, whose standard error is exact, or else the first.
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
		Estimates:     modelEstimates,
		Finish:        finishModels,
		ImpliedParams: []string{names.ParamHeadOf, names.ParamYear, names.ParamEvidence, names.ParamContext},
	},
	Judge: experiment.Judge{Checks: modelChecks},
})

var releasedAxis = experiment.RestrictToNames(experiment.Axis{
	Name: names.ParamHeadOf, Names: headNames, DefaultsToAll: true, Probe: "gpt-1"})

var modelColumns = []experiment.Column{{Name: "pairs", Order: initOrder}, {Name: "heads", Order: initOrder}}

// headGroup is the models that share the draws of one head.
type headGroup []models.Model

// headID returns a text that is equal for models that share their draws.
func headID(m models.Model) string {
	text := ""
	for _, h := range m.HeadParts() {
		text += fmt.Sprint(h.Shape, h.Scheme.Distribution, h.Normalised, ";")
		if m.IsLatent() { // the parts have different sizes
			text += fmt.Sprintf("%.4f", h.LogitVariance()/float64(m.LogitSD()*m.LogitSD()))
		}
	}
	return text
}

// headGroups returns the models with known heads, grouped by shared draws, in the order of the
// ledger.
var headGroups = sync.OnceValue(func() (groups []headGroup) {
	groupIndex := map[string]int{}
	for _, m := range models.All() {
		if !m.HasHead() {
			continue
		}
		i, ok := groupIndex[headID(m)]
		if !ok {
			i = len(groups)
			groupIndex[headID(m)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], m)
	}
	return groups
})

// headNames returns the name of each group: the first model in it.
func headNames() []string {
	return names.Map(headGroups(), func(g headGroup) string { return g[0].TypedName() })
}

// cellHeadGroup returns the models that share the draws of the cell.
func cellHeadGroup(c experiment.Cell) headGroup {
	groups, name := headGroups(), c.Value(names.ParamHeadOf).Name
	return groups[slices.IndexFunc(groups, func(g headGroup) bool { return g[0].TypedName() == name })]
}

// cost returns the cost of a draw of all parts.
func (g headGroup) cost() (sum float64) {
	for _, h := range g[0].HeadParts() {
		sum += drawCost(h)
	}
	return sum
}

// openModels samples the parts of one head per block.
func openModels(c experiment.Cell) experiment.BlockFunc {
	parts := cellHeadGroup(c)[0].HeadParts()
	samplers := names.Map(parts, weights.NewSampler)
	return func(d *experiment.BlockStream) moments.Node {
		var pairs, squares, theory float64
		for i, h := range parts {
			m := samplers[i].Sample(&d.Lanes)
			square := float64(h.Scale * h.Scale)
			pairs += float64(square * m.ScoreSquare)
			squares += float64(square * m.WeightsSquare)
			theory += float64(h.LogitVariance())
		}
		newMoments := func(x float64) moments.Moments { return moments.Moments{N: 1, Order: initOrder, Mean: x} }
		return moments.Node{Moments: []moments.Moments{newMoments(pairs / theory), newMoments(squares / theory)}}
	}
}

// relativeVariance returns the relative variance over draws of the weights of a part's mean
// square: over all tokens, or over pairs of weights.Tokens tokens.
func relativeVariance(h weights.Head, pairs bool) float64 {
	d, n := float64(h.Shape.Key), h.ParticipationRatio()
	const tokens = weights.Tokens
	switch {
	case h.Normalised:
		// Squared cosines of independent directions are uncorrelated, each with the relative
		// variance 2(d−1)/(d+2). To first order, heads add Head.RelativeVariance without the terms
		// of lengths.
		return float64(2*(d-1)/(d+2))/(tokens*(tokens-1)) + 2/float64(n*n)
	case pairs: // as in theory.Gram, with tokens as queries and keys, normal components, and no token with itself
		return h.RelativeVariance() + (2+6/d+4*(tokens-2)/d)/(tokens*(tokens-1))
	}
	return h.RelativeVariance()
}

// se returns the relative standard error of the mean over n draws.
func (g headGroup) se(n int64, pairs bool) float64 {
	var variance, total float64
	for _, h := range g[0].HeadParts() {
		v := float64(h.LogitVariance())
		variance += float64(float64(v*v) * relativeVariance(h, pairs))
		total += v
	}
	return math.Sqrt(variance/float64(n)) / total
}

// isNormalised reports whether a norm follows the weights. Then the weights do not determine the
// logits.
func (g headGroup) isNormalised() bool { return g[0].HeadParts()[0].Normalised }

// modelEstimates returns the ratio that is gated, and the logits of each model: its theory, and
// the theory times the measured ratio over pairs.
func modelEstimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	group := cellHeadGroup(c)
	pairs, gated := n.Moments[0], n.Moments[1]
	if group.isNormalised() {
		gated = pairs
	}
	add := func(quantity string, value, se, theory float64, extra ...result.Params) {
		r := experiment.WithTheory(c.Estimate(quantity, pairs.N, value, se, extra...), theory)
		f.AddExact(r, 0, skewPerSpread*group.se(1, true))
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
	}
	return f
}

// modelChecks returns the gate: the ratio is 1 within the tolerance.
func modelChecks(c experiment.Cell) []gate.Check {
	group := cellHeadGroup(c)
	se := func(n int64) float64 { return group.se(n, group.isNormalised()) }
	skew := skewPerSpread * group.se(1, group.isNormalised())
	return []gate.Check{c.NewVarianceCheck("logit variance", names.VarianceRatio, 1, skew, se)}
}

// finishModels adds the standard deviation of logits above which rows are concentrated, over the
// number of keys.
func finishModels(sampled experiment.SampledCells, doc *result.Document) error {
	curve := result.Curve{Experiment: sampled.Cells[0].Experiment.Name, Quantity: names.FreezingSigma,
		Params: result.Params{}, Axis: names.ParamContext, Kind: names.TheoryLimit}
	for n := 8; n <= 1<<24; n *= 2 {
		curve.X = append(curve.X, result.Number(n))
		curve.Y = append(curve.Y, result.Number(theory.FreezingSigma(n)))
	}
	doc.Curves = append(doc.Curves, curve)
	return nil
}
