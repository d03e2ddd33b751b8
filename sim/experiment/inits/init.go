// Package inits measures what an initialisation of W_Q and W_K makes of the logits of a
// head: Glorot's, He's, those of frameworks, each with its own score scale. The schemes
// with their sources, and the drawing of a head, are [mcsim/sim/attention/weights]; here are the
// experiment and its gates (init.go), what its rows are and when they have an interval
// (estimates.go), and what the document says of schemes and models (schemes.go).
//
// Depth (depth.go) goes on from one head to a stack of layers at initialisation (stack.go).
package inits

import (
	"math"

	"mcsim/sim/attention/weights"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
)

// Experiment measures what an initialisation of W_Q and W_K makes of queries, keys and
// logits of layer-normed tokens.
//
// A unit is one draw of the weights with 256 fresh tokens, each a query and a key.
// All that is measured in it is dependent. So each number that enters a node is
// the mean over one draw, and all errors come from draws.
//
// What a draw shows over its tokens has no error in closed form. What its weights
// say of all tokens, the mean square of a head's logits, has one, exactly; its
// mean is the same logit variance, and that is what the gates judge.
var Experiment = experiment.New(experiment.Experiment{
	Name: names.ExperimentInit,
	Axes: []experiment.Axis{InitAxis, modelAxis, headDimensionAxis},
	Unit: names.UnitWeightDraw,
	Sampler: &experiment.Sampler{
		MinUnits:   64,
		BlockUnits: func(experiment.Cell) int64 { return 1 },
		Cost:       func(c experiment.Cell) float64 { return drawCost(head(c)) },
		Columns:    initColumns,
		Open:       openInit,
		Headline:   names.LogitVariance,
	},
	Reader: experiment.Reader{
		Estimates: initEstimates,
		Finish:    finishInit,
		// Its error is exact, where that of the headline is learned from a few dozen draws.
		HeadlineRow: func(experiment.Cell) (string, result.Params) { return names.HeadVariance, nil },
	},
	Judge: experiment.Judge{Refuse: refuseInit, Checks: initChecks},
})

// InitAxis is the scheme by which W_Q and W_K are drawn.
var InitAxis = experiment.RestrictToNames(experiment.Axis{Name: names.ParamInit, Names: weights.Names, DefaultsToAll: true,
	Probe: names.InitTorchMHA})

var (
	modelAxis         = experiment.CountAxis(names.ParamModel, 2, weights.MaxModel, "768")
	headDimensionAxis = experiment.CountAxis(names.ParamDimension, 1, weights.MaxKey, "64")
)

// head returns the cell's scheme at its shape.
func head(c experiment.Cell) weights.Head {
	scheme, ok := weights.Lookup(c.Value(InitAxis.Name).Name)
	if !ok {
		panic("inits: a cell holds an initialisation that does not exist")
	}
	return scheme.Head(weights.Shape{Model: int(c.Value(modelAxis.Name).Number), Key: c.Dimension()})
}

// refuseInit refuses shapes that the scheme cannot have: more orthonormal columns than
// components, or a width that is no whole number of heads.
func refuseInit(c experiment.Cell, _ bool) error {
	h := head(c)
	switch {
	case h.Scheme.IsOrthogonal() && h.Shape.Key > h.Shape.Model:
		return headDimensionAxis.Errorf("%d columns of %d components cannot be orthogonal: d_k is at most d_model",
			h.Shape.Key, h.Shape.Model)
	case h.Heads == 0:
		return modelAxis.Errorf("d_model = %d is no whole number of heads of d_k = %d; it is a multiple, such as %d",
			h.Shape.Model, h.Shape.Key, max(1, h.Shape.Model/h.Shape.Key)*h.Shape.Key)
	}
	return nil
}

// drawCost returns the cost of a draw of a head, in sampled components: a product takes a thirtieth
// of one, a score that is squared and added 3, and the products that make columns orthogonal one
// and a half each.
func drawCost(h weights.Head) float64 {
	d, k := float64(h.Shape.Model), float64(h.Shape.Key)
	drawn := float64(d * (weights.Tokens + float64(2*k)))
	projected := float64(2 * d * k * weights.Tokens)
	scored := float64(weights.Tokens * weights.Tokens * k)
	columns := float64(2 * d * k * k)
	if h.Scheme.IsOrthogonal() {
		columns *= 45
	}
	return math.Ceil(drawn + 3*weights.Tokens*weights.Tokens + (projected+scored+columns)/30)
}

// The columns of a node, in the order of the fields of weights.Measures.
const (
	drawQuery = iota
	drawKey
	drawScore
	drawSame
	drawSameMean
	drawTokens
	drawHead
	drawHeadSame
	drawNumbers
)

var drawNames = [drawNumbers]string{
	"query_square", "key_square", "score_square", "same_square",
	"same_score", "token_square", "head_square", "head_same",
}

// initOrder is what the error of a mean over draws needs.
const initOrder = 2

// initColumns: one for each number of a draw, in the order of drawNames.
func initColumns(experiment.Cell) []experiment.Column {
	columns := make([]experiment.Column, drawNumbers)
	for i, name := range drawNames {
		columns[i] = experiment.Column{Name: name, Order: initOrder}
	}
	return columns
}

// openInit draws one head with its tokens a block.
func openInit(c experiment.Cell) experiment.BlockFunc {
	drawer := weights.NewSampler(head(c))
	return func(d *experiment.BlockStream) moments.Node {
		var n moments.Node
		m := drawer.Sample(&d.Lanes)
		for _, x := range [drawNumbers]float64{
			m.QuerySquare, m.KeySquare, m.ScoreSquare, m.SelfSquare,
			m.SelfScore, m.TokenSquare, m.WeightsSquare, m.WeightsSelfScore,
		} {
			n.Moments = append(n.Moments, moments.Moments{N: 1, Order: initOrder, Mean: x})
		}
		return n
	}
}

// judgedSkew is the skewness of a head's mean square over draws, over the root of
// its relative variance ρ: it is nearly the product |W_Q|²|W_K|² of two sums of
// many squares, of relative variance v = ρ/2 each and of third cumulant 2v², so
// that its own is 10v², over (2v)^{3/2}.
const judgedSkew = 2.5

// initChecks: the logit variance, by the weights alone, within the tolerance of
// theory, relatively. Schemes of which its error is not known have no gate.
func initChecks(c experiment.Cell) []gate.Check {
	h := head(c)
	spread := h.RelativeVariance()
	if math.IsNaN(spread) {
		return nil
	}
	se := func(n int64) float64 { return headError(h, n) }
	skew := judgedSkew * math.Sqrt(spread)
	return []gate.Check{c.NewVarianceCheck("logit variance", names.HeadVariance, h.LogitVariance(), skew, se)}
}
