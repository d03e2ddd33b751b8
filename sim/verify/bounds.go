package verify

import (
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// fraction reports whether a quantity, or what it is a quantile of, lies between 0
// and 1.
func fraction(quantity string) bool {
	e, ok := names.Lookup(names.GroupQuantity, quantity)
	return ok && e.Fraction()
}

// compareBounds holds every number that has bounds within them.
func (v *Judgement) compareBounds(doc *result.Document) {
	for _, r := range doc.Estimates {
		if x := float64(r.Value); fraction(r.Quantity) && (x < -nearness || x > 1+nearness) {
			v.mismatch("%s of %s is %v, and can only lie between 0 and 1", r.Quantity, rowPoint(r), r.Value)
		}
		if r.SE < 0 {
			v.mismatch("%s of %s has the standard error %v", r.Quantity, rowPoint(r), r.SE)
		}
	}
}
