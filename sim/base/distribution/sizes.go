package distribution

import "math"

// AbsDistribution is the distribution of |x| of one component x. Density is nil where single values
// have all of the chance.
type AbsDistribution struct {
	Largest float64                  // no component is larger; +Inf where there is no largest
	Density func(at float64) float64 // of |x|, for at > 0
	Tail    func(at float64) float64 // P(|x| > at), for at ≥ 0, to a small relative error
}

// unbounded is the Largest of a distribution without one.
var unbounded = math.Inf(1)

// Sizes is the distribution of a component's size, false for a distribution of which only moments
// are known, or whose components depend on the dimension.
func (l Distribution) Sizes() (AbsDistribution, bool) {
	if l.family.sizes == nil {
		return AbsDistribution{}, false
	}
	return l.family.sizes(l.param), true
}

// PowerTail reports whether the chance of a component beyond x falls only like a power of
// x, so that moments from some order on are infinite.
func (l Distribution) PowerTail() bool { return l.family.power }
