package claim

import (
	"fmt"
	"math"

	"mcsim/sim/attention/rule"
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// scoreFunctions compute properties of the score q·k for independent components.
var scoreFunctions = []function{
	{name: "mean_of_score", parameters: []parameter{dimensionsParameter},
		compute: func(a Args) []Interval { return make([]Interval, len(a.numberList(names.ParamDimension))) }},
	{name: "variance_of_score", parameters: []parameter{dimensionsParameter, optionalExponents},
		compute: scoreVariance},
	{name: "sd_of_score", parameters: []parameter{dimensionsParameter, optionalExponents},
		compute: func(a Args) []Interval { return squareRoots(scoreVariance(a)) }},
	{name: "unit_factor", parameters: []parameter{dimensionsParameter}, compute: unitFactor},
	{name: "share_beyond", parameters: []parameter{dimensionParameter, {name: "size", minValue: 0, maxValue: maxScore}},
		compute: proportionBeyond},
	{name: "distance_from_normal", parameters: []parameter{dimensionParameter}, compute: func(a Args) []Interval {
		distance := theory.NewNormality(a.integer(names.ParamDimension)).Distance
		return []Interval{point(distance).widenRelative(quadratureError)}
	}},
	{name: "product_moments", parameters: []parameter{
		meanParameter(names.ParamQueryMean), sdParameter(names.ParamQuerySD), meanParameter(names.ParamKeyMean),
		sdParameter(names.ParamKeySD),
	}, compute: productMoments},
	{name: "expected_relative_trace",
		parameters: []parameter{keysParameter, {name: names.LogitVariance, minValue: 0, maxValue: maxScore}},
		compute: func(a Args) []Interval {
			return []Interval{evaluateDecreasing(a.number(names.LogitVariance, 1), func(variance float64) float64 {
				return theory.NewSoftmax(a.integer(names.ParamKeys), math.Sqrt(variance)).RelativeTrace()
			})}
		}},
	{name: "printed_variance", parameters: []parameter{dimensionParameter,
		{name: "queries", minValue: 2, maxValue: maxTokens, isInteger: true},
		{name: names.ParamKeys, minValue: 2, maxValue: maxTokens, isInteger: true}, optionalExponent},
		compute: printedVariance},
	{name: "variance_of_rule", parameters: []parameter{{name: names.ParamRule, checkName: checkRule},
		dimensionsParameter},
		compute: ruleVariance},
}

// quadratureError is an upper bound of the relative error of the quadratures of package theory.
const quadratureError = 1e-8

// evaluateDecreasing returns the image of an interval under f, a quadrature that decreases in its
// argument.
func evaluateDecreasing(a Interval, f func(float64) float64) Interval {
	hi := f(a.Lo)
	lo := hi
	if a.Hi != a.Lo {
		lo = f(a.Hi)
	}
	return Interval{lo, hi}.widenRelative(quadratureError)
}

// scalePower returns d^(2p) for d ≥ 1, which increases in p.
func scalePower(d float64, p Interval) Interval {
	return Interval{elementary.Pow(d, 2*p.Lo), elementary.Pow(d, 2*p.Hi)}
}

// squareRoots replaces each interval by its square root.
func squareRoots(intervals []Interval) []Interval {
	for i := range intervals {
		intervals[i] = intervals[i].sqrt()
	}
	return intervals
}

// scoreVariance returns Var(q·k)/d_k^(2p) for each dimension d_k and each exponent p. The results
// for the exponents of one dimension are consecutive.
func scoreVariance(a Args) (variances []Interval) {
	for _, d := range a.numberList(names.ParamDimension) {
		for _, p := range a.numbersOrDefault(names.ParamExponent, 0) {
			variance := theory.NewScore(distribution.Normal, int(d.Lo)).Variance()
			variances = append(variances, point(variance).divide(scalePower(d.Lo, p).widen(elementaryULPs)))
		}
	}
	return variances
}

// unitFactor returns the inverse standard deviation of the score.
func unitFactor(a Args) []Interval {
	return names.Map(scoreVariance(a), func(v Interval) Interval { return point(1).divide(v.sqrt()) })
}

// proportionBeyond returns P(|q·k| ≥ s) for normal components.
func proportionBeyond(a Args) []Interval {
	d := a.integer(names.ParamDimension)
	return []Interval{evaluateDecreasing(a.number("size", 0),
		func(size float64) float64 { return tailProbability(d, size) })}
}

// tailProbability returns P(|q·k| ≥ size) = E erfc(size/(|q|√2)).
func tailProbability(d int, size float64) (probability float64) {
	theory.IntegrateLengths(d, min(1.0/16, 0.5/math.Sqrt(float64(2*d))), func(weight, r float64) {
		probability += float64(weight * elementary.Erfc(size/float64(r*math.Sqrt(float64(2*d)))))
	})
	return probability
}

// meanParameter and sdParameter describe moments of a component.
func meanParameter(name string) parameter {
	return parameter{name: name, minValue: -1e3, maxValue: 1e3, isOptional: true}
}
func sdParameter(name string) parameter {
	return parameter{name: name, minValue: 0, maxValue: 1e3, isOptional: true}
}

// productMoments returns the mean and the variance of a product of independent components.
func productMoments(a Args) []Interval {
	qMean, qSD := a.number(names.ParamQueryMean, 0), a.number(names.ParamQuerySD, 1)
	kMean, kSD := a.number(names.ParamKeyMean, 0), a.number(names.ParamKeySD, 1)
	// σ_q²σ_k² + m_q²σ_k² + m_k²σ_q²
	variance := qSD.square().multiply(kSD.square())
	variance = variance.add(qMean.square().multiply(kSD.square()))
	variance = variance.add(kMean.square().multiply(qSD.square()))
	return []Interval{qMean.multiply(kMean), variance}
}

// printedVariance returns the interval of one standard deviation around the mean of the sample
// variance of all nm products of n queries with m keys (with divisor nm − 1), divided by d^(2p).
//
// An orthogonal transformation of the n queries among themselves can make one of the new queries
// equal to their sum over √n. The same is possible for the m keys. This keeps the sum of the
// squared products, and nm times the squared mean becomes one of the squares. So the sample
// variance is the mean of the other nm − 1 squares. For normal components a square has the variance
// 2d² + 6d, and two squares that share a query or a key have the covariance 2d. For 10 × 10
// products at d = 512 the standard deviation is 14.50 % of the mean. The mean of all nm squares
// would have 14.43 %.
func printedVariance(a Args) []Interval {
	d, n, m := a.number(names.ParamDimension, 1).Lo, a.number("queries", 2).Lo, a.number(names.ParamKeys, 2).Lo
	divisor := scalePower(d, a.number(names.ParamExponent, 0))
	dof := float64(n*m) - 1
	sharingPairs := float64(float64(n*m)*(n+m-2)) - 2*(n+m-2)
	squareVariance := float64(2*d*d) + float64(6*d)
	sd := math.Sqrt(float64(dof*squareVariance)+float64(2*d*sharingPairs)) / dof
	lo := (d - sd) / divisor.Hi
	if d < sd {
		lo = (d - sd) / divisor.Lo
	}
	return []Interval{{lo, (d + sd) / divisor.Lo}}
}

// ruleKeys is the number of keys for rules that depend on it.
const ruleKeys = 8

// checkRule returns an error if a text is not a scaling rule.
func checkRule(text string) error {
	_, err := rule.Parse(text, experiment.Number)
	return err
}

// ruleVariance returns the variance of the logit under a scaling rule, for normal components and
// each dimension.
func ruleVariance(a Args) (variances []Interval) {
	r, err := rule.Parse(a.text(names.ParamRule), experiment.Number)
	if err != nil {
		panic(fmt.Sprintf("claim: %v", err))
	}
	for _, d := range a.numberList(names.ParamDimension) {
		v := r.Variance(rule.Setting{Distribution: distribution.Normal, D: int(d.Lo), Keys: ruleKeys})
		relativeError := sumError
		if v.Kind != names.TheoryExact {
			relativeError = quadratureError
		}
		variances = append(variances, point(v.Value).widenRelative(relativeError))
	}
	return variances
}
