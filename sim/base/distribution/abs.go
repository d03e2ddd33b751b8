package distribution

import "math"

// AbsDistribution is the distribution of the absolute value of one component.
type AbsDistribution struct {
	Max     float64                 // largest absolute value; may be +Inf
	Density func(x float64) float64 // density at x > 0; nil for a discrete distribution
	Tail    func(x float64) float64 // probability of more than x ≥ 0, with a small relative error
}

// unbounded is the Max of an unbounded distribution.
var unbounded = math.Inf(1)

// Abs returns the distribution of the absolute value of a component. ok is false if only the
// moments are known, or if the distribution depends on the dimension.
func (d Distribution) Abs() (AbsDistribution, bool) {
	if d.family.absDistribution == nil {
		return AbsDistribution{}, false
	}
	return d.family.absDistribution(d.param), true
}

// HasPowerTail reports whether P(|x| > t) decreases only like a power of t, so that moments of
// high orders are infinite.
func (d Distribution) HasPowerTail() bool { return d.family.hasPowerTail }
