// Package gate judges declared tests. A gate holds an estimate against a band
// and says pass, fail or undecided, with error rates that are declared before
// the first draw:
//
//	α  the chance that any gate does not pass although all is as theory says;
//	   each of G gates may spend α/G (Bonferroni).
//	β  the chance that all gates pass although one quantity lies on or beyond
//	   its band; it is not divided, since all must pass.
//
// The interval that is held against the band is about estimate ± z_β·se, and a
// gate that is as theory says passes with chance 1 − α/G when the band is about
// (z_{α/2G} + z_β) standard errors wide to either side. Both z are corrected
// for the estimate's skewness [CF38], whose exact value the check knows. How likely it
// is that one product of components alone is in the way, which no skewness tells, is
// asked for apart ([SingleProduct]).
//
// A [Check] is what is declared: the estimate, its band and its error, as functions
// of how much is drawn. Before a run [Samples] says how much that must be; after it
// [Judge] makes a verdict of a row, and [Sum] one of all gates. A share of events
// has exact limits instead of an error.
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

// Rates are the declared error rates of a group of gates.
type Rates struct {
	Alpha, Beta float64
	Gates       int // how many share Alpha
}

// ForAttempt returns the rates of the k-th further attempt, α/2^k and β/2^k, so that all attempts
// together spend at most twice the declared rates.
func (r Rates) ForAttempt(k int) Rates {
	r.Alpha, r.Beta = math.Ldexp(r.Alpha, -k), math.Ldexp(r.Beta, -k)
	return r
}

// ZAlpha returns z_{α/2G}.
func (r Rates) ZAlpha() float64 { return z(r.tail()) }

// ZBeta returns z_β, the half-width of a gate's interval in standard errors.
func (r Rates) ZBeta() float64 { return z(r.Beta) }

// zCache caches z, since the gates of a plan need only a few values.
var zCache sync.Map

// z returns the value that a normal number exceeds with the probability tail.
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

// maxNormalError is the NormalError above which no gate is decided: the correction for skewness is
// then itself too large, and the tail is off by more than its own size. Planned numbers keep it
// well below.
const maxNormalError = 1

// NormalError returns |γ|z³/(6√n), the relative error of the normal tail of the estimate at
// z_{α/2G}.
func NormalError(c Check, n int64, r Rates) float64 {
	return theory.TailError(r.ZAlpha(), c.Skew, n)
}

// Judge judges an estimate of n numbers by the check's band. If the check does not know the exact
// standard error, it uses the estimate's own.
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
		// The interval at α/2G, if that is the larger, must lie on the wrong side
		// too. With as many numbers as the rates ask for it makes no difference to a
		// quantity that is as theory says; with fewer it keeps the promise that such a
		// quantity fails with chance α/G at most, and leaves it undecided instead.
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

// NewResult returns the gate of an interval and a band.
func (c Check) NewResult(estimate result.Estimate, se, lo, hi float64, band [2]float64) result.Gate {
	return result.Gate{
		Name: c.Name, Expect: c.Expect, Experiment: c.Experiment, Cell: c.Cell, Params: c.Params, Quantity: c.Quantity,
		Value: estimate.Value, SE: result.Number(se), Lo: result.Number(lo), Hi: result.Number(hi),
		Band:    [2]result.Number{result.Number(band[0]), result.Number(band[1])},
		Verdict: c.Verdict(lo, hi, band), NormalError: result.Absent(), SingleProduct: result.Absent(),
	}
}

// unitsToDecide returns the number of units with which an estimate of this value would be decided: its
// distance to the nearer edge is then z_β standard errors, or z_{α/2G} if it would fail, and no
// single product matters. It returns nil if no number is enough.
func unitsToDecide(c Check, estimate result.Estimate, se float64, band [2]float64, r Rates) *int64 {
	value := float64(estimate.Value)
	gap := min(math.Abs(value-band[0]), math.Abs(value-band[1]))
	z := r.ZBeta()
	if c.Verdict(value, value, band) == result.Fail {
		z = max(z, r.ZAlpha())
	}
	factor := z * se * max(c.EdgeSERatio, 1) / gap
	skewed := NormalError(c, estimate.N, r) / maxNormalError
	n := float64(estimate.N) * max(factor*factor, skewed*skewed) / c.NumbersPerUnit
	if !(n < 1<<62) {
		return nil
	}
	units := int64(math.Ceil(n))
	if !isSingleProductRare(c, c.Numbers(units), r) {
		minUnits, ok := SamplesForSingleProduct(c, r)
		if units = max(units, minUnits); !ok {
			return nil
		}
	}
	return &units
}

// maxSamples bounds the search for a number of units.
const maxSamples = 1 << 52

// IsEnough reports whether the check, if theory is right, passes with probability 1 − α/G for the
// given number of units, with a NormalError of at most TailLimit and a SingleProduct of at most
// MaxSingle.
func IsEnough(c Check, units int64, r Rates) bool {
	if c.IsProportion() {
		return true // its limits are exact for any number; its experiment has a floor
	}
	n := c.Numbers(units)
	return n >= 2 && isBandWideEnough(c, n, r) && NormalError(c, n, r) <= TailLimit(c.Tolerance) && isSingleProductRare(c, n, r)
}

// Samples returns the smallest number of units that is enough. It fails if 2^52 are too few.
func Samples(c Check, r Rates) (int64, error) {
	if c.IsProportion() {
		return 1, nil
	}
	// Single products decide seldom, and take long: they are asked for last.
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
	if inside := expected >= band[0] && expected <= band[1]; inside == (c.Expect == names.ExpectOutside) {
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

// UngatedAdvice ends error messages about what no gate can judge: a plan can still measure it.
const UngatedAdvice = "give the experiment gate: false"

// Shortage returns (se/se_allowed)²: the factor by which the numbers must grow for an estimate
// with this standard error to pass with probability 1 − α/G if theory is right.
func Shortage(c Check, se float64, r Rates) float64 {
	expected, _, band := c.Expected(0)
	halfWidth := min(expected-band[0], band[1]-expected)
	ratio := (r.ZAlpha() + r.ZBeta()) * se / halfWidth
	return ratio * ratio
}

// isBandWideEnough reports whether the interval passes even if the estimate is at its α/2G quantiles, on
// either side.
func isBandWideEnough(c Check, n int64, r Rates) bool {
	expected, se, band := c.Expected(n)
	if math.IsNaN(se) {
		if c.PlanningSE == nil {
			return true
		}
		se = c.PlanningSE(n)
	}
	lowerMargin, upperMargin := c.RequiredMargin(se, n, r.ZAlpha(), r.ZBeta())
	lowest, highest := expected-lowerMargin, expected+upperMargin
	if c.Expect == names.ExpectOutside {
		return highest < band[0] || lowest > band[1]
	}
	return lowest >= band[0] && highest <= band[1]
}

// findMinimum returns the smallest number from first on that is enough; ok is false if none up to
// maxSamples is.
func findMinimum(first int64, isEnough func(int64) bool) (int64, bool) {
	high := max(first, 2)
	for !isEnough(high) {
		if high *= 2; high > maxSamples {
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

// Combine returns the verdict on all gates: fail if one fails, else undecided if one is, else pass.
func Combine(gates []result.Gate) result.Verdict {
	total := result.Pass
	for _, g := range gates {
		switch g.Verdict {
		case result.Fail:
			return result.Fail
		case result.Undecided:
			total = result.Undecided
		}
	}
	return total
}
