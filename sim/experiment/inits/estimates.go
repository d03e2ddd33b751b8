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

// initQuantity describes an estimate: a statistic of the numbers of a column, one for each draw of
// the weights, times a factor.
type initQuantity struct {
	name      string
	column    int
	factor    func(weights.Head) float64
	theory    func(weights.Head) float64
	statistic initStatistic
}

// initStatistic is a statistic of the numbers of a column times the factor.
type initStatistic int

const (
	positiveMean              initStatistic = iota // mean of numbers ≥ 0
	signedMean                                     // mean of numbers that are symmetric about 0
	inverseMean                                    // 1/mean
	rootMean                                       // √mean
	varianceOverDraws                              // variance
	relativeVarianceOverDraws                      // variance/mean², without the factor
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
	{name: names.LogitSD, column: scoreColumn, factor: squaredLogitScale, theory: logitSD, statistic: rootMean},
	{name: names.ScaledVariance, column: scoreColumn, factor: inverseKeySize, theory: weights.Head.ScaledVariance},
	{name: names.HeadVariance, column: headColumn, factor: squaredLogitScale, theory: weights.Head.LogitVariance},
	{name: "head_spread", column: headColumn, factor: factorOne, theory: weights.Head.RelativeVariance,
		statistic: relativeVarianceOverDraws},
	{name: "same_token_variance", column: selfSquareColumn, factor: squaredLogitScale,
		theory: weights.Head.LogitVariance},
	{name: "same_token_mean", column: selfScoreColumn, factor: logitScale, theory: theoryZero, statistic: signedMean},
	{name: "same_token_mean_variance", column: headSelfColumn, factor: squaredLogitScale,
		theory: weights.Head.SameTokenMeanVariance, statistic: varianceOverDraws},
	{name: "participation_ratio", column: tokenColumn, factor: factorOne, theory: weights.Head.ParticipationRatio,
		statistic: inverseMean},
}

// isDefined reports whether the quantity is estimated for the head. A mean over all possible tokens
// is not known if a norm follows the weights, the variance of the mean logit of a token with itself
// has no theory for orthogonal weights, and a relative variance requires logits that vary.
func (q initQuantity) isDefined(h weights.Head) bool {
	usesWeightsOnly := q.column == headColumn || q.column == headSelfColumn
	switch {
	case usesWeightsOnly && h.Normalised:
		return false
	case q.statistic == varianceOverDraws:
		return !h.Scheme.IsOrthogonal()
	case q.statistic == relativeVarianceOverDraws:
		return h.LogitVariance() > 0
	}
	return true
}

// isConstant reports whether the quantity is the same in every draw. This is true for the mean
// square of normalised vectors, for their products if the vectors have a single component, and for
// the squared cosine of two tokens with two components, which is 1. (The lengths of vectors after a
// square orthogonal matrix are also the same, but only up to rounding errors, which can be large,
// since the matrix is a factor of a matrix that may be nearly singular.)
func (q initQuantity) isConstant(h weights.Head) bool {
	switch q.column {
	case queryColumn, keyColumn:
		return h.Normalised
	case scoreColumn, selfSquareColumn:
		return h.Normalised && h.Shape.Key == 1
	case tokenColumn:
		return h.Shape.Model == 2
	}
	return false
}

// hasExactSE reports whether the standard error of the quantity has a closed form.
func (q initQuantity) hasExactSE(h weights.Head) bool {
	return q.column == headColumn && q.statistic == positiveMean && h.LogitVariance() > 0
}

// headVarianceSE returns the exact standard error of the mean, over n draws, of a head's mean
// square over all possible tokens.
func headVarianceSE(h weights.Head, n int64) float64 {
	return h.LogitVariance() * math.Sqrt(h.RelativeVariance()/float64(n))
}

// estimate returns the value of the quantity from the moments of its column, and its standard
// error.
func (q initQuantity) estimate(m moments.Moments, factor float64) (value, se float64) {
	n := float64(m.N)
	mean, sampleSE := float64(factor*m.Mean), math.Abs(factor)*math.Sqrt(max(0, m.Variance())/n)
	varianceRelativeSE := math.Sqrt(2 / (n - 1)) // relative standard error of a variance of normal numbers
	switch q.statistic {
	case inverseMean:
		return 1 / mean, sampleSE / float64(mean*mean)
	case rootMean: // the standard error is of first order
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

// initEstimates returns the estimates of the quantities that are defined for the head.
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

// maxRelativeSE is the largest relative standard error of a mean of squares with which the mean has
// an interval. The skewness of such a mean is about twice its relative standard error.
const maxRelativeSE = 0.05

// relativeMeanSE returns the approximate relative standard error of the mean, over n draws, of a
// mean square over the tokens of a draw. It is known before sampling. The relative variance is the
// relative variance of heads plus at most 8 divided by the number of tokens. The maximum is reached
// if all tokens have the same direction; 8 is 4·Var(x²) of a standard normal number x.
func relativeMeanSE(h weights.Head, n int64) float64 {
	relativeVariance := 8.0 / weights.Tokens
	if headVariance := h.RelativeVariance(); headVariance > 0 { // false if it is NaN, for normalised heads
		relativeVariance += headVariance
	}
	return math.Sqrt(relativeVariance / float64(n))
}

// maxExcessKurtosis is the largest excess kurtosis over draws with which a variance over draws has
// an interval. The relative error of the squared standard error of the variance is half of the
// excess kurtosis.
const maxExcessKurtosis = 0.1

// addEstimate adds an estimate over draws. The interval is normal if the standard error is exact,
// given by χ² for a variance over draws, and Student's otherwise. If its coverage would not be
// nominal, addEstimate adds a warning in place of the interval.
func addEstimate(f *experiment.CellEstimates, q initQuantity, h weights.Head, r result.Estimate) {
	if q.isConstant(h) {
		f.AddConstant(r, experiment.WhyDegenerate)
		return
	}
	value, se, dof := float64(r.Value), float64(r.SE), float64(r.N-1)
	isVariance := q.statistic == varianceOverDraws || q.statistic == relativeVarianceOverDraws
	reason := ""
	switch {
	case r.N < minDraws:
		reason = fmt.Sprintf("no interval: it rests on fewer than %d draws of the weights", minDraws)
	case math.IsNaN(value) || math.IsNaN(se):
		reason = "no interval: the draws do not determine it"
	case r.SE == 0 && r.Value == r.Theory: // all numbers are 0, and the interval has no width
	case isVariance:
		if kurtosis := q.excessKurtosis(h); !(kurtosis <= maxExcessKurtosis) {
			reason = "no interval: over draws of the weights it is not normal in so small a head"
		}
	case q.statistic != signedMean && !(relativeMeanSE(h, r.N) <= maxRelativeSE):
		reason = fmt.Sprintf("no interval: the error of a mean over so few draws is above %v %% of it, and so it "+
			"is skewed", 100*maxRelativeSE)
	}
	if reason != "" {
		f.AddWithoutInterval(r, reason)
		return
	}
	lo, hi := value, value
	switch {
	case isVariance:
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

// excessKurtosis returns the approximate excess kurtosis over draws of the numbers whose variance
// is estimated. It is 6ρ for a head's mean square with the relative variance ρ, as for a sum of
// squares. The mean logit of a token with itself is a sum of products of two normal numbers, whose
// excess kurtosis is 6 divided by the number of products.
func (q initQuantity) excessKurtosis(h weights.Head) float64 {
	if q.statistic == relativeVarianceOverDraws {
		return 6 * h.RelativeVariance()
	}
	return 6 / float64(h.ParticipationRatio()*float64(h.Shape.Key))
}
