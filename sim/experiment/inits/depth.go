package inits

import (
	"fmt"
	"math"
	"strings"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/quantile"
)

// Depth sends tokens through a stack of attention layers at initialisation, with and without scale,
// residual and norm. For each layer it measures the variance of the scores, R (the relative trace)
// and the largest weight of the rows, and the mean square and the mean cosine of the tokens.
//
// A stack has tokens × width components, i.i.d. standard normal, and for each layer its own W_Q,
// W_K, W_V and W_O with width × width entries, i.i.d. N(0, 1/width). A layer maps its input y to
// softmax(y W_Q (y W_K)ᵀ·scale) y W_V W_O, over all tokens, without mask and with a single head,
// so d_k is the width. With the residual this output is added to the stream x; without it the
// output replaces x. With the norm y is LayerNorm(x) without gain, bias and ε, applied before the
// layer; without it y is x.
//
// All numbers of a stack depend on each other. Therefore each number that enters a node is the mean
// over one stack, and all standard errors come from the scatter of stacks. The gates judge the
// scores of the first layer.
var Depth = experiment.New(experiment.Experiment{
	Name: names.ExperimentDepth,
	Axes: []experiment.Axis{tokensAxis, widthAxis, layersAxis, scaleAxis, residualAxis, normAxis},
	Unit: names.UnitStack,
	Sampler: rows.WithFineBins(experiment.Sampler{
		MinUnits:   2048,
		BlockUnits: func(experiment.Cell) int64 { return kernel.Width },
		Cost:       func(c experiment.Cell) float64 { return cellArchitecture(c).cost() },
		Columns:    depthColumns,
		Shape: func(c experiment.Cell) experiment.Shape {
			layers := cellArchitecture(c).layers
			s := experiment.NewBinnedShape(0, layers*len(depthQuantities), layers*len(depthQuantities))
			s.PilotCounts, s.PilotColumns = s.PilotCounts+layers, s.PilotHistograms
			return s
		},
		Headline: names.ScoreVariance,
	}, newStackSampler),
	Reader: experiment.Reader{
		Estimates: depthEstimates,
		HeadlineEstimate: func(experiment.Cell) (string, result.Params) {
			return names.ScoreVariance, result.Params{names.ParamLayer: 1.0}
		},
	},
	Judge: experiment.Judge{Refuse: refuseDepth, Checks: depthChecks},
})

// maxStream is the largest number of components of all tokens of a stack. It limits the scratch of
// a worker, which has 16 stacks, to 21 MiB. It also limits the time of a block, before whose end a
// run cannot be stopped, to two minutes in portable Go.
const maxStream = 1 << 16

var (
	tokensAxis = experiment.CountAxis(names.ParamTokens, 2, 256, "4")
	widthAxis  = experiment.CountAxis(names.ParamWidth, 2, 512, "8")
	layersAxis = experiment.CountAxis(names.ParamLayers, 1, 64, "2")

	residualAxis = experiment.YesNoAxis(names.ParamResidual)
	normAxis     = experiment.YesNoAxis(names.ParamNorm)
)

var scaleAxis = experiment.NamesAxis(names.ParamScale, names.ScaleRoot, names.ScaleUnscaled)

// architecture defines the stacks of a cell.
type architecture struct {
	tokens, width, layers  int
	scaled, residual, norm bool
}

// cellArchitecture returns the architecture that the values of a cell describe.
func cellArchitecture(c experiment.Cell) architecture {
	intValue := func(a experiment.Axis) int { return int(c.Value(a.Name).Number) }
	hasName := func(a experiment.Axis, name string) bool { return c.Value(a.Name).Name == name }
	return architecture{
		tokens:   intValue(tokensAxis),
		width:    intValue(widthAxis),
		layers:   intValue(layersAxis),
		scaled:   hasName(scaleAxis, names.ScaleRoot),
		residual: hasName(residualAxis, names.Yes),
		norm:     hasName(normAxis, names.Yes),
	}
}

// scale returns the factor that turns a product q·k into a logit.
func (w architecture) scale() float64 {
	if w.scaled {
		return 1 / math.Sqrt(float64(w.width))
	}
	return 1
}

// cost returns the cost of a stack, in sampled components.
func (w architecture) cost() float64 {
	const productsPerComponent = 8 // products that take as long as sampling a component
	n, d := float64(w.tokens), float64(w.width)
	components, products := float64(4*d*d), float64(4*n*d*d)+float64(2*n*n*d) // of a layer
	return float64(n*d) + float64(float64(w.layers)*(components+float64(products/productsPerComponent)))
}

// refuseDepth refuses stacks whose tokens have more than maxStream components.
func refuseDepth(c experiment.Cell, _ bool) error {
	if w := cellArchitecture(c); w.tokens*w.width > maxStream {
		return fmt.Errorf("tokens × width is %d; it must be in 4..%d", w.tokens*w.width, maxStream)
	}
	return nil
}

// depthQuantities has the measured quantities of a layer, in the order of its columns.
var depthQuantities = [...]struct {
	name      string
	position  func(x float64) float64 // converts a number to its position on the histogram's scale
	transform experiment.Transform    // the inverse of position, with its slope
}{
	{names.ScoreVariance, logPosition, experiment.LogScale},
	{names.RelativeTrace, logitPosition, experiment.LogitScale},
	{names.MaxWeight, logitPosition, experiment.LogitScale},
	{"token_variance", logPosition, experiment.LogScale},
	{names.TokenCosine, cosinePosition, experiment.Transform{ // cosine = 2·proportion − 1
		Inverse: func(position float64) float64 { return float64(2*quantile.FromLogit(position)) - 1 },
		Slope:   func(position float64) float64 { return 2 * quantile.FromLogitSlope(position) },
	}},
}

func logPosition(x float64) float64    { return quantile.Logit(x, 1) }
func logitPosition(x float64) float64  { return quantile.Logit(x, 1-x) }
func cosinePosition(x float64) float64 { return quantile.Logit(1+x, 1-x) }

// Indexes into depthQuantities.
const (
	scoreVariance = iota
	relativeTrace
	maxWeight
	tokenVariance
	tokenCosine
)

// depthColumn returns the column of a quantity of a layer. Layers and quantities are numbered from
// 0.
func depthColumn(layer, quantity int) int { return layer*len(depthQuantities) + quantity }

// depthColumns returns the columns layer by layer, with the quantities of each layer in the order
// of depthQuantities.
func depthColumns(c experiment.Cell) []experiment.Column {
	var columns []experiment.Column
	for layer := range cellArchitecture(c).layers {
		for _, quantity := range depthQuantities {
			columns = append(columns,
				experiment.Column{Name: fmt.Sprintf("%s_%d", quantity.name, layer+1), Order: experiment.ErrorOrder})
		}
	}
	return columns
}

// firstLayerTheory returns the expected values of the quantities of the first layer, or NaN if
// theory is not known.
//
// In the first layer the tokens y_1, …, y_n are independent, and so are the entries of the weights.
// With A = W_Q W_Kᵀ and the width d, E A_ab A_ce = δ_ac δ_be/d. For given tokens, a score y_iᵀAy_j
// therefore has mean 0 and variance |y_i|²|y_j|²/d, and two scores of a row have the covariance
// |y_i|² y_j·y_k/d. Averaged over the tokens, the scores of a row are uncorrelated. Their variance
// is d for another token, and E|y|⁴/d for the token itself: d + 2 without the norm, and d with it,
// since then |y|² = d. The mean of the unbiased sample variance of a row is scale² times d + 2/n
// without the norm, and scale² times d with it.
func (w architecture) firstLayerTheory() [len(depthQuantities)]float64 {
	d := float64(w.width)
	if !w.norm {
		d += 2 / float64(w.tokens)
	}
	return [...]float64{
		scoreVariance: float64(d * float64(w.scale()*w.scale())),
		relativeTrace: math.NaN(),
		maxWeight:     math.NaN(),
		tokenVariance: 1,
		tokenCosine:   0,
	}
}

// plannedRelativeSD is the relative standard deviation over stacks of the score variance of the
// first layer that plans assume. In the plans of mcsim it is 0.18 to 0.23; narrow stacks have more.
const plannedRelativeSD = 0.3

// depthChecks returns the gate that requires the score variance of the first layer to be within the
// relative tolerance of theory. It uses the standard error of the sample.
func depthChecks(c experiment.Cell) []gate.Check {
	expected := cellArchitecture(c).firstLayerTheory()[scoreVariance]
	check := c.NewCheckWithin(names.GateFirstLayer, names.ScoreVariance, expected, c.Tolerance*expected, nil,
		result.Params{names.ParamLayer: 1.0})
	check.PlanningSE = func(n int64) float64 { return float64(plannedRelativeSD*expected) / math.Sqrt(float64(n)) }
	return []gate.Check{check}
}

// depthEstimates returns the mean over stacks of every quantity of every layer, with the standard
// error of the sample. Since a few stacks can dominate a mean, it also returns the quantiles over
// stacks. The pilot determines whether an estimate has an interval. Layers without an interval for
// the same reason share one warning.
func depthEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	var f experiment.CellEstimates
	w, pilot := cellArchitecture(c), c.Pilot()
	theory := w.firstLayerTheory()
	for q, quantity := range depthQuantities {
		reasonOf := map[int]string{} // of each layer without an interval
		var withoutInterval []int
		for layer := range w.layers {
			column := depthColumn(layer, q)
			m := n.Moments[column]
			r := c.MeanEstimate(quantity.name, m, result.Params{names.ParamLayer: float64(layer + 1)})
			if layer == 0 {
				r = experiment.WithTheory(r, theory[q])
			}
			predicted := predictMean(pilot, column, m.N)
			reason := explainMissingInterval(m, pilot.Moments[column], predicted)
			meanScoreVariance := pilot.Moments[depthColumn(layer, scoreVariance)].Mean
			meanTokenVariance := pilot.Moments[depthColumn(layer, tokenVariance)].Mean
			if q != tokenVariance && w.areTokensAlike(meanScoreVariance, meanTokenVariance) {
				reason = whyUnresolved
				r.SE = result.Absent()
			}
			if !(predicted.ErrorOfError <= experiment.MaxReportedErrorOfError) {
				r.SE = result.Absent()
			}
			if reason == "" {
				r = experiment.Interval(r)
			} else {
				withoutInterval = append(withoutInterval, layer+1)
				reasonOf[layer+1] = reason
			}
			f.Estimates = append(f.Estimates, r)
			isResolved := q == tokenVariance || pilot.Counts[layer] != 0 // see resolvedFlag
			if reason != whyUndefined && isResolved {
				f.AddQuantiles(r, n.Histograms[column], quantity.transform,
					pilot.Counts[w.layers+column*len(quantile.Probabilities):])
			}
		}
		for _, layers := range experiment.GroupBy(withoutInterval, func(layer int) string { return reasonOf[layer] }) {
			f.Warn(c.Estimate(quantity.name, 0, 0, 0), formatLayers(layers)+": "+reasonOf[layers[0]])
		}
	}
	return f
}

// Reasons why an estimate has no interval.
const (
	whyUnresolved = "no interval: the tokens have become so alike that their scores differ by little but the " +
		"rounding of float32"
	whyUndefined = "the sample does not determine it: numbers of a stack left the range of float32"
)

// explainMissingInterval returns why the mean of a column has no interval, or "" if it has one. The
// sample m matters only if it has numbers that are not finite; otherwise only the pilot decides.
func explainMissingInterval(m, pilot moments.Moments, predicted experiment.PilotMean) string {
	switch {
	case !isFinite(m) || !isFinite(pilot):
		return whyUndefined
	case predicted.Degenerate:
		return experiment.WhyDegenerate
	case !(predicted.ErrorOfError <= experiment.MaxMeanErrorOfError):
		return fmt.Sprintf("no interval: by the pilot its standard error, which is its own, is not known to %.0f %%, "+
			"as is needed", 100*experiment.MaxMeanErrorOfError)
	}
	return ""
}

// isFinite reports whether all numbers of the moments were finite.
func isFinite(m moments.Moments) bool {
	x := m.Mean + m.Variance()
	return !math.IsNaN(x) && !math.IsInf(x, 0)
}

// maxRoundingRatio is the largest ratio of the variance of scores to their variance for independent
// tokens at which rounding affects the variance noticeably. By itself, rounding gives a ratio of
// about 3·10⁻¹⁴.
const maxRoundingRatio = 1e-10

// areTokensAlike reports whether the tokens of a layer are so alike that its scores differ by
// little more than rounding. meanSquare is the mean square of the components of the tokens.
func (w architecture) areTokensAlike(varianceOfScores, meanSquare float64) bool {
	if w.norm {
		meanSquare = 1
	}
	independentVariance := float64(float64(w.width)*float64(w.scale()*w.scale())) * float64(meanSquare*meanSquare)
	return varianceOfScores <= float64(maxRoundingRatio*independentVariance)
}

// formatLayers formats ascending numbers of layers, for example as "layer 2" or "layers 1, 3–5".
func formatLayers(numbers []int) string {
	var spans []string
	for i := 0; i < len(numbers); i++ {
		first := i
		for i+1 < len(numbers) && numbers[i+1] == numbers[i]+1 {
			i++
		}
		spans = append(spans, fmt.Sprint(numbers[first]))
		if i > first {
			spans[len(spans)-1] += fmt.Sprintf("–%d", numbers[i])
		}
	}
	if len(numbers) == 1 {
		return "layer " + spans[0]
	}
	return "layers " + strings.Join(spans, ", ")
}
