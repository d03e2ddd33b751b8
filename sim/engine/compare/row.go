package compare

import (
	"math"
	"strings"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Why a row is not tested.
const (
	noValue    = "a value in one of the two only"
	noSE       = "no standard error"
	noInterval = "no interval, since the standard error is not good enough"
	otherTruth = "another theory, which depends on n or on the program"
	noSpread   = "no variation to first order in 1/√n"
	ofOthers   = "made of other rows, which are compared themselves"
	heavyTail  = "an average of third or fourth powers, whose tail is too heavy for a normal limit"
)

// compareRows returns the difference of two rows with its standard error.
func compareRows(k Key, before, after result.Estimate, draws Draws) Row {
	r := Row{
		Key: k, Params: after.Params, Old: side(before), New: side(after), Difference: after.Value - before.Value,
		SE: result.Absent(), Limit: result.Absent(), Draws: draws,
	}
	r.SameValueOnly = same(before.Value, after.Value) &&
		!(before.N == after.N && same(before.SE, after.SE) && same(before.Theory, after.Theory))
	if draws == Same {
		r.SE = 0
		return r
	}
	if r.Why = untestable(before, after); r.Why == "" {
		r.setError()
	}
	return r
}

// same reports whether two numbers are equal or both absent.
func same(a, b result.Number) bool { return a == b || !a.Present() && !b.Present() }

func side(r result.Estimate) Side { return Side{N: r.N, Value: r.Value, SE: r.SE} }

// untestable returns why a row cannot be tested, "" if it can.
func untestable(before, after result.Estimate) string {
	if before.Experiment == names.ExperimentAgreement {
		return ofOthers
	}
	for _, r := range []result.Estimate{before, after} {
		switch {
		case !r.Value.Present():
			return noValue
		case !r.SE.Present():
			return noSE
		case !r.Lo.Present() || !r.Hi.Present():
			return noInterval
		case steady(r):
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

// steady reports whether the row's error is of order 1/n, not 1/√n. Then its
// leading term is gone, what is left is far from normal, and the error may
// even be given as 0: the square of a score of ±1 does not vary, but s², of
// which the mean's own square is taken away, does, like χ²/n.
func steady(r result.Estimate) bool {
	return float64(r.SE)*float64(r.N) <= 2*math.Abs(float64(r.Value))
}

// setError finds the standard error of the difference.
//
// Nested draws: means and s² are U-statistics, so the smaller run's estimate
// has the larger run's as its expectation given the larger run (Hoeffding,
// Ann. Math. Stat. 19, 1948), and Var(difference) = se₁² − se₂² exactly. Other
// smooth functions of moments are means of influence functions to first order
// and the same holds to that order. A slope is the best linear unbiased one,
// and no unbiased one with less data has any other covariance with it than its
// variance (Hausman, Econometrica 46, 1978, lemma 2.1): the same again.
//
// Tangled draws: no dependence makes the error larger than se₁ + se₂.
func (r *Row) setError() {
	a, b := float64(r.Old.SE), float64(r.New.SE)
	se := a + b
	switch r.Draws {
	case Independent:
		se = math.Sqrt(float64(a*a) + float64(b*b))
	case Nested:
		nested, ok := r.nested()
		if !ok {
			r.Draws = Unknown
			break
		}
		se, r.floor = nested, max(a, b)/remainder
	}
	r.SE = result.Number(se)
}

// remainder guards the tail. Where a run adds few draws the difference is
// their mean alone, which may be far from normal though the runs themselves
// are not; the limit is then that of a difference with 1/remainder of the
// smaller run's error. It matters where the larger run has less than a third
// more draws.
const remainder = 2

// nested returns √|se₁² − se₂²|. ok is false if the errors are not those of nested estimates: the
// larger run does not have the smaller error, or the errors of a cell do not decrease like 1/√n
// within a factor of √2.
func (r *Row) nested() (float64, bool) {
	small, large := r.Old, r.New
	if small.N > large.N {
		small, large = large, small
	}
	s, l := float64(small.SE*small.SE), float64(large.SE*large.SE)
	scaled := float64(l*float64(large.N)) / float64(s*float64(small.N))
	over := strings.Contains(r.Cell, "*") // many cells, each with an n of its own
	if small.N == large.N || !(s > l) || !over && !(scaled > 0.5 && scaled < 2) {
		return 0, false
	}
	return math.Sqrt(s - l), true
}
