// Package gate judges declared tests. A gate compares the interval of an estimate with a band and
// returns pass, fail or undecided, with error rates that are declared before sampling:
//
//	α  the probability that any gate does not pass although all quantities agree with theory;
//	   each of G gates has α/G (Bonferroni).
//	β  the probability that all gates pass although one quantity lies on the edge of its band or
//	   beyond; it is not divided, since all gates must pass.
//
// The interval is about estimate ± z_β·se, where se is the standard error and z_p the value that a
// standard normal number exceeds with probability p. If the band extends about (z_{α/2G} + z_β)·se
// to either side of the theoretical value, a quantity that agrees with theory passes with
// probability 1 − α/G. Both z are corrected for the skewness of the estimate [CF38], which the
// check knows exactly. The skewness does not show how often one large product of components decides
// a gate; [SingleProduct] computes this.
//
// A [Check] declares an estimate, its band and its standard error as functions of the number of
// numbers. A cell samples units (for example pairs of vectors), and each unit contributes
// [Check.NumbersPerUnit] numbers to the estimate. Before a run, [Samples] computes how many units
// are needed. After the run, [Judge] judges one estimate, and [Combine] returns the verdict on all
// gates. A proportion of events is judged by exact limits, without a standard error.
//
// References:
//
//	[CF38] Cornish, Fisher: Moments and Cumulants in the Specification of
//	       Distributions, Revue de l'Institut International de Statistique 5
//	       (1938).
package gate

import (
	"fmt"
	"math"
	"sync"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Rates holds the declared error rates of a set of gates.
type Rates struct {
	Alpha, Beta float64
	Gates       int // number of gates that Alpha is divided among
}

// ForAttempt returns the rates of the k-th further attempt, α/2^k and β/2^k, so that all attempts
// together use at most twice the declared rates.
func (r Rates) ForAttempt(k int) Rates {
	r.Alpha, r.Beta = math.Ldexp(r.Alpha, -k), math.Ldexp(r.Beta, -k)
	return r
}

// ZAlpha returns z_{α/2G}, where α/2G is the part of α for one side of one gate.
func (r Rates) ZAlpha() float64 { return z(r.tail()) }

// ZBeta returns z_β, the half-width of a gate's interval in standard errors.
func (r Rates) ZBeta() float64 { return z(r.Beta) }

// zCache caches z by its tail, since the gates of a plan need only a few values.
var zCache sync.Map

// z returns the value that a standard normal number exceeds with the probability tail.
func z(tail float64) float64 {
	cached, ok := zCache.Load(tail)
	if !ok {
		cached = -elementary.Quantile(tail)
		zCache.Store(tail, cached)
	}
	return cached.(float64)
}

// tail returns α/2G.
func (r Rates) tail() float64 { return r.Alpha / (2 * float64(max(r.Gates, 1))) }

// maxNormalError is the NormalError above which no gate is decided. Above it the correction for
// skewness is too large to be valid, and the error of the tail exceeds the tail. In planned runs
// NormalError is at most TailLimit, which is well below.
const maxNormalError = 1

// NormalError returns |γ|z³/(6√n), the relative error of the normal tail probability at z =
// z_{α/2G} for an estimate of n numbers, with γ the skewness of the contribution of one number
// (c.Skew).
func NormalError(c Check, n int64, r Rates) float64 {
	return theory.TailError(r.ZAlpha(), c.Skew, n)
}

// Judge judges an estimate by the check's band. It uses the exact standard error of the check, or,
// if the check does not know it, the standard error that the estimate reports.
func Judge(c Check, estimate result.Estimate, r Rates) result.Gate {
	if c.IsProportion() {
		return judgeProportion(c, estimate)
	}
	_, se, band := c.Expected(estimate.N)
	if math.IsNaN(se) {
		se = float64(estimate.SE)
	}
	interval := func(tail float64) (lo, hi float64) {
		return c.Interval(float64(estimate.Value), se, estimate.N, -elementary.Quantile(tail))
	}
	lo, hi := interval(r.Beta)
	g := c.NewResult(estimate, se, lo, hi, band)
	if g.Verdict == result.Fail {
		// The interval with the smaller of the tails β and α/2G must lie on the wrong side;
		// otherwise the gate is undecided. This ensures that a quantity that agrees with theory
		// fails with a probability of at most α/G, even with fewer samples than the rates require.
		lo, hi = interval(min(r.tail(), r.Beta))
		g.Verdict = c.Verdict(lo, hi, band)
	}
	g.NormalError = result.Number(NormalError(c, estimate.N, r))
	g.SingleProduct = result.Number(SingleProduct(c, estimate.N, r))
	if float64(g.NormalError) > maxNormalError || float64(g.SingleProduct) > MaxSingleProduct {
		g.Verdict = result.Undecided
	}
	if g.Verdict == result.Undecided {
		g.NToDecide = unitsToDecide(c, estimate, se, band, r)
	}
	return g
}

// NewResult returns the result of a gate for an estimate, its interval [lo, hi] and the band.
func (c Check) NewResult(estimate result.Estimate, se, lo, hi float64, band [2]float64) result.Gate {
	return result.Gate{
		Name: c.Name, Expect: c.Expect, Experiment: c.Experiment, Cell: c.Cell, Params: c.Params, Quantity: c.Quantity,
		Value: estimate.Value, SE: result.Number(se), Lo: result.Number(lo), Hi: result.Number(hi),
		Band:    [2]result.Number{result.Number(band[0]), result.Number(band[1])},
		Verdict: c.Verdict(lo, hi, band), NormalError: result.Absent(), SingleProduct: result.Absent(),
	}
}

// unitsToDecide returns the number of units with which an estimate of the same value would be
// decided, or nil if no number is enough. With this number, three conditions hold: the distance of
// the value to the nearer edge of the band is z_β standard errors, or z_{α/2G} if that is more and
// the gate would fail; NormalError is at most maxNormalError; and single products are rare enough.
func unitsToDecide(c Check, estimate result.Estimate, se float64, band [2]float64, r Rates) *int64 {
	value := float64(estimate.Value)
	gap := min(math.Abs(value-band[0]), math.Abs(value-band[1]))
	z := r.ZBeta()
	if c.Verdict(value, value, band) == result.Fail {
		z = max(z, r.ZAlpha())
	}
	// Standard error and NormalError fall like 1/√n; these are the factors by which they must fall.
	seFactor := z * se * max(c.EdgeSERatio, 1) / gap
	normalErrorFactor := NormalError(c, estimate.N, r) / maxNormalError
	n := float64(estimate.N) * max(seFactor*seFactor, normalErrorFactor*normalErrorFactor) / c.NumbersPerUnit
	if !(n < 1<<62) { // also if n is NaN
		return nil
	}
	units := int64(math.Ceil(n))
	if isSingleProductRare(c, c.Numbers(units), r) {
		return &units
	}
	minUnits, ok := SamplesForSingleProduct(c, r)
	if !ok {
		return nil
	}
	units = max(units, minUnits)
	return &units
}

// maxSamples bounds the search for a number of units.
const maxSamples = 1 << 52

// IsEnough reports whether, for the given number of units, a quantity that agrees with theory
// passes with probability 1 − α/G, NormalError is at most TailLimit, and SingleProduct is at most
// MaxSingleProduct.
func IsEnough(c Check, units int64, r Rates) bool {
	if c.IsProportion() {
		return true // the limits of a proportion are exact for any number of units
	}
	n := c.Numbers(units)
	return n >= 2 && isBandWideEnough(c, n, r) && NormalError(c, n, r) <= TailLimit(c.Tolerance) &&
		isSingleProductRare(c, n, r)
}

// Samples returns the smallest number of units for which IsEnough is true. It returns an error if
// 2^52 units are too few.
func Samples(c Check, r Rates) (int64, error) {
	if c.IsProportion() {
		return 1, nil
	}
	// The condition on single products is checked last, because it rarely matters and is slow.
	withoutProducts := c
	withoutProducts.SingleProductTail = nil
	n, ok := findMinimum(2, func(units int64) bool { return IsEnough(withoutProducts, units, r) })
	if ok && !isSingleProductRare(c, c.Numbers(n), r) {
		n, ok = findMinimum(n, func(units int64) bool { return IsEnough(c, units, r) })
	}
	if ok {
		return n, nil
	}
	expected, _, band := c.Expected(maxSamples)
	isInside := expected >= band[0] && expected <= band[1]
	mustBeInside := c.Expect != names.ExpectOutside
	if isInside != mustBeInside {
		return 0, fmt.Errorf("%s of %s can never pass: its quantity is %.4g by theory and "+
			"must lie %s of [%.4g, %.4g]; take another tolerance or another d_k",
			c.Name, c.Cell, expected, c.Expect, band[0], band[1])
	}
	reason := ""
	if _, ok := SamplesForSingleProduct(c, r); !ok {
		reason = ", since single products of components decide it too often"
	}
	return 0, fmt.Errorf("%s of %s cannot be decided with 2^52 samples%s; take a larger tolerance, or "+UngatedAdvice,
		c.Name, c.Cell, reason)
}

// UngatedAdvice ends error messages about quantities that no gate can judge: a plan can still
// measure them.
const UngatedAdvice = "give the experiment gate: false"

// Shortage returns the factor by which the number of samples must grow so that an estimate whose
// standard error is se passes with probability 1 − α/G if its quantity agrees with theory. It is
// the square of se over the largest standard error with which it would. The band must contain the
// theoretical value.
func Shortage(c Check, se float64, r Rates) float64 {
	expected, _, band := c.Expected(0)
	halfWidth := min(expected-band[0], band[1]-expected)
	ratio := (r.ZAlpha() + r.ZBeta()) * se / halfWidth
	return ratio * ratio
}

// isBandWideEnough reports whether a gate on n numbers passes even if the estimate is at its lower
// or upper quantile of probability α/2G. If no standard error is known, it returns true.
func isBandWideEnough(c Check, n int64, r Rates) bool {
	expected, se, band := c.Expected(n)
	if math.IsNaN(se) {
		if c.PlanningSE == nil {
			return true
		}
		se = c.PlanningSE(n)
	}
	lowerMargin, upperMargin := c.RequiredMargin(se, n, r.ZAlpha(), r.ZBeta())
	lowest, highest := expected-lowerMargin, expected+upperMargin // ends of the two intervals
	if c.Expect == names.ExpectOutside {
		return highest < band[0] || lowest > band[1]
	}
	return lowest >= band[0] && highest <= band[1]
}

// findMinimum returns the smallest number from first on for which isEnough is true. isEnough must
// be true for all larger numbers, too. ok is false if no number up to maxSamples is enough.
func findMinimum(first int64, isEnough func(int64) bool) (n int64, ok bool) {
	high := max(first, 2)
	for !isEnough(high) {
		high *= 2
		if high > maxSamples {
			return 0, false
		}
	}
	low := high / 2
	for low+1 < high {
		if mid := low + (high-low)/2; isEnough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}

// Combine returns the verdict on all gates: fail if any gate fails, otherwise undecided if any gate
// is undecided, otherwise pass.
func Combine(gates []result.Gate) result.Verdict {
	total := result.Pass
	for _, g := range gates {
		total = result.Worse(total, g.Verdict)
	}
	return total
}
