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

// Models draws the heads of released models at initialisation, as the ledger has them. Models
// whose heads differ in nothing but sizes of entries, scales and what the ledger knows share
// their draws: a head's scores are as large as these make them, whatever is drawn.
//
// A unit is one draw of the weights of a head, or of both parts of latent attention, with
// weights.Tokens fresh tokens. What enters a node is a mean square of scores over its theory: of
// pairs of different tokens, and, where no norm stands behind the weights, of all tokens that
// there can be. The gates rest on the second, whose error is exact, else on the first.
var Models = experiment.New(experiment.Experiment{
	Name: names.ExperimentModels,
	Axes: []experiment.Axis{releasedAxis},
	Unit: names.UnitWeightDraw,
	Sampler: &experiment.Sampler{
		MinUnits:   2,
		BlockUnits: func(experiment.Cell) int64 { return 1 },
		Cost:       func(c experiment.Cell) float64 { return released(c).cost() },
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

// shared are the models of one head.
type shared []models.Model

// draws tells heads apart, but for what models share.
func draws(m models.Model) string {
	text := ""
	for _, h := range m.HeadParts() {
		text += fmt.Sprint(h.Shape, h.Scheme.Distribution, h.Normalised, ";")
		if m.IsLatent() { // the parts are of different size
			text += fmt.Sprintf("%.4f", h.LogitVariance()/float64(m.LogitSD()*m.LogitSD()))
		}
	}
	return text
}

// heads are the models whose heads are known, by head, in the order of the ledger.
var heads = sync.OnceValue(func() (all []shared) {
	place := map[string]int{}
	for _, m := range models.All() {
		if !m.HasHead() {
			continue
		}
		i, ok := place[draws(m)]
		if !ok {
			i = len(all)
			place[draws(m)], all = i, append(all, nil)
		}
		all[i] = append(all[i], m)
	}
	return all
})

// headNames call each head by the first model that has it.
func headNames() []string {
	return names.Map(heads(), func(s shared) string { return s[0].TypedName() })
}

// released returns the models of the cell's head.
func released(c experiment.Cell) shared {
	all := heads()
	return all[slices.IndexFunc(all, func(s shared) bool { return s[0].TypedName() == c.Value(names.ParamHeadOf).Name })]
}

// cost returns the cost of all parts.
func (s shared) cost() (sum float64) {
	for _, h := range s[0].HeadParts() {
		sum += drawCost(h)
	}
	return sum
}

// openModels draws the parts of a head a block.
func openModels(c experiment.Cell) experiment.BlockFunc {
	parts := released(c)[0].HeadParts()
	drawers := names.Map(parts, weights.NewSampler)
	return func(d *experiment.BlockStream) moments.Node {
		var pairs, heads, theory float64
		for i, h := range parts {
			m := drawers[i].Sample(&d.Lanes)
			square := float64(h.Scale * h.Scale)
			pairs += float64(square * m.ScoreSquare)
			heads += float64(square * m.WeightsSquare)
			theory += float64(h.LogitVariance())
		}
		one := func(x float64) moments.Moments { return moments.Moments{N: 1, Order: initOrder, Mean: x} }
		return moments.Node{Moments: []moments.Moments{one(pairs / theory), one(heads / theory)}}
	}
}

// spread returns the relative variance of a part's mean square over draws of the weights: over all
// tokens, or over the pairs of some.
func spread(h weights.Head, pairs bool) float64 {
	d, n := float64(h.Shape.Key), h.ParticipationRatio()
	const tokens = weights.Tokens
	switch {
	case h.Normalised:
		// Squares of cosines of independent directions are uncorrelated, each of the relative
		// variance 2(d−1)/(d+2); to first order heads add Head.RelativeVariance without lengths.
		return float64(2*(d-1)/(d+2))/(tokens*(tokens-1)) + 2/float64(n*n)
	case pairs: // those of theory.Gram with the tokens as queries and keys, normal components, none with itself
		return h.RelativeVariance() + (2+6/d+4*(tokens-2)/d)/(tokens*(tokens-1))
	}
	return h.RelativeVariance()
}

// se returns the relative standard error of the mean over n draws.
func (s shared) se(n int64, pairs bool) float64 {
	var variance, whole float64
	for _, h := range s[0].HeadParts() {
		v := float64(h.LogitVariance())
		variance += float64(float64(v*v) * spread(h, pairs))
		whole += v
	}
	return math.Sqrt(variance/float64(n)) / whole
}

// normalised reports whether a norm stands behind the weights, so that they alone do not tell.
func (s shared) normalised() bool { return s[0].HeadParts()[0].Normalised }

// modelEstimates returns the ratio that is judged, and each model's logits: the theory of each with
// what pairs of tokens showed.
func modelEstimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	sameHead := released(c)
	pairs, judged := n.Moments[0], n.Moments[1]
	if sameHead.normalised() {
		judged = pairs
	}
	add := func(quantity string, value, se, theory float64, more ...result.Params) {
		r := experiment.WithTheory(c.Estimate(quantity, pairs.N, value, se, more...), theory)
		f.AddExact(r, 0, judgedSkew*sameHead.se(1, true))
	}
	add(names.VarianceRatio, judged.Mean, sameHead.se(pairs.N, sameHead.normalised()), 1)
	for _, m := range sameHead {
		sd, se := m.LogitSD(), sameHead.se(pairs.N, true)
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

// modelChecks: the ratio is 1 within the tolerance.
func modelChecks(c experiment.Cell) []gate.Check {
	sameHead := released(c)
	se := func(n int64) float64 { return sameHead.se(n, sameHead.normalised()) }
	skew := judgedSkew * sameHead.se(1, sameHead.normalised())
	return []gate.Check{c.NewVarianceCheck("logit variance", names.VarianceRatio, 1, skew, se)}
}

// finishModels adds the standard deviation above which rows are concentrated, over their keys.
func finishModels(sampled experiment.SampledCells, doc *result.Document) error {
	line := result.Curve{Experiment: sampled.Cells[0].Experiment.Name, Quantity: names.FreezingSigma,
		Params: result.Params{}, Axis: names.ParamContext, Kind: names.TheoryLimit}
	for n := 8; n <= 1<<24; n *= 2 {
		line.X = append(line.X, result.Number(n))
		line.Y = append(line.Y, result.Number(theory.FreezingSigma(n)))
	}
	doc.Curves = append(doc.Curves, line)
	return nil
}
