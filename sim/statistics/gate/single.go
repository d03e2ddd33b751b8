package gate

import (
	"math"

	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// MaxSingle is what [SingleProduct] may be at most: with a tenth of the declared rate the
// limits, which are corrected for skewness alone, still say what they should.
const MaxSingle = 0.1

// SingleProduct is the chance that one product of components alone decides the gate
// wrongly, over the rate that is declared for that: the larger of two, NaN for a check
// that knows no such chance.
//
// Of a quantity that is as theory says, over α/2G: that one product raises the estimate to
// where it does not pass. With fewer numbers than the rates ask for that may be next to
// theory itself; it is then held against the point that the limits suppose the estimate to
// be above with a chance of α/2G.
//
// Of a quantity on an edge, over β: that one product raises the estimate by as much as the
// interval reaches down, from the lower edge into the band, or from the upper one out of it
// where the quantity must lie outside. Products there are larger or smaller in proportion
// to the quantity. Nothing brings a quantity on the other edge down, or one that must lie
// above its band: no product lowers a mean of squares.
func SingleProduct(c Check, n int64, r Rates) float64 {
	if c.Single == nil {
		return math.NaN()
	}
	want, se, band := c.At(n)
	edge, last := band[0], band[1]
	if c.Expect == names.ExpectOutside {
		edge, last = last, edge
	}
	worst := 0.0
	near := float64(theory.CornishFisher(r.ZBeta(), c.Skew, n).Upper*se) * c.edge() * want / edge
	if near > 0 { // no variance lies on an edge below 0
		worst = c.Single(n, near) / r.Beta
	}
	if c.Expect == names.ExpectOutside && want >= last {
		return worst
	}
	far := theory.CornishFisher(r.ZAlpha(), c.Skew, n).Upper * se
	return max(worst, c.Single(n, max(far, c.passing(last, se, n, r)-want))/r.tail())
}

// passing is the greatest estimate of which the interval ends at the given edge.
func (c Check) passing(edge, se float64, n int64, r Rates) float64 {
	return edge - float64(float64(theory.CornishFisher(r.ZBeta(), c.Skew, n).Lower*se)*c.edge())
}

// singleEnough reports whether n numbers are so many that no single product matters.
func singleEnough(c Check, n int64, r Rates) bool {
	return c.Single == nil || SingleProduct(c, n, r) <= MaxSingle
}

// SamplesForSingle is the smallest number of units with which no single product matters,
// false where 2^52 are too few.
func SamplesForSingle(c Check, r Rates) (int64, bool) {
	return least(2, func(units int64) bool { return singleEnough(c, c.Numbers(units), r) })
}

// BySingle reports whether it is for single products alone that the check asks for so many
// units and not for fewer.
func BySingle(c Check, units int64, r Rates) bool {
	fewer := c
	fewer.Single = nil
	return c.Single != nil && units > 2 && Enough(fewer, units-1, r)
}
