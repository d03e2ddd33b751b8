package compare

import (
	"math"
	"strings"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Reasons why a pair is not tested.
const (
	noValue     = "only one of the two has a value"
	noSE        = "no standard error"
	noInterval  = "no interval, since the standard error is not known well enough"
	otherTheory = "another theory, which depends on n or on the program"
	degenerate  = "no variation to first order in 1/√n"
	derived     = "computed from other estimates, which are compared themselves"
	heavyTail   = "an average of third or fourth powers, whose tail is too heavy for a normal limit"
)

// compareEstimates returns the pair of two estimates with the ID k, without limit and verdict.
func compareEstimates(k EstimateID, before, after result.Estimate, draws SampleRelation) EstimatePair {
	r := EstimatePair{
		EstimateID: k, Params: after.Params, Old: side(before), New: side(after),
		Difference: after.Value - before.Value,
		SE:         result.Absent(), Limit: result.Absent(), Draws: draws,
	}
	isRestSame := before.N == after.N && isSame(before.SE, after.SE) && isSame(before.Theory, after.Theory)
	r.SameValueOnly = isSame(before.Value, after.Value) && !isRestSame
	if draws == Same {
		r.SE = 0
		return r
	}
	r.Why = whyUntestable(before, after)
	if r.Why == "" {
		r.setError()
	}
	return r
}

// isSame reports whether two numbers are equal or both absent.
func isSame(a, b result.Number) bool { return a == b || !a.Present() && !b.Present() }

func side(r result.Estimate) Side { return Side{N: r.N, Value: r.Value, SE: r.SE} }

// whyUntestable returns the reason why a pair cannot be tested, or an empty text if it can.
func whyUntestable(before, after result.Estimate) string {
	if before.Experiment == names.ExperimentAgreement {
		return derived
	}
	for _, r := range []result.Estimate{before, after} {
		switch {
		case !r.Value.Present():
			return noValue
		case !r.SE.Present():
			return noSE
		case !r.Lo.Present() || !r.Hi.Present():
			return noInterval
		case isDegenerate(r):
			return degenerate
		}
	}
	if names.HasHeavyTail(before.Quantity) {
		return heavyTail
	}
	if !isSame(before.Theory, after.Theory) {
		return otherTheory
	}
	return ""
}

// isDegenerate reports whether the error of an estimate is of order 1/n instead of 1/√n. Then the
// error is far from normal, and the standard error may even be 0. For example, the squares of
// scores of ±1 do not vary, but s², which subtracts the square of the mean, varies like χ²/n. An
// estimate counts as degenerate if its standard error is at most 2/n of its value.
func isDegenerate(r result.Estimate) bool {
	return float64(r.SE)*float64(r.N) <= 2*math.Abs(float64(r.Value))
}

// setError sets the standard error of the difference.
//
// Independent samples: √(se₁² + se₂²).
//
// Nested samples: means and s² are U-statistics, so that the expectation of the smaller run's
// estimate, given the larger run, is the larger run's estimate (Hoeffding, Ann. Math. Stat. 19,
// 1948), and Var(difference) = se₁² − se₂² exactly. Other smooth functions of moments are, to first
// order, means of influence functions, so the same holds to first order. A slope is the best linear
// unbiased estimator; its covariance with any unbiased estimator from fewer data is its own
// variance (Hausman, Econometrica 46, 1978, lemma 2.1), so the same holds.
//
// Unknown relation: se₁ + se₂, which is the largest value for any dependence.
func (r *EstimatePair) setError() {
	a, b := float64(r.Old.SE), float64(r.New.SE)
	se := a + b
	switch r.Draws {
	case Independent:
		se = math.Sqrt(float64(a*a) + float64(b*b))
	case Nested:
		nested, isConsistent := r.nestedSE()
		if !isConsistent {
			r.Draws = Unknown
			break
		}
		se, r.minSE = nested, max(a, b)/maxErrorRatio
	}
	r.SE = result.Number(se)
}

// maxErrorRatio is the largest ratio of the smaller run's standard error to the standard error from
// which the limit of a nested pair is computed. If a run adds few samples, the difference is a mean
// of only these samples. It may be far from normal although both estimates are nearly normal. The
// bound has an effect if the larger run has less than a third more samples.
const maxErrorRatio = 2

// nestedSE returns √(se₁² − se₂²) for the smaller run 1 and the larger run 2. isConsistent is false
// if the errors cannot be errors of nested samples: if the larger run does not have the smaller
// error, or if the errors of a single cell do not decrease like 1/√n within a factor of √2.
func (r *EstimatePair) nestedSE() (se float64, isConsistent bool) {
	small, large := r.Old, r.New
	if small.N > large.N {
		small, large = large, small
	}
	smallSquare, largeSquare := float64(small.SE*small.SE), float64(large.SE*large.SE)
	ratio := float64(largeSquare*float64(large.N)) / float64(smallSquare*float64(small.N))
	isSingleCell := !strings.Contains(r.Cell, "*") // otherwise the cells of the pattern differ in n
	fallsAsRoot := ratio > 0.5 && ratio < 2
	if small.N == large.N || !(smallSquare > largeSquare) || isSingleCell && !fallsAsRoot {
		return 0, false
	}
	return math.Sqrt(smallSquare - largeSquare), true
}
