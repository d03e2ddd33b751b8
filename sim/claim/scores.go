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

// scoreFunctions are those of the score of independent components.
var scoreFunctions = []function{
	{name: "mean_of_score", args: []parameter{dimensions},
		of: func(a Args) []Interval { return make([]Interval, len(a.list(names.ParamDimension))) }},
	{name: "variance_of_score", args: []parameter{dimensions, exponentsMay}, of: varianceOfScore},
	{name: "sd_of_score", args: []parameter{dimensions, exponentsMay},
		of: func(a Args) []Interval { return roots(varianceOfScore(a)) }},
	{name: "unit_factor", args: []parameter{dimensions}, of: unitFactor},
	{name: "share_beyond", args: []parameter{oneDimension, {name: "size", lo: 0, hi: mostScore}}, of: shareBeyond},
	{name: "distance_from_normal", args: []parameter{oneDimension}, of: func(a Args) []Interval {
		return []Interval{point(theory.NormalityOf(a.whole(names.ParamDimension)).Distance).within(quadratureError)}
	}},
	{name: "product_moments", args: []parameter{
		meanOf(names.ParamQueryMean), sdOf(names.ParamQuerySD), meanOf(names.ParamKeyMean), sdOf(names.ParamKeySD),
	}, of: productMoments},
	{name: "expected_relative_trace", args: []parameter{keysGiven, {name: names.LogitVariance, lo: 0, hi: mostScore}},
		of: func(a Args) []Interval {
			return []Interval{falling(a.one(names.LogitVariance, 1), func(variance float64) float64 {
				return theory.SoftmaxOf(a.whole(names.ParamKeys), math.Sqrt(variance)).RelativeTrace()
			})}
		}},
	{name: "printed_variance", args: []parameter{oneDimension, {name: "queries", lo: 2, hi: mostTokens, whole: true},
		{name: names.ParamKeys, lo: 2, hi: mostTokens, whole: true}, exponentMay}, of: printedVariance},
	{name: "variance_of_rule", args: []parameter{{name: names.ParamRule, named: isRule}, dimensions},
		of: varianceOfRule},
}

// quadratureError is more than what quadratures of package theory are off.
const quadratureError = 1e-8

// falling is what a quadrature that falls with its argument gives from one end to the other.
func falling(a Interval, of func(float64) float64) Interval {
	hi := of(a.Lo)
	lo := hi
	if a.Hi != a.Lo {
		lo = of(a.Hi)
	}
	return Interval{lo, hi}.within(quadratureError)
}

// power is d^(2p) of a d of 1 or more, which rises with p.
func power(d float64, p Interval) Interval {
	return Interval{elementary.Pow(d, 2*p.Lo), elementary.Pow(d, 2*p.Hi)}
}

// roots are those of some numbers.
func roots(of []Interval) []Interval {
	for i := range of {
		of[i] = of[i].root()
	}
	return of
}

// varianceOfScore is Var(q·k) of independent components over d_k^(2p): from one dimension
// to the next, and for each of them from one exponent to the next.
func varianceOfScore(a Args) (out []Interval) {
	for _, d := range a.list(names.ParamDimension) {
		for _, p := range a.or(names.ParamExponent, 0) {
			variance := theory.NewScore(distribution.Normal, int(d.Lo)).Variance()
			out = append(out, point(variance).over(power(d.Lo, p).outward(elementaryULPs)))
		}
	}
	return out
}

// unitFactor is one over the standard deviation of the score.
func unitFactor(a Args) []Interval {
	return names.Each(varianceOfScore(a), func(v Interval) Interval { return point(1).over(v.root()) })
}

// shareBeyond is P(|q·k| ≥ s) of normal components.
func shareBeyond(a Args) []Interval {
	d := a.whole(names.ParamDimension)
	return []Interval{falling(a.one("size", 0), func(size float64) float64 { return beyond(d, size) })}
}

// beyond is E erfc(s/(|q|√2)).
func beyond(d int, size float64) (beyond float64) {
	theory.OverLengths(d, min(1.0/16, 0.5/math.Sqrt(float64(2*d))), func(weight, r float64) {
		beyond += float64(weight * elementary.Erfc(size/float64(r*math.Sqrt(float64(2*d)))))
	})
	return beyond
}

// meanOf and sdOf are moments of a component.
func meanOf(name string) parameter { return parameter{name: name, lo: -1e3, hi: 1e3, optional: true} }
func sdOf(name string) parameter   { return parameter{name: name, lo: 0, hi: 1e3, optional: true} }

// productMoments are the mean and the variance of a product of independent components.
func productMoments(a Args) []Interval {
	qMean, qSD := a.one(names.ParamQueryMean, 0), a.one(names.ParamQuerySD, 1)
	kMean, kSD := a.one(names.ParamKeyMean, 0), a.one(names.ParamKeySD, 1)
	// σ_q²σ_k² + m_q²σ_k² + m_k²σ_q²
	variance := qSD.square().times(kSD.square())
	variance = variance.plus(qMean.square().times(kSD.square()))
	variance = variance.plus(kMean.square().times(qSD.square()))
	return []Interval{qMean.times(kMean), variance}
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
	d, n, m := a.one(names.ParamDimension, 1).Lo, a.one("queries", 2).Lo, a.one(names.ParamKeys, 2).Lo
	by := power(d, a.one(names.ParamExponent, 0))
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

// keysOfRules is how many keys a query has under rules that count them.
const keysOfRules = 8

// isRule wants the name of a rule.
func isRule(text string) error {
	_, err := rule.Parse(text, experiment.Number)
	return err
}

// varianceOfRule is the variance of the logit of normal components.
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
