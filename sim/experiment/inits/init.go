// Package inits measures the logits of attention heads at initialisation. A scheme initialises the
// weights W_Q and W_K of queries and keys, and has a scale of the scores. The schemes are by
// Glorot, by He and from frameworks. Package [mcsim/sim/attention/weights] has them with their
// sources, and samples a head.
//
//   - Experiment: the sampler and its gates (init.go), the estimates and their intervals
//     (estimates.go), and the schemes and models in the document (schemes.go).
//   - Models (models.go): the heads of released models.
//   - Depth (depth.go): a stack of layers at initialisation (stack.go, stacktally.go).
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

// Experiment measures queries, keys and logits of layer-normed tokens under an initialisation of
// W_Q and W_K.
//
// A unit is one draw of the weights with weights.Tokens new tokens, each of which is a query and a
// key. All numbers of a unit depend on each other, so each number that enters a node is the mean
// over one draw, and standard errors come from the scatter of draws.
//
// The standard errors of means over the tokens of a draw do not have a closed form. But the weights
// of a draw determine the mean square of the head's logits over all possible tokens. Its expected
// value is the logit variance too, and its standard error has a closed form, so the gates judge it.
var Experiment = experiment.New(experiment.Experiment{
	Name: names.ExperimentInit,
	Axes: []experiment.Axis{InitAxis, modelAxis, headDimensionAxis},
	Unit: names.UnitWeightDraw,
	Sampler: &experiment.Sampler{
		MinUnits:   64,
		BlockUnits: func(experiment.Cell) int64 { return 1 },
		Cost:       func(c experiment.Cell) float64 { return drawCost(cellHead(c)) },
		Columns:    initColumns,
		Open:       openInit,
		Headline:   names.LogitVariance,
	},
	Reader: experiment.Reader{
		Estimates: initEstimates,
		Finish:    finishInit,
		// HeadVariance, whose standard error is exact, replaces the sampler's headline,
		// LogitVariance, whose standard error is estimated from a few dozen draws.
		HeadlineEstimate: func(experiment.Cell) (string, result.Params) { return names.HeadVariance, nil },
	},
	Judge: experiment.Judge{Refuse: refuseInit, Checks: initChecks},
})

// InitAxis is the scheme by which W_Q and W_K are initialised.
var InitAxis = experiment.RestrictToNames(experiment.Axis{Name: names.ParamInit, Names: weights.Names,
	DefaultsToAll: true,
	Probe:         names.InitTorchMHA})

var (
	modelAxis         = experiment.CountAxis(names.ParamModel, 2, weights.MaxModel, "768")
	headDimensionAxis = experiment.CountAxis(names.ParamDimension, 1, weights.MaxKey, "64")
)

// cellHead returns the head with the scheme and the shape of the cell.
func cellHead(c experiment.Cell) weights.Head {
	scheme, ok := weights.Lookup(c.Value(InitAxis.Name).Name)
	if !ok {
		panic("inits: a cell has an unknown initialisation")
	}
	return scheme.Head(weights.Shape{Model: int(c.Value(modelAxis.Name).Number), Key: c.Dimension()})
}

// refuseInit refuses shapes that are impossible for the scheme: more orthogonal columns than
// components, or a d_model that is not a multiple of d_k.
func refuseInit(c experiment.Cell, _ bool) error {
	h := cellHead(c)
	switch {
	case h.Scheme.IsOrthogonal() && h.Shape.Key > h.Shape.Model:
		return headDimensionAxis.Errorf("%d columns of %d components cannot be orthogonal: d_k is at most d_model",
			h.Shape.Key, h.Shape.Model)
	case h.Heads == 0:
		return modelAxis.Errorf("d_model = %d is not a whole number of heads of d_k = %d; it must be a multiple, "+
			"such as %d", h.Shape.Model, h.Shape.Key, max(1, h.Shape.Model/h.Shape.Key)*h.Shape.Key)
	}
	return nil
}

// drawCost returns the cost of a draw of a head, in sampled components.
func drawCost(h weights.Head) float64 {
	const (
		productsPerComponent = 30 // products that take as long as sampling a component
		orthogonalProducts   = 45 // products that take as long as a product of the orthogonalisation
		scoreCost            = 3  // cost of squaring and adding a score
	)
	d, k := float64(h.Shape.Model), float64(h.Shape.Key)
	components := float64(d * (weights.Tokens + float64(2*k)))
	projectionProducts := float64(2 * d * k * weights.Tokens)
	scoreProducts := float64(weights.Tokens * weights.Tokens * k)
	columnProducts := float64(2 * d * k * k) // of the columns of W_Q and W_K with each other
	if h.Scheme.IsOrthogonal() {
		columnProducts *= orthogonalProducts
	}
	return math.Ceil(components + scoreCost*weights.Tokens*weights.Tokens +
		(projectionProducts+scoreProducts+columnProducts)/productsPerComponent)
}

// The columns of a node, in the order of the fields of weights.Measures.
const (
	queryColumn = iota
	keyColumn
	scoreColumn
	selfSquareColumn
	selfScoreColumn
	tokenColumn
	headColumn
	headSelfColumn
	columnCount
)

var columnNames = [columnCount]string{
	"query_square", "key_square", "score_square", "same_square",
	"same_score", "token_square", "head_square", "head_same",
}

// initOrder is the order of moments that the standard error of a mean over draws requires.
const initOrder = 2

// initColumns returns one column for each number of a draw, in the order of columnNames.
func initColumns(experiment.Cell) []experiment.Column {
	columns := make([]experiment.Column, columnCount)
	for i, name := range columnNames {
		columns[i] = experiment.Column{Name: name, Order: initOrder}
	}
	return columns
}

// openInit returns the function that samples one head with its tokens for each block.
func openInit(c experiment.Cell) experiment.BlockFunc {
	sampler := weights.NewSampler(cellHead(c))
	return func(b *experiment.BlockStream) moments.Node {
		var n moments.Node
		m := sampler.Sample(&b.Lanes)
		for _, x := range [columnCount]float64{
			m.QuerySquare, m.KeySquare, m.ScoreSquare, m.SelfSquare,
			m.SelfScore, m.TokenSquare, m.WeightsSquare, m.WeightsSelfScore,
		} {
			n.Moments = append(n.Moments, moments.Moments{N: 1, Order: initOrder, Mean: x})
		}
		return n
	}
}

// skewPerRelativeSD is the skewness over draws of a head's mean square, divided by its relative
// standard deviation √ρ. The mean square is nearly proportional to the product |W_Q|²|W_K|² of two
// sums of many squares. Each sum, divided by its mean, has the variance v = ρ/2 and the third
// cumulant 2v². The third cumulant of the product is 10v², and its skewness is
// 10v²/(2v)^{3/2} = 2.5√(2v) = 2.5√ρ.
const skewPerRelativeSD = 2.5

// initChecks returns the gate that requires the logit variance, as determined by the weights, to be
// within the relative tolerance of theory. Schemes without an exact standard error do not have it.
func initChecks(c experiment.Cell) []gate.Check {
	h := cellHead(c)
	relativeVariance := h.RelativeVariance()
	if math.IsNaN(relativeVariance) {
		return nil
	}
	se := func(n int64) float64 { return headVarianceSE(h, n) }
	skew := skewPerRelativeSD * math.Sqrt(relativeVariance)
	return []gate.Check{c.NewVarianceCheck("logit variance", names.HeadVariance, h.LogitVariance(), skew, se)}
}
