package sim

import (
	"math"
	"slices"
	"strings"

	"mcsim/sim/elementary"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// A row that no gate judges must still not be farther from exact theory than
// chance can take it. farTail is the chance that any row of an honest document is.
const farTail = 1e-9

// farFreedom is the freedom that the own error of a row counts for at most: with
// ν degrees of freedom an error is known to 1/√(2ν), and with an interval it is
// known to a tenth (experiment.Findings), which 50 stand for. A row of n
// numbers has n − 1 at most.
const farFreedom = 50

// farSkew is the skewness of an estimate in units of its relative error: 2 of a sum
// of squares of normal numbers, 3 of one of products of two such squares, as the
// mean square of a head's logits is.
const farSkew = 3

// reach is how many standard errors a row may lie from theory, but for the chance
// tail on either side: Student's quantile, and as much more as Johnson (Modified t
// Tests, Journal of the American Statistical Association 73, 1978) finds for a mean
// of skewness γ with its own error, γ(2q² + 1)/6. It is no exact limit. It is meant
// to be wide, against rows that were changed by hand.
func reach(n int64, relative, tail float64) float64 {
	q := theory.StudentQuantile(tail, float64(min(n-1, farFreedom)))
	return q + float64(farSkew*relative*(float64(2*q*q)+1)/6)
}

// known reports whether a row has a theory that holds at its own d_k and n, and an
// interval, and with it an error that is known; gated is what a gate judges.
func known(r result.Estimate, gated map[string]bool) bool {
	return (r.TheoryKind == "exact" || r.TheoryKind == "quadrature") && r.Theory.Present() && r.Level.Present() &&
		r.Value.Present() && r.SE.Present() && r.Lo.Present() && r.Hi.Present() &&
		!gated[rowKey(r.Experiment, r.Cell, r.Quantity, r.Params)]
}

// sureRounding is how far rounding and quadrature may take a number from its theory,
// relatively, whatever its error is.
const sureRounding = 1e-6

// compareDistances holds the rows that no gate judges against their theory.
func (v *Verification) compareDistances(s *Schedule, doc *result.Document) {
	gated := map[string]bool{}
	for _, g := range s.groups {
		for _, c := range g.checks {
			gated[rowKey(c.Experiment, c.Cell, c.Quantity, c.Params)] = true
		}
	}
	var rows []result.Estimate
	for _, r := range doc.Estimates {
		if known(r, gated) {
			rows = append(rows, r)
		}
	}
	for _, r := range rows {
		v.compareDistance(r, farTail/float64(2*len(rows)))
	}
}

func (v *Verification) compareDistance(r result.Estimate, tail float64) {
	value, want := float64(r.Value), float64(r.Theory)
	off := math.Abs(value - want)
	// The error that the interval was made of, and not less than the row's own, which
	// is 0 where a count is.
	se := max(float64(r.SE), float64(r.Hi-r.Lo)/(2*-elementary.Quantile((1-float64(r.Level))/2)))
	switch {
	case off <= float64(sureRounding*math.Abs(want)):
	case !(se > 0):
		v.mismatch("%s of %s is %v without an error, in theory %v", r.Quantity, rowPoint(r), r.Value, r.Theory)
	case r.N < 2:
	default:
		relative := 0.0
		if want != 0 {
			relative = se / math.Abs(want)
		}
		if limit := reach(r.N, relative, tail); off > limit*se {
			v.mismatch("%s of %s is %v, %.1f standard errors from its theory %v; chance takes no row farther than %.1f", r.Quantity, rowPoint(r), r.Value, off/se, r.Theory, limit)
		}
	}
}

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
func (v *Verification) compareBounds(doc *result.Document) {
	for _, r := range doc.Estimates {
		if x := float64(r.Value); fraction(r.Quantity) && (x < -agreement || x > 1+agreement) {
			v.mismatch("%s of %s is %v, and can only lie between 0 and 1", r.Quantity, rowPoint(r), r.Value)
		}
		if r.SE < 0 {
			v.mismatch("%s of %s has the standard error %v", r.Quantity, rowPoint(r), r.SE)
		}
	}
}
