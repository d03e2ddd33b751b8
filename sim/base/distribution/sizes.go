package distribution

import "math"

// AbsDistribution is the distribution of |x| of one component x. Density is nil where single values
// have all of the chance.
type AbsDistribution struct {
	Max     float64                 // no component is larger; +Inf where there is no largest
	Density func(x float64) float64 // of |x|, for at > 0
	Tail    func(x float64) float64 // P(|x| > at), for at ≥ 0, to a small relative error
}

// unbounded is the Largest of a distribution without one.
var unbounded = math.Inf(1)

// Abs is the distribution of a component's size, false for a distribution of which only moments
// are known, or whose components depend on the dimension.
func (l Distribution) Abs() (AbsDistribution, bool) {
	if l.family.absDistribution == nil {
		return AbsDistribution{}, false
	}
	return l.family.absDistribution(l.param), true
}

// HasPowerTail reports whether the chance of a component beyond x falls only like a power of
// x, so that moments from some order on are infinite.
func (l Distribution) HasPowerTail() bool { return l.family.hasPowerTail }
