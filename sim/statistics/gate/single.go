package gate

import (
	"math"

	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// MaxSingleProduct is the largest accepted SingleProduct. At a tenth of the declared rate the
// limits, which are corrected only for skewness, are still valid.
const MaxSingleProduct = 0.1

// SingleProduct returns the probability that a single product of components decides the gate
// wrongly, divided by the declared rate. It is the larger of two ratios, or NaN if the check has no
// SingleProductTail.
//
//   - The quantity agrees with theory, and one product raises the estimate so far that it does not
//     pass. The rate is α/2G. With fewer numbers than the rates require, even a small rise would
//     do; then the rise to the estimate's upper quantile of probability α/2G is used instead.
//   - The quantity is on an edge, and one product raises the estimate by the lower half of the
//     interval: from the lower edge into the band, or from the upper edge out of the band if the
//     quantity must lie outside. The rate is β.
//
// No product lowers a mean of squares. Therefore a quantity on the other edge, or one that must lie
// above its band, is not affected.
func SingleProduct(c Check, n int64, r Rates) float64 {
	if c.SingleProductTail == nil {
		return math.NaN()
	}
	expected, se, band := c.Expected(n)
	// A quantity on crossedEdge passes wrongly if the estimate rises. A quantity that agrees with
	// theory does not pass if the estimate rises above passLimit.
	crossedEdge, passLimit := band[0], band[1]
	if c.Expect == names.ExpectOutside {
		crossedEdge, passLimit = passLimit, crossedEdge
	}
	worst := 0.0
	upper := theory.CornishFisher(r.ZBeta(), c.Skew, n).Upper
	riseAtEdge := float64(upper*se) * c.edgeSERatio() * expected / crossedEdge
	if riseAtEdge > 0 { // no variance lies on an edge below 0
		worst = c.SingleProductTail(n, riseAtEdge) / r.Beta
	}
	if c.Expect == names.ExpectOutside && expected >= passLimit {
		return worst
	}
	riseAtTheory := theory.CornishFisher(r.ZAlpha(), c.Skew, n).Upper * se
	riseAtTheory = max(riseAtTheory, c.largestPassing(passLimit, se, n, r)-expected)
	return max(worst, c.SingleProductTail(n, riseAtTheory)/r.tail())
}

// largestPassing returns the largest estimate whose interval ends at the given edge.
func (c Check) largestPassing(edge, se float64, n int64, r Rates) float64 {
	return edge - float64(float64(theory.CornishFisher(r.ZBeta(), c.Skew, n).Lower*se)*c.edgeSERatio())
}

// isSingleProductRare reports whether SingleProduct is at most MaxSingleProduct for n numbers.
func isSingleProductRare(c Check, n int64, r Rates) bool {
	return c.SingleProductTail == nil || SingleProduct(c, n, r) <= MaxSingleProduct
}

// SamplesForSingleProduct returns the smallest number of units with which single products are rare
// enough; ok is false if 2^52 are too few.
func SamplesForSingleProduct(c Check, r Rates) (int64, bool) {
	return findMinimum(2, func(units int64) bool { return isSingleProductRare(c, c.Numbers(units), r) })
}

// LimitedBySingleProduct reports whether fewer units would be enough if single products were
// ignored.
func LimitedBySingleProduct(c Check, units int64, r Rates) bool {
	withoutProducts := c
	withoutProducts.SingleProductTail = nil
	return c.SingleProductTail != nil && units > 2 && IsEnough(withoutProducts, units-1, r)
}
