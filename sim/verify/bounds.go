package verify

import (
	"slices"
	"strings"

	"mcsim/sim/result"
)

// fractions are the quantities, beside shares, that lie between 0 and 1.
var fractions = []string{"max_weight", "collision", "entropy_ratio", "gradient_survival", "off_peak_trace", "aligned_weight",
	"total_variation", "coverage", "false_pass", "false_fail", "max_weight_above_90_percent", "max_weight_above_99_percent"}

// fraction reports whether a quantity, or what it is a quantile of, lies between 0
// and 1.
func fraction(quantity string) bool {
	if i := strings.LastIndex(quantity, "_q"); i >= 0 {
		quantity = quantity[:i]
	}
	return strings.HasSuffix(quantity, "_share") || slices.Contains(fractions, quantity)
}

// compareBounds holds every number that has bounds within them.
func (v *Judgement) compareBounds(doc *result.Document) {
	for _, r := range doc.Estimates {
		if x := float64(r.Value); fraction(r.Quantity) && (x < -agreement || x > 1+agreement) {
			v.mismatch("%s of %s is %v, and can only lie between 0 and 1", r.Quantity, rowPoint(r), r.Value)
		}
		if r.SE < 0 {
			v.mismatch("%s of %s has the standard error %v", r.Quantity, rowPoint(r), r.SE)
		}
	}
}
