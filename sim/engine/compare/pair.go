package compare

import (
	"math"
	"strings"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Reasons why a pair is not tested.
const (
	noValue    = "only one of the two has a value"
	noSE       = "no standard error"
	noInterval = "no interval, since the standard error is not known well enough"
	otherTruth = "another theory, which depends on n or on the program"
	noSpread   = "no variation to first order in 1/√n"
	derived    = "computed from other estimates, which are compared themselves"
	heavyTail  = "an average of third or fourth powers, whose tail is too heavy for a normal limit"
)

// compareEstimates returns the difference of two estimates with its standard error.
func compareEstimates(k EstimateID, before, after result.Estimate, draws SampleRelation) EstimatePair {
	r := EstimatePair{
		EstimateID: k, Params: after.Params, Old: side(before), New: side(after),
		Difference: after.Value - before.Value,
		SE:         result.Absent(), Limit: result.Absent(), Draws: draws,
	}
	r.SameValueOnly = isSame(before.Value, after.Value) &&
		!(before.N == after.N && isSame(before.SE, after.SE) && isSame(before.Theory, after.Theory))
	if draws == Same {
		r.SE = 0
		return r
	}
	if r.Why = whyUntestable(before, after); r.Why == "" {
		r.setError()
	}
	return r
}

// isSame reports whether two numbers are equal or both absent.
func isSame(a, b result.Number) bool { return a == b || !a.Present() && !b.Present() }

func side(r result.Estimate) Side { return Side{N: r.N, Value: r.Value, SE: r.SE} }

// whyUntestable returns why a pair cannot be tested, or "" if it can.
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
			return noSpread
		}
	}
	if names.HasHeavyTail(before.Quantity) {
		return heavyTail
	}
	if before.Theory != after.Theory && (before.Theory.Present() || after.Theory.Present()) {
		return otherTruth
	}
	return ""
}

// isDegenerate reports whether the error of an estimate is of order 1/n instead of 1/√n. The
// first-order term is then zero, the remaining error is far from normal, and the standard error may
// even be 0. For example, the squares of scores of ±1 do not vary, but s², which subtracts the
// square of the mean, varies like χ²/n.
func isDegenerate(r result.Estimate) bool {
	return float64(r.SE)*float64(r.N) <= 2*math.Abs(float64(r.Value))
}

// setError sets the standard error of the difference.
//
// Independent samples: √(se₁² + se₂²).
//
// Nested samples: means and s² are U-statistics, so the expectation of the smaller run's estimate,
// given the larger run, is the larger run's estimate (Hoeffding, Ann. Math. Stat. 19, 1948), and
// Var(difference) = se₁² − se₂² exactly. Other smooth functions of moments are, to first order,
// means of influence functions, so the same holds to first order. A slope is the best linear
// unbiased estimator; its covariance with any unbiased estimator from fewer data is its own
// variance (Hausman, Econometrica 46, 1978, lemma 2.1), so the same holds.
//
// Unknown relation: no dependence makes the standard error larger than se₁ + se₂.
func (r *EstimatePair) setError() {
	a, b := float64(r.Old.SE), float64(r.New.SE)
	se := a + b
	switch r.Draws {
	case Independent:
		se = math.Sqrt(float64(a*a) + float64(b*b))
	case Nested:
		nested, ok := r.nestedSE()
		if !ok {
			r.Draws = Unknown
			break
		}
		se, r.floor = nested, max(a, b)/maxErrorRatio
	}
	r.SE = result.Number(se)
}

// maxErrorRatio limits how much smaller than the smaller run's standard error the one in the limit
// can be. If a run adds few samples, the difference is a mean of only these, which may be far from
// normal although both estimates are nearly normal. It matters if the larger run has less than a
// third more samples.
const maxErrorRatio = 2

// nestedSE returns √|se₁² − se₂²|. ok is false if the errors are not those of nested estimates: the
// larger run does not have the smaller error, or the errors of a cell do not decrease like 1/√n
// within a factor of √2.
func (r *EstimatePair) nestedSE() (float64, bool) {
	small, large := r.Old, r.New
	if small.N > large.N {
		small, large = large, small
	}
	s, l := float64(small.SE*small.SE), float64(large.SE*large.SE)
	scaled := float64(l*float64(large.N)) / float64(s*float64(small.N))
	isPattern := strings.Contains(r.Cell, "*") // the estimate of many cells, each with its own n
	if small.N == large.N || !(s > l) || !isPattern && !(scaled > 0.5 && scaled < 2) {
		return 0, false
	}
	return math.Sqrt(s - l), true
}
