package gate

import (
	"math"

	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// MaxSingleProduct is the largest SingleProduct with which a gate is decided. Up to this tenth of
// the declared rate, the limits of the interval are valid although they are corrected only for
// skewness.
const MaxSingleProduct = 0.1

// SingleProduct returns the probability that a single product of components decides the gate
// wrongly, divided by the declared rate. It is the larger of two ratios, or NaN if the check has no
// SingleProductTail.
//
//   - The quantity agrees with theory, and one product raises the estimate so far that the gate does
//     not pass. The rate is α/2G. With fewer numbers than the rates require, even a small rise would
//     be enough; then the rise to the estimate's upper quantile of probability α/2G is used instead.
//   - The quantity is on an edge of the band, and one product raises the estimate so far that the
//     gate passes: from the lower edge into the band, or, if the quantity must lie outside, from the
//     upper edge out of the band. The rate is β.
//
// No product lowers a mean of squares. Therefore a quantity on the other edge is not affected, and
// neither is a quantity that agrees with theory and must lie above the band.
func SingleProduct(c Check, n int64, r Rates) float64 {
	if c.SingleProductTail == nil {
		return math.NaN()
	}
	expected, se, band := c.Expected(n)
	// A quantity on wrongPassEdge passes wrongly if the estimate rises. A quantity that agrees with
	// theory does not pass if its interval rises above passLimit.
	wrongPassEdge, passLimit := band[0], band[1]
	if c.Expect == names.ExpectOutside {
		wrongPassEdge, passLimit = passLimit, wrongPassEdge
	}
	maxRatio := 0.0
	upper := theory.CornishFisher(r.ZBeta(), c.Skew, n).Upper
	// SingleProductTail is for the theoretical value. On the edge, products and rises are larger in
	// proportion to the quantity, by the factor wrongPassEdge/expected.
	riseAtEdge := float64(upper*se) * c.edgeSERatio() * expected / wrongPassEdge
	if riseAtEdge > 0 { // a variance cannot be on an edge below 0
		maxRatio = c.SingleProductTail(n, riseAtEdge) / r.Beta
	}
	if c.Expect == names.ExpectOutside && expected >= passLimit {
		return maxRatio
	}
	riseAtTheory := theory.CornishFisher(r.ZAlpha(), c.Skew, n).Upper * se
	riseAtTheory = max(riseAtTheory, c.largestPassing(passLimit, se, n, r)-expected)
	return max(maxRatio, c.SingleProductTail(n, riseAtTheory)/r.tail())
}

// largestPassing returns the estimate whose interval has its upper end at the given edge.
func (c Check) largestPassing(edge, se float64, n int64, r Rates) float64 {
	return edge - float64(float64(theory.CornishFisher(r.ZBeta(), c.Skew, n).Lower*se)*c.edgeSERatio())
}

// isSingleProductRare reports whether SingleProduct is at most MaxSingleProduct for n numbers.
func isSingleProductRare(c Check, n int64, r Rates) bool {
	return c.SingleProductTail == nil || SingleProduct(c, n, r) <= MaxSingleProduct
}

// SamplesForSingleProduct returns the smallest number of units with which SingleProduct is at most
// MaxSingleProduct. ok is false if 2^52 units are too few.
func SamplesForSingleProduct(c Check, r Rates) (units int64, ok bool) {
	return findMinimum(2, func(units int64) bool { return isSingleProductRare(c, c.Numbers(units), r) })
}

// LimitedBySingleProduct reports whether fewer than the given number of units would be enough if
// single products were ignored.
func LimitedBySingleProduct(c Check, units int64, r Rates) bool {
	withoutProducts := c
	withoutProducts.SingleProductTail = nil
	return c.SingleProductTail != nil && units > 2 && IsEnough(withoutProducts, units-1, r)
}
