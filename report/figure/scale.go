package figure

import "math"

// scale maps values to the unit interval, linearly or by logarithm.
type scale struct {
	log    bool
	lo, hi float64 // ends of the axis; lo < hi, and 0 < lo on a logarithmic one
}

// fit returns a scale that holds all values with some room at both ends.
// Values that a logarithmic axis cannot hold are passed over. A single value
// gets an octave (or a unit) on each side. Both ends, and the distance between
// them, are finite.
func fit(log bool, values []float64) (scale, bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if holds(log, v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		return scale{}, false
	}
	if log {
		room := max(0.045*(math.Log2(hi)-math.Log2(lo)), 0.15)
		if lo == hi {
			room = 1
		}
		return scale{true, max(lo*math.Exp2(-room), tiniest), min(hi*math.Exp2(room), math.MaxFloat64)}, true
	}
	room := 0.07 * (hi - lo)
	if lo == hi {
		room = max(1e-3, math.Abs(lo)*0.5)
	}
	s := scale{false, max(lo-room, -math.MaxFloat64/4), min(hi+room, math.MaxFloat64/4)}
	return s, s.lo < s.hi
}

// tiniest is the smallest number that a logarithmic axis can end at.
const tiniest = math.SmallestNonzeroFloat64

// holds reports whether an axis can show v.
func holds(log bool, v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!log || v > 0)
}

// unit returns where v lies between the ends of the axis, 0 to 1. What lies
// beyond an end, or below all logarithms, is held at that end.
func (s scale) unit(v float64) float64 {
	if s.log {
		if v <= 0 {
			return 0
		}
		return clamp((math.Log2(v) - math.Log2(s.lo)) / (math.Log2(s.hi) - math.Log2(s.lo)))
	}
	return clamp((v - s.lo) / (s.hi - s.lo))
}

func clamp(u float64) float64 { return min(1, max(0, u)) }

func (s scale) inside(v float64) bool { return v >= s.lo && v <= s.hi }
