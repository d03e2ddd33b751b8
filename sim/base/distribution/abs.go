package distribution

import "math"

// AbsDistribution is the distribution of |x| of one component x. Density is nil if it is discrete.
type AbsDistribution struct {
	Max     float64                 // largest possible |x|; may be +Inf
	Density func(x float64) float64 // density of |x|, for x > 0
	Tail    func(x float64) float64 // P(|x| > x), for x ≥ 0, with a small relative error
}

// unbounded is the Max of an unbounded distribution.
var unbounded = math.Inf(1)

// Abs returns the distribution of |x| of a component. ok is false if only its moments are known,
// or if it depends on the dimension.
func (d Distribution) Abs() (AbsDistribution, bool) {
	if d.family.absDistribution == nil {
		return AbsDistribution{}, false
	}
	return d.family.absDistribution(d.param), true
}

// HasPowerTail reports whether P(|x| > t) decreases only like a power of t, so that moments of
// high orders are infinite.
func (d Distribution) HasPowerTail() bool { return d.family.hasPowerTail }
