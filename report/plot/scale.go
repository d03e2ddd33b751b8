package plot

import (
	"math"
	"slices"
)

// Scale maps values to the unit interval, linearly or by logarithm.
type Scale struct {
	Log    bool
	Lo, Hi float64 // ends of the axis; lo < hi, and 0 < lo on a logarithmic one
}

// scaleOver returns the scale from the smallest to the largest of the values that the axis can
// hold. ok is false if there is none.
func scaleOver(log bool, values []float64) (_ Scale, ok bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if (Axis{Log: log}).Holds(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return Scale{log, lo, hi}, lo <= hi
}

// cellScale returns the scale of equal cells, of which the i-th lies around i.
func cellScale(count int) Scale { return Scale{Lo: -0.5, Hi: float64(count) - 0.5} }

// union returns the scale that holds both, without room at its ends.
func (s Scale) union(o Scale) Scale { return Scale{s.Log, min(s.Lo, o.Lo), max(s.Hi, o.Hi)} }

// roomy returns the scale with some room at both ends, so that no marker lies on an edge.
// A single value gets an octave (or a unit) on each side. Both ends, and the distance
// between them, are finite.
func (s Scale) roomy() Scale {
	lo, hi := s.Lo, s.Hi
	if s.Log {
		room := max(0.045*(math.Log2(hi)-math.Log2(lo)), 0.15)
		if lo == hi {
			room = 1
		}
		lo, hi = lo*math.Exp2(-room), hi*math.Exp2(room)
		return Scale{true, max(lo, math.SmallestNonzeroFloat64), min(hi, math.MaxFloat64)}
	}
	room := 0.07 * (hi - lo)
	if lo == hi {
		room = max(1e-3, math.Abs(lo)*0.5)
	}
	return Scale{false, max(lo-room, -math.MaxFloat64/4), min(hi+room, math.MaxFloat64/4)}
}

// Holds reports whether an axis can show v.
func (a Axis) Holds(v float64) bool { return finite(v) && (!a.Log || v > 0) }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Unit returns the position of v between the ends of the axis, 0 to 1. A value beyond an end, or
// below all logarithms, gets that end.
func (s Scale) Unit(v float64) float64 {
	position := (v - s.Lo) / (s.Hi - s.Lo)
	if s.Log {
		if v <= 0 {
			return 0
		}
		position = (math.Log2(v) - math.Log2(s.Lo)) / (math.Log2(s.Hi) - math.Log2(s.Lo))
	}
	return min(1, max(0, position))
}

// Contains reports whether v lies between the ends of the axis.
func (s Scale) Contains(v float64) bool { return v >= s.Lo && v <= s.Hi }

// distinct returns the values in ascending order, each once.
func distinct(xs []float64) []float64 {
	return slices.Compact(slices.Sorted(slices.Values(xs)))
}
