package gate

import (
	"math"

	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// MaxSingleProduct is the largest accepted SingleProduct. At a tenth of the declared rate the limits,
// which are corrected only for skewness, still hold.
const MaxSingleProduct = 0.1

// SingleProduct returns the probability that a single product of components decides the gate
// wrongly, divided by the declared rate for that: the larger of two ratios, NaN for a check
// without such a probability. If the quantity is as theory says, it is over α/2G: one product
// raises the estimate to where it does not pass. With fewer numbers than the rates need, that may
// be close to theory; it is then compared with the value that the limits assume to be exceeded
// with probability α/2G. If the quantity is on an edge, it is over β: one product raises the
// estimate by the reach of the interval below it, from the lower edge into the band, or from the
// upper edge out of it if the quantity must lie outside. Nothing lowers a mean of squares, so a
// quantity on the other edge, or one that must lie above its band, is not affected.
func SingleProduct(c Check, n int64, r Rates) float64 {
	if c.SingleProductTail == nil {
		return math.NaN()
	}
	expected, se, band := c.Expected(n)
	passingEdge, failingEdge := band[0], band[1]
	if c.Expect == names.ExpectOutside {
		passingEdge, failingEdge = failingEdge, passingEdge
	}
	worst := 0.0
	riseAtEdge := float64(theory.CornishFisher(r.ZBeta(), c.Skew, n).Upper*se) * c.edgeSERatio() * expected / passingEdge
	if riseAtEdge > 0 { // no variance lies on an edge below 0
		worst = c.SingleProductTail(n, riseAtEdge) / r.Beta
	}
	if c.Expect == names.ExpectOutside && expected >= failingEdge {
		return worst
	}
	riseAtTheory := theory.CornishFisher(r.ZAlpha(), c.Skew, n).Upper * se
	return max(worst, c.SingleProductTail(n, max(riseAtTheory, c.largestPassing(failingEdge, se, n, r)-expected))/r.tail())
}

// largestPassing returns the largest estimate whose interval ends at the given edge.
func (c Check) largestPassing(edge, se float64, n int64, r Rates) float64 {
	return edge - float64(float64(theory.CornishFisher(r.ZBeta(), c.Skew, n).Lower*se)*c.edgeSERatio())
}

// isSingleProductRare reports whether no single product matters among n numbers.
func isSingleProductRare(c Check, n int64, r Rates) bool {
	return c.SingleProductTail == nil || SingleProduct(c, n, r) <= MaxSingleProduct
}

// SamplesForSingleProduct returns the smallest number of units with which no single product matters; ok
// is false if 2^52 are too few.
func SamplesForSingleProduct(c Check, r Rates) (int64, bool) {
	return findMinimum(2, func(units int64) bool { return isSingleProductRare(c, c.Numbers(units), r) })
}

// LimitedBySingleProduct reports whether only single products require so many units.
func LimitedBySingleProduct(c Check, units int64, r Rates) bool {
	withoutProducts := c
	withoutProducts.SingleProductTail = nil
	return c.SingleProductTail != nil && units > 2 && IsEnough(withoutProducts, units-1, r)
}
