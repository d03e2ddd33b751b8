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

// initQuantity describes an estimate: the mean of a column over draws of the weights, times a
// factor, or another statistic of the column.
type initQuantity struct {
	name   string
	column int
	factor func(weights.Head) float64
	theory func(weights.Head) float64
	kind   initKind
}

type initKind int

const (
	positiveMean              initKind = iota // a mean of squares
	signedMean                                // a mean of numbers that are symmetric about 0
	inverseMean                               // 1/mean
	rootMean                                  // √mean
	varianceOverDraws                         // the variance over draws
	relativeVarianceOverDraws                 // that variance divided by the squared mean
)

func factorOne(weights.Head) float64 { return 1 }

func logitScale(h weights.Head) float64 { return h.Scale }

func squaredLogitScale(h weights.Head) float64 { return h.Scale * h.Scale }

func inverseKeySize(h weights.Head) float64 { return 1 / float64(h.Shape.Key) }

func theoryZero(weights.Head) float64 { return 0 }

func logitSD(h weights.Head) float64 { return math.Sqrt(h.LogitVariance()) }

var initQuantities = []initQuantity{
	{name: "query_variance", column: queryColumn, factor: factorOne, theory: weights.Head.QueryVariance},
	{name: names.KeyVariance, column: keyColumn, factor: factorOne, theory: weights.Head.KeyVariance},
	{name: names.LogitVariance, column: scoreColumn, factor: squaredLogitScale, theory: weights.Head.LogitVariance},
	{name: names.LogitSD, column: scoreColumn, factor: squaredLogitScale, theory: logitSD, kind: rootMean},
	{name: names.ScaledVariance, column: scoreColumn, factor: inverseKeySize, theory: weights.Head.ScaledVariance},
	{name: names.HeadVariance, column: headColumn, factor: squaredLogitScale, theory: weights.Head.LogitVariance},
	{name: "head_spread", column: headColumn, factor: factorOne, theory: weights.Head.RelativeVariance,
		kind: relativeVarianceOverDraws},
	{name: "same_token_variance", column: selfScoreColumn, factor: squaredLogitScale,
		theory: weights.Head.LogitVariance},
	{name: "same_token_mean", column: selfMeanColumn, factor: logitScale, theory: theoryZero, kind: signedMean},
	{name: "same_token_mean_variance", column: headSelfColumn, factor: squaredLogitScale,
		theory: weights.Head.SameTokenMeanVariance, kind: varianceOverDraws},
	{name: "participation_ratio", column: tokenColumn, factor: factorOne, theory: weights.Head.ParticipationRatio,
		kind: inverseMean},
}

// isDefined reports whether the head has the quantity. Normalised heads have no closed form by
// their weights, orthogonal ones have no theory for the variance of the mean logit of a token with
// itself, and a relative variance needs logits that vary.
func (q initQuantity) isDefined(h weights.Head) bool {
	usesWeightsOnly := q.column == headColumn || q.column == headSelfColumn
	if usesWeightsOnly && h.Normalised || q.kind == varianceOverDraws && h.Scheme.IsOrthogonal() {
		return false
	}
	return q.kind != relativeVarianceOverDraws || h.LogitVariance() > 0
}

// isConstant reports whether the quantity is the same in every draw: the mean square of normalised
// vectors, and their products if each has a single component; and the squared cosine of two tokens
// with two components, which is 1. (A square orthogonal matrix preserves lengths too, but not up
// to rounding: it is a factor of a matrix that may be nearly singular.)
func (q initQuantity) isConstant(h weights.Head) bool {
	switch q.column {
	case queryColumn, keyColumn:
		return h.Normalised
	case scoreColumn, selfScoreColumn:
		return h.Normalised && h.Shape.Key == 1
	case tokenColumn:
		return h.Shape.Model == 2
	}
	return false
}

// hasExactSE reports whether the standard error of the quantity has a closed form.
func (q initQuantity) hasExactSE(h weights.Head) bool {
	return q.column == headColumn && q.kind == positiveMean && h.LogitVariance() > 0
}

// headVarianceSE returns the exact standard error of the mean of a head's mean square over n
// draws.
func headVarianceSE(h weights.Head, n int64) float64 {
	return h.LogitVariance() * math.Sqrt(h.RelativeVariance()/float64(n))
}

// estimate returns the value of the quantity over the draws of a column, and its standard error.
func (q initQuantity) estimate(m moments.Moments, factor float64) (value, se float64) {
	n := float64(m.N)
	mean, sampleSE := float64(factor*m.Mean), math.Abs(factor)*math.Sqrt(max(0, m.Variance())/n)
	varianceRelativeSE := math.Sqrt(2 / (n - 1)) // for normal numbers
	switch q.kind {
	case inverseMean:
		return 1 / mean, sampleSE / float64(mean*mean)
	case rootMean: // to first order
		if mean == 0 {
			return 0, 0
		}
		value = math.Sqrt(mean)
		return value, sampleSE / (2 * value)
	case varianceOverDraws:
		value = factor * m.Variance()
		return value, value * varianceRelativeSE
	case relativeVarianceOverDraws:
		value = m.Variance() / float64(m.Mean*m.Mean)
		return value, value * varianceRelativeSE
	}
	return mean, sampleSE
}

// initEstimates returns the quantities that the head has, over draws of the weights.
func initEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	var f experiment.CellEstimates
	h := cellHead(c)
	for _, q := range initQuantities {
		if !q.isDefined(h) {
			continue
		}
		m := n.Moments[q.column]
		value, se := q.estimate(m, q.factor(h))
		if q.hasExactSE(h) {
			se = headVarianceSE(h, m.N)
		}
		addEstimate(&f, q, h, experiment.WithTheory(c.Estimate(q.name, m.N, value, se), q.theory(h)))
	}
	return f
}

// minDraws is the smallest number of draws with which an estimate has an interval.
const minDraws = 16

// maxRelativeMeanError is the largest relative error of a mean of squares with which it has an
// interval. The skewness of such a mean is about twice its relative error.
const maxRelativeMeanError = 0.05

// relativeMeanError returns the approximate relative error of the mean over n draws of a mean
// square over the tokens of a draw. It is known before sampling: the relative variance of heads,
// plus at most 8 divided by the number of tokens, which is reached if all tokens lie in one
// direction (4·Var(x²) of a normal number x).
func relativeMeanError(h weights.Head, n int64) float64 {
	spread := 8.0 / weights.Tokens
	if headVariance := h.RelativeVariance(); headVariance > 0 { // NaN for normalised heads, which have no such variance
		spread += headVariance
	}
	return math.Sqrt(spread / float64(n))
}

// maxExcessKurtosis is the largest excess kurtosis over draws with which a variance over draws has
// an interval. The relative error of its squared standard error is half of it.
const maxExcessKurtosis = 0.1

// addEstimate adds an estimate over draws. Its interval is Student's, or by χ² for a variance over
// draws, or normal if the standard error is exact. If none of these would have nominal coverage,
// it adds a warning in place of the interval.
func addEstimate(f *experiment.CellEstimates, q initQuantity, h weights.Head, r result.Estimate) {
	if q.isConstant(h) {
		f.AddConstant(r, experiment.WhyDegenerate)
		return
	}
	value, se, dof := float64(r.Value), float64(r.SE), float64(r.N-1)
	reason := ""
	switch {
	case r.N < minDraws:
		reason = fmt.Sprintf("no interval: it rests on fewer than %d draws of the weights", minDraws)
	case math.IsNaN(value) || math.IsNaN(se):
		reason = "no interval: the draws do not determine it"
	case r.SE == 0 && r.Value == r.Theory: // all numbers are 0
	case q.kind == varianceOverDraws || q.kind == relativeVarianceOverDraws:
		if kurtosis := q.excessKurtosis(h); !(kurtosis <= maxExcessKurtosis) {
			reason = "no interval: over draws of the weights it is not normal in so small a head"
		}
	case q.kind != signedMean && !(relativeMeanError(h, r.N) <= maxRelativeMeanError):
		reason = fmt.Sprintf("no interval: the error of a mean over so few draws is above %v %% of it, and so it "+
			"is skewed", 100*maxRelativeMeanError)
	}
	if reason != "" {
		f.AddWithoutInterval(r, reason)
		return
	}
	lo, hi := value, value
	switch {
	case q.kind == varianceOverDraws || q.kind == relativeVarianceOverDraws:
		lo, hi = theory.VarianceLimits(value, dof, (1-experiment.Level)/2)
	case r.SE > 0:
		z := experiment.LevelZ
		if !q.hasExactSE(h) {
			z = theory.StudentQuantile((1-experiment.Level)/2, dof)
		}
		halfWidth := float64(z * se)
		lo, hi = value-halfWidth, value+halfWidth
	}
	r.Lo, r.Hi, r.Level = result.Number(lo), result.Number(hi), experiment.Level
	f.Estimates = append(f.Estimates, r)
}

// excessKurtosis returns the approximate excess kurtosis over draws of the number whose variance
// is estimated. A head's mean square with the relative variance ρ has 6ρ, like a sum of squares.
// The mean logit of a token with itself is a sum of products of two normal numbers, with 6 divided
// by their number.
func (q initQuantity) excessKurtosis(h weights.Head) float64 {
	if q.kind == relativeVarianceOverDraws {
		return 6 * h.RelativeVariance()
	}
	return 6 / float64(h.ParticipationRatio()*float64(h.Shape.Key))
}
