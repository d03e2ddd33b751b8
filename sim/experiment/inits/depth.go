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

// Depth sends tokens through a stack of attention layers at initialisation,
// with and without scale, residual and norm, and measures what each layer
// sees: the variance of its scores, how far the weights are from a single key,
// and how large and how alike the tokens are.
//
// A stack is tokens × width components, i.i.d. standard normal, and for each
// layer W_Q, W_K, W_V and W_O of width × width entries, i.i.d. N(0, 1/width),
// all its own. A layer takes its input y to softmax(y W_Q (y W_K)ᵀ·scale) y W_V W_O,
// over all tokens, without mask and with a single head, so that d_k is the
// width. With the residual this is added to the stream x, else it takes its
// place. With the norm y is LayerNorm(x) without gain, bias and ε, applied
// before the layer; else y is x.
//
// All that is measured in a stack is dependent. So each number that enters a
// node is the mean over one stack, and all errors come from stacks. The scores
// of the first layer are gated.
var Depth = experiment.New(experiment.Experiment{
	Name: names.ExperimentDepth,
	Axes: []experiment.Axis{tokensAxis, widthAxis, layersAxis, scaleAxis, residualAxis, normAxis},
	Unit: names.UnitStack,
	Sampler: rows.WithFineBins(experiment.Sampler{
		MinUnits:   2048,
		BlockUnits: func(experiment.Cell) int64 { return kernel.Width },
		Cost:       func(c experiment.Cell) float64 { return architectureOf(c).components() },
		Columns:    depthColumns,
		Headline:   names.ScoreVariance,
	}, drawStacks),
	Reader: experiment.Reader{
		Estimates: depthEstimates,
		HeadlineRow: func(experiment.Cell) (string, result.Params) {
			return names.ScoreVariance, result.Params{names.ParamLayer: 1.0}
		},
	},
	Judge: experiment.Judge{Refuse: refuseDepth, Checks: depthChecks},
})

// maxStream is the most components of the tokens of one stack. It keeps the
// scratch of a worker, 16 stacks side by side, at 21 MiB, and the time of a
// block, between which a run can be stopped, within two minutes of portable Go.
const maxStream = 1 << 16

var (
	tokensAxis = experiment.CountAxis(names.ParamTokens, 2, 256, "4")
	widthAxis  = experiment.CountAxis(names.ParamWidth, 2, 512, "8")
	layersAxis = experiment.CountAxis(names.ParamLayers, 1, 64, "2")

	residualAxis = experiment.YesNoAxis(names.ParamResidual)
	normAxis     = experiment.YesNoAxis(names.ParamNorm)
)

var scaleAxis = experiment.NamesAxis(names.ParamScale, names.ScaleRoot, names.ScaleUnscaled)

// architecture is how the stacks of a cell are built.
type architecture struct {
	tokens, width, layers  int
	scaled, residual, norm bool
}

// architectureOf reads an architecture off the values of a cell.
func architectureOf(c experiment.Cell) architecture {
	number := func(a experiment.Axis) int { return int(c.Value(a.Name).Number) }
	said := func(a experiment.Axis, name string) bool { return c.Value(a.Name).Name == name }
	return architecture{number(tokensAxis), number(widthAxis), number(layersAxis),
		said(scaleAxis, names.ScaleRoot), said(residualAxis, names.Yes), said(normAxis, names.Yes)}
}

// scale returns what a product q·k is multiplied by.
func (w architecture) scale() float64 {
	if w.scaled {
		return 1 / math.Sqrt(float64(w.width))
	}
	return 1
}

// components returns the cost of a stack in drawn components: a product takes about
// an eighth of one.
func (w architecture) components() float64 {
	n, d := float64(w.tokens), float64(w.width)
	drawn, products := float64(4*d*d), float64(4*n*d*d)+float64(2*n*n*d)
	return float64(n*d) + float64(float64(w.layers)*(drawn+float64(products/8)))
}

// refuseDepth refuses token streams beyond maxStream components.
func refuseDepth(c experiment.Cell, _ bool) error {
	if w := architectureOf(c); w.tokens*w.width > maxStream {
		return fmt.Errorf("tokens × width is %d; it must be in 4..%d", w.tokens*w.width, maxStream)
	}
	return nil
}

// depthQuantities are what a layer is asked, in the order of its columns.
var depthQuantities = [...]struct {
	name  string
	place func(x float64) float64 // on the scale of its histogram
	back  experiment.Transform    // and off it
}{
	{names.ScoreVariance, placeOfSize, experiment.LogScale},
	{names.RelativeTrace, placeOfShare, experiment.LogitScale},
	{names.MaxWeight, placeOfShare, experiment.LogitScale},
	{"token_variance", placeOfSize, experiment.LogScale},
	{names.TokenCosine, placeOfCosine, experiment.Transform{ // twice a share less 1
		Inverse: func(at float64) float64 { return float64(2*quantile.FromLogit(at)) - 1 },
		Slope:   func(at float64) float64 { return 2 * quantile.FromLogitSlope(at) },
	}},
}

func placeOfSize(x float64) float64   { return quantile.Logit(x, 1) }
func placeOfShare(x float64) float64  { return quantile.Logit(x, 1-x) }
func placeOfCosine(x float64) float64 { return quantile.Logit(1+x, 1-x) }

// The places of the quantities.
const (
	scoreVariance = iota
	relativeTrace
	maxWeight
	tokenVariance
	tokenCosine
)

// depthColumn returns the column of a quantity of a layer, both from 0.
func depthColumn(layer, quantity int) int { return layer*len(depthQuantities) + quantity }

// depthColumns: the quantities of the first layer, then those of the second, and so on.
func depthColumns(c experiment.Cell) []experiment.Column {
	var columns []experiment.Column
	for layer := range architectureOf(c).layers {
		for _, quantity := range depthQuantities {
			columns = append(columns,
				experiment.Column{Name: fmt.Sprintf("%s_%d", quantity.name, layer+1), Order: experiment.ErrorOrder})
		}
	}
	return columns
}

// firstLayer returns what the quantities are at the first layer, where theory knows
// it: NaN elsewhere. Its tokens are independent, and so are entries of the
// weights: with A = W_Q W_Kᵀ, E A_ab A_ce = δ_ac δ_be/d, a score y_iᵀAy_j has
// mean 0 and, given the tokens, variance |y_i|²|y_j|²/d; two scores of a row
// have the covariance |y_i|² y_j·y_k/d. So scores of a row are uncorrelated,
// of variance d for another token, and E|y|⁴/d for the token itself: d + 2
// without the norm, and d with it, since then |y|² = d. The unbiased sample
// variance of a row is then d + 2/n on average, or d, times scale².
func (w architecture) firstLayer() [len(depthQuantities)]float64 {
	d := float64(w.width)
	if !w.norm {
		d += 2 / float64(w.tokens)
	}
	none := math.NaN()
	return [...]float64{float64(d * float64(w.scale()*w.scale())), none, none, 1, 0}
}

// stackSpread is the relative deviation of the variance of a stack's first layer that is planned
// with. In the plans that come with mcsim it is 0.18 to 0.23; narrow stacks have more.
const stackSpread = 0.3

// depthChecks: the variance of the scores of the first layer, relatively, by its own error.
func depthChecks(c experiment.Cell) []gate.Check {
	want := architectureOf(c).firstLayer()[scoreVariance]
	k := c.NewCheckWithin(names.GateFirstLayer, names.ScoreVariance, want, c.Tolerance*want, nil,
		result.Params{names.ParamLayer: 1.0})
	k.PlanningSE = func(n int64) float64 { return float64(stackSpread*want) / math.Sqrt(float64(n)) }
	return []gate.Check{k}
}

// depthEstimates returns the means of every quantity over stacks, layer by layer, with their own
// errors, and its quantiles, since a few stacks can make most of a mean. Whether a row has
// an interval the pilot says; reasons for which layers have none are gathered, a warning
// each.
func depthEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	var f experiment.CellEstimates
	w, pilot := architectureOf(c), c.Pilot()
	first := w.firstLayer()
	for q, quantity := range depthQuantities {
		whys := map[int]string{} // of the layers without an interval
		var missing []int
		for layer := range w.layers {
			column := depthColumn(layer, q)
			m := n.Moments[column]
			r := c.MeanEstimate(quantity.name, m, result.Params{names.ParamLayer: float64(layer + 1)})
			if layer == 0 {
				r = experiment.WithTheory(r, first[q])
			}
			why := whyNoInterval(m, pilot.Moments[column], meanOf(pilot, column, m.N))
			scores, tokens := pilot.Moments[depthColumn(layer, scoreVariance)],
				pilot.Moments[depthColumn(layer, tokenVariance)]
			if q != tokenVariance && w.alike(scores.Mean, tokens.Mean) {
				why, r.SE = whyUnresolved, result.Absent()
			}
			if known := meanOf(pilot, column, m.N); !(known.ErrorOfError <= experiment.MaxReportedErrorOfError) {
				r.SE = result.Absent()
			}
			if why == "" {
				r = experiment.Interval(r)
			} else {
				missing, whys[layer+1] = append(missing, layer+1), why
			}
			f.Estimates = append(f.Estimates, r)
			if why != whyUndefined && (q == tokenVariance || pilot.Counts[layer] != 0) {
				f.AddQuantiles(r, n.Histograms[column], quantity.back,
					pilot.Counts[w.layers+column*len(quantile.Probabilities):])
			}
		}
		for _, alike := range experiment.GroupBy(missing, func(layer int) string { return whys[layer] }) {
			f.Warn(c.Estimate(quantity.name, 0, 0, 0), layersOf(alike)+": "+whys[alike[0]])
		}
	}
	return f
}

// Why a row has no interval.
const (
	whyUnresolved = "no interval: the tokens have become so alike that their scores differ by little but the " +
		"rounding of float32"
	whyUndefined = "the sample does not determine it: numbers of a stack left the range of float32"
)

// whyNoInterval says why the mean of per-stack numbers has no interval; it is empty
// if it has one. That is asked of the pilot's numbers, but that a number is none.
func whyNoInterval(m, pilot moments.Moments, known experiment.PilotMean) string {
	switch {
	case !finite(m) || !finite(pilot):
		return whyUndefined
	case known.Degenerate:
		return experiment.WhyDegenerate
	case !(known.ErrorOfError <= experiment.MaxMeanErrorOfError):
		return fmt.Sprintf("no interval: by the pilot its standard error, which is its own, is not known to %.0f %%, "+
			"as is needed", 100*experiment.MaxMeanErrorOfError)
	}
	return ""
}

// finite reports whether all numbers were.
func finite(m moments.Moments) bool {
	x := m.Mean + m.Variance()
	return !math.IsNaN(x) && !math.IsInf(x, 0)
}

// maxAlike is the share of the variance that scores of independent tokens of
// the same size would have, at or below which rounding is seen in a score's
// variance: it makes some 3·10⁻¹⁴ of it by itself.
const maxAlike = 1e-10

// alike reports whether scores of that variance, of tokens of that size, differ by little but
// rounding.
func (w architecture) alike(variance, size float64) bool {
	if w.norm {
		size = 1
	}
	apart := float64(float64(w.width)*float64(w.scale()*w.scale())) * float64(size*size)
	return variance <= float64(maxAlike*apart)
}

// layersOf names layers, rising ones, as layer 2, or layers 1, 3–5.
func layersOf(numbers []int) string {
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
