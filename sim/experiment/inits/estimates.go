package inits

import (
	"fmt"
	"math"

	"mcsim/sim/attention/weights"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// initQuantity is a row: the mean of a column over draws, times a factor, or what
// else is made of the column.
type initQuantity struct {
	name   string
	column int
	factor func(weights.Head) float64
	theory func(weights.Head) float64
	kind   initKind
}

type initKind int

const (
	positiveMean     initKind = iota // of squares
	signedMean                       // symmetric about 0
	inverseMean                      // 1/mean
	rootMean                         // √mean
	drawVariance                     // the variance over draws
	relativeVariance                 // over the square of the mean
)

func unchanged(weights.Head) float64 { return 1 }

func logitScale(h weights.Head) float64 { return h.Scale }

func logitSquare(h weights.Head) float64 { return h.Scale * h.Scale }

func perKey(h weights.Head) float64 { return 1 / float64(h.Shape.Key) }

func zero(weights.Head) float64 { return 0 }

func logitSD(h weights.Head) float64 { return math.Sqrt(h.LogitVariance()) }

var initQuantities = []initQuantity{
	{name: "query_variance", column: drawQuery, factor: unchanged, theory: weights.Head.QueryVariance},
	{name: names.KeyVariance, column: drawKey, factor: unchanged, theory: weights.Head.KeyVariance},
	{name: names.LogitVariance, column: drawScore, factor: logitSquare, theory: weights.Head.LogitVariance},
	{name: names.LogitSD, column: drawScore, factor: logitSquare, theory: logitSD, kind: rootMean},
	{name: names.ScaledVariance, column: drawScore, factor: perKey, theory: weights.Head.ScaledVariance},
	{name: names.HeadVariance, column: drawHead, factor: logitSquare, theory: weights.Head.LogitVariance},
	{name: "head_spread", column: drawHead, factor: unchanged, theory: weights.Head.RelativeVariance, kind: relativeVariance},
	{name: "same_token_variance", column: drawSame, factor: logitSquare, theory: weights.Head.LogitVariance},
	{name: "same_token_mean", column: drawSameMean, factor: logitScale, theory: zero, kind: signedMean},
	{name: "same_token_mean_variance", column: drawHeadSame, factor: logitSquare,
		theory: weights.Head.SameTokenMeanVariance, kind: drawVariance},
	{name: "participation_ratio", column: drawTokens, factor: unchanged, theory: weights.Head.ParticipationRatio,
		kind: inverseMean},
}

// applies reports whether the quantity is one of the head's: normalised heads have
// no closed form by their weights, orthogonal ones no mean logit of a token with
// itself, and of no queries there is no spread.
func (q initQuantity) applies(h weights.Head) bool {
	ofWeights := q.column == drawHead || q.column == drawHeadSame // alone
	if ofWeights && h.Normalised || q.kind == drawVariance && h.Scheme.IsOrthogonal() {
		return false
	}
	return q.kind != relativeVariance || h.LogitVariance() > 0
}

// constant reports whether the quantity is the same in every draw: the mean square
// of vectors that are normalised, and where these are signs their products too; and
// the squared cosine of two tokens of two components, which are ± each other. (What
// a square orthogonal matrix turns keeps its length as well, but not to rounding: the
// matrix is a factor of one that may be nearly singular.)
func (q initQuantity) constant(h weights.Head) bool {
	switch q.column {
	case drawQuery, drawKey:
		return h.Normalised
	case drawScore, drawSame:
		return h.Normalised && h.Shape.Key == 1
	case drawTokens:
		return h.Shape.Model == 2
	}
	return false
}

// closed reports whether the quantity's standard error is known in closed form.
func (q initQuantity) closed(h weights.Head) bool {
	return q.column == drawHead && q.kind == positiveMean && h.LogitVariance() > 0
}

// headError returns the exact standard error of the mean of a head's mean square over
// n draws.
func headError(h weights.Head, n int64) float64 {
	return h.LogitVariance() * math.Sqrt(h.RelativeVariance()/float64(n))
}

// estimate returns the quantity's value over the draws of a column, with its error.
func (q initQuantity) estimate(m moments.Moments, factor float64) (value, se float64) {
	n := float64(m.N)
	mean, own := float64(factor*m.Mean), math.Abs(factor)*math.Sqrt(max(0, m.Variance())/n)
	ofVariance := math.Sqrt(2 / (n - 1)) // of normal numbers
	switch q.kind {
	case inverseMean:
		return 1 / mean, own / float64(mean*mean)
	case rootMean: // to first order
		if mean == 0 {
			return 0, 0
		}
		value = math.Sqrt(mean)
		return value, own / (2 * value)
	case drawVariance:
		value = factor * m.Variance()
		return value, value * ofVariance
	case relativeVariance:
		value = m.Variance() / float64(m.Mean*m.Mean)
		return value, value * ofVariance
	}
	return mean, own
}

// initEstimates returns the quantities of a head that apply to its scheme, over draws of weights.
func initEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	var f experiment.CellEstimates
	h := head(c)
	for _, q := range initQuantities {
		if !q.applies(h) {
			continue
		}
		m := n.Moments[q.column]
		value, se := q.estimate(m, q.factor(h))
		if q.closed(h) {
			se = headError(h, m.N)
		}
		addDraws(&f, q, h, experiment.WithTheory(c.Estimate(q.name, m.N, value, se), q.theory(h)))
	}
	return f
}

// minDraws is the number of draws below which no interval is given.
const minDraws = 16

// maxMeanError is the relative error of a mean of squares above which it has no
// interval: such a mean is itself skewed, by about twice that much.
const maxMeanError = 0.05

// meanError is about the relative error of the mean over n draws of a mean square over a
// draw's tokens, known before anything is drawn: heads differ by their spread, and tokens
// add 8 over their number at most, as they do where all that they have lies in one
// direction (4·Var(x²) of a normal number x).
func meanError(h weights.Head, n int64) float64 {
	spread := 8.0 / weights.Tokens
	if heads := h.RelativeVariance(); heads > 0 { // NaN of normalised heads, which have none
		spread += heads
	}
	return math.Sqrt(spread / float64(n))
}

// maxExcess is how far the kurtosis over draws of what a variance is taken of may
// be from 3 for an interval: it makes half as much relative error of its error².
const maxExcess = 0.1

// addDraws gives an estimate over draws the interval of Student's t, of χ² if it is
// a variance over draws, or the normal one if its error is exact, where that is
// honest.
func addDraws(f *experiment.CellEstimates, q initQuantity, h weights.Head, r result.Estimate) {
	if q.constant(h) {
		f.AddConstant(r, experiment.WhyDegenerate)
		return
	}
	value, se, freedom := float64(r.Value), float64(r.SE), float64(r.N-1)
	why := ""
	switch {
	case r.N < minDraws:
		why = fmt.Sprintf("no interval: it rests on fewer than %d draws of the weights", minDraws)
	case math.IsNaN(value) || math.IsNaN(se):
		why = "no interval: the draws do not determine it"
	case r.SE == 0 && r.Value == r.Theory: // of nothing but zeros
	case q.kind == drawVariance || q.kind == relativeVariance:
		if excess := q.excess(h); !(excess <= maxExcess) {
			why = "no interval: over draws of the weights it is not normal in so small a head"
		}
	case q.kind != signedMean && !(meanError(h, r.N) <= maxMeanError):
		why = fmt.Sprintf("no interval: the error of a mean over so few draws is above %v %% of it, and so it "+
			"is skewed", 100*maxMeanError)
	}
	if why != "" {
		f.AddWithoutInterval(r, why)
		return
	}
	lo, hi := value, value
	switch {
	case q.kind == drawVariance || q.kind == relativeVariance:
		lo, hi = theory.VarianceLimits(value, freedom, (1-experiment.Level)/2)
	case r.SE > 0:
		z := experiment.LevelZ
		if !q.closed(h) {
			z = theory.StudentQuantile((1-experiment.Level)/2, freedom)
		}
		half := float64(z * se)
		lo, hi = value-half, value+half
	}
	r.Lo, r.Hi, r.Level = result.Number(lo), result.Number(hi), experiment.Level
	f.Estimates = append(f.Estimates, r)
}

// excess is about the excess kurtosis over draws of what the quantity is the
// variance of. A head's mean square of relative variance ρ has 6ρ, as a sum of
// squares would; the mean logit of a token with itself is a sum of products of
// two normal numbers each, of 6 over their number.
func (q initQuantity) excess(h weights.Head) float64 {
	if q.kind == relativeVariance {
		return 6 * h.RelativeVariance()
	}
	return 6 / float64(h.ParticipationRatio()*float64(h.Shape.Key))
}
