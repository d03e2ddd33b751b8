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

// scoreFunctions are the functions of the score of independent components.
var scoreFunctions = []function{
	{name: "mean_of_score", args: []parameter{dimensions},
		compute: func(a Args) []Interval { return make([]Interval, len(a.list(names.ParamDimension))) }},
	{name: "variance_of_score", args: []parameter{dimensions, exponentsMay}, compute: varianceOfScore},
	{name: "sd_of_score", args: []parameter{dimensions, exponentsMay},
		compute: func(a Args) []Interval { return squareRoots(varianceOfScore(a)) }},
	{name: "unit_factor", args: []parameter{dimensions}, compute: unitFactor},
	{name: "share_beyond", args: []parameter{oneDimension, {name: "size", lo: 0, hi: maxScore}},
		compute: proportionBeyond},
	{name: "distance_from_normal", args: []parameter{oneDimension}, compute: func(a Args) []Interval {
		return []Interval{point(theory.NewNormality(a.whole(names.ParamDimension)).Distance).within(quadratureError)}
	}},
	{name: "product_moments", args: []parameter{
		meanParameter(names.ParamQueryMean), sdParameter(names.ParamQuerySD), meanParameter(names.ParamKeyMean),
		sdParameter(names.ParamKeySD),
	}, compute: productMoments},
	{name: "expected_relative_trace", args: []parameter{keysGiven, {name: names.LogitVariance, lo: 0, hi: maxScore}},
		compute: func(a Args) []Interval {
			return []Interval{evaluateDecreasing(a.first(names.LogitVariance, 1), func(variance float64) float64 {
				return theory.NewSoftmax(a.whole(names.ParamKeys), math.Sqrt(variance)).RelativeTrace()
			})}
		}},
	{name: "printed_variance", args: []parameter{oneDimension, {name: "queries", lo: 2, hi: maxTokens, whole: true},
		{name: names.ParamKeys, lo: 2, hi: maxTokens, whole: true}, exponentMay}, compute: printedVariance},
	{name: "variance_of_rule", args: []parameter{{name: names.ParamRule, named: checkRule}, dimensions},
		compute: varianceOfRule},
}

// quadratureError exceeds the error of the quadratures of package theory.
const quadratureError = 1e-8

// evaluateDecreasing returns the interval of a quadrature that decreases in its argument.
func evaluateDecreasing(a Interval, of func(float64) float64) Interval {
	hi := of(a.Lo)
	lo := hi
	if a.Hi != a.Lo {
		lo = of(a.Hi)
	}
	return Interval{lo, hi}.within(quadratureError)
}

// power returns d^(2p) for d ≥ 1, which increases in p.
func power(d float64, p Interval) Interval {
	return Interval{elementary.Pow(d, 2*p.Lo), elementary.Pow(d, 2*p.Hi)}
}

// squareRoots replaces each interval by its square root.
func squareRoots(of []Interval) []Interval {
	for i := range of {
		of[i] = of[i].root()
	}
	return of
}

// varianceOfScore returns Var(q·k)/d_k^(2p) of independent components, for each dimension and,
// within it, each exponent.
func varianceOfScore(a Args) (out []Interval) {
	for _, d := range a.list(names.ParamDimension) {
		for _, p := range a.orDefault(names.ParamExponent, 0) {
			variance := theory.NewScore(distribution.Normal, int(d.Lo)).Variance()
			out = append(out, point(variance).divide(power(d.Lo, p).outward(elementaryULPs)))
		}
	}
	return out
}

// unitFactor returns the inverse standard deviation of the score.
func unitFactor(a Args) []Interval {
	return names.Map(varianceOfScore(a), func(v Interval) Interval { return point(1).divide(v.root()) })
}

// proportionBeyond returns P(|q·k| ≥ s) for normal components.
func proportionBeyond(a Args) []Interval {
	d := a.whole(names.ParamDimension)
	return []Interval{evaluateDecreasing(a.first("size", 0),
		func(size float64) float64 { return tailProbability(d, size) })}
}

// tailProbability returns E erfc(s/(|q|√2)).
func tailProbability(d int, size float64) (beyond float64) {
	theory.IntegrateLengths(d, min(1.0/16, 0.5/math.Sqrt(float64(2*d))), func(weight, r float64) {
		beyond += float64(weight * elementary.Erfc(size/float64(r*math.Sqrt(float64(2*d)))))
	})
	return beyond
}

// meanParameter and sdParameter describe moments of a component.
func meanParameter(name string) parameter {
	return parameter{name: name, lo: -1e3, hi: 1e3, optional: true}
}
func sdParameter(name string) parameter { return parameter{name: name, lo: 0, hi: 1e3, optional: true} }

// productMoments returns the mean and the variance of a product of independent components.
func productMoments(a Args) []Interval {
	qMean, qSD := a.first(names.ParamQueryMean, 0), a.first(names.ParamQuerySD, 1)
	kMean, kSD := a.first(names.ParamKeyMean, 0), a.first(names.ParamKeySD, 1)
	// σ_q²σ_k² + m_q²σ_k² + m_k²σ_q²
	variance := qSD.square().multiply(kSD.square())
	variance = variance.add(qMean.square().multiply(kSD.square()))
	variance = variance.add(kMean.square().multiply(qSD.square()))
	return []Interval{qMean.multiply(kMean), variance}
}

// printedVariance is the variance of all nm products of n queries with m keys, over nm − 1,
// and how it scatters: one standard deviation on either side.
//
// Rotating the queries, and the keys, so that their sums point along the first of each leaves
// the sum of squares, and nm times the squared mean becomes one of the squares. So the
// variance is the mean of all squares but one. Of normal components a square has the
// variance 2d² + 6d, and two that share a query or a key the covariance 2d.
//
// So it scatters by 14.50 % of itself for 10 × 10 products at d = 512, where the mean of all
// squares, from which no mean is subtracted and which is divided by nm, scatters by 14.43 %.
func printedVariance(a Args) []Interval {
	d, n, m := a.first(names.ParamDimension, 1).Lo, a.first("queries", 2).Lo, a.first(names.ParamKeys, 2).Lo
	by := power(d, a.first(names.ParamExponent, 0))
	pairs := float64(n*m) - 1
	shared := float64(float64(n*m)*(n+m-2)) - 2*(n+m-2)
	square := float64(2*d*d) + float64(6*d)
	spread := math.Sqrt(float64(pairs*square)+float64(2*d*shared)) / pairs
	lo := (d - spread) / by.Hi
	if d < spread {
		lo = (d - spread) / by.Lo
	}
	return []Interval{{lo, (d + spread) / by.Lo}}
}

// keysOfRules is the number of keys for rules that depend on it.
const keysOfRules = 8

// checkRule refuses a text that is not a rule.
func checkRule(text string) error {
	_, err := rule.Parse(text, experiment.Number)
	return err
}

// varianceOfRule returns the variance of the logit for normal components.
func varianceOfRule(a Args) (out []Interval) {
	of, err := rule.Parse(a.name(names.ParamRule), experiment.Number)
	if err != nil {
		panic(fmt.Sprintf("claim: %v", err))
	}
	for _, d := range a.list(names.ParamDimension) {
		v, known := of.Variance(rule.Setting{Distribution: distribution.Normal, D: int(d.Lo), Keys: keysOfRules}),
			sumError
		if v.Kind != names.TheoryExact {
			known = quadratureError
		}
		out = append(out, point(v.Value).within(known))
	}
	return out
}
