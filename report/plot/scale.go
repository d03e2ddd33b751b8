package plot

import (
	"math"
	"slices"
)

// Scale maps values to the unit interval, linearly or logarithmically.
type Scale struct {
	Log    bool
	Lo, Hi float64 // ends of the axis; Lo < Hi, and 0 < Lo if the scale is logarithmic
}

// newScale returns the scale from the smallest to the largest of the values that an axis can show.
// ok is false if the axis cannot show any of the values.
func newScale(log bool, values []float64) (_ Scale, ok bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if (Axis{Log: log}).CanShow(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return Scale{log, lo, hi}, lo <= hi
}

// cellScale returns the scale of an axis of equal cells. The i-th cell has its centre at i.
func cellScale(count int) Scale { return Scale{Lo: -0.5, Hi: float64(count) - 0.5} }

// union returns the smallest scale that contains both scales.
func (s Scale) union(other Scale) Scale {
	return Scale{s.Log, min(s.Lo, other.Lo), max(s.Hi, other.Hi)}
}

// Room at each end of an axis.
const (
	logRoom       = 0.045 // proportion of the length of a logarithmic axis
	minLogRoom    = 0.15  // minimum on a logarithmic axis, in octaves
	linearRoom    = 0.07  // proportion of the length of a linear axis
	minSingleRoom = 1e-3  // minimum next to the only value of a linear axis
)

// withRoom returns the scale with room at both ends, so that no marker is on an edge. A single
// value has an octave on each side of it on a logarithmic scale. On a linear scale, it has half its
// absolute value. Both ends, and the distance between them, are finite.
func (s Scale) withRoom() Scale {
	lo, hi := s.Lo, s.Hi
	if s.Log {
		room := max(logRoom*(math.Log2(hi)-math.Log2(lo)), minLogRoom)
		if lo == hi {
			room = 1
		}
		lo, hi = lo*math.Exp2(-room), hi*math.Exp2(room)
		return Scale{true, max(lo, math.SmallestNonzeroFloat64), min(hi, math.MaxFloat64)}
	}
	room := linearRoom * (hi - lo)
	if lo == hi {
		room = max(minSingleRoom, math.Abs(lo)*0.5)
	}
	return Scale{false, max(lo-room, -math.MaxFloat64/4), min(hi+room, math.MaxFloat64/4)}
}

// CanShow reports whether an axis can show v.
func (a Axis) CanShow(v float64) bool { return isFinite(v) && (!a.Log || v > 0) }

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Position returns the position of v on the axis, from 0 at the lower end to 1 at the upper end. A
// value beyond an end has the position of that end.
func (s Scale) Position(v float64) float64 {
	position := (v - s.Lo) / (s.Hi - s.Lo)
	if s.Log {
		if v <= 0 {
			return 0
		}
		position = (math.Log2(v) - math.Log2(s.Lo)) / (math.Log2(s.Hi) - math.Log2(s.Lo))
	}
	return min(1, max(0, position))
}

// Contains reports whether v is between the ends of the axis.
func (s Scale) Contains(v float64) bool { return v >= s.Lo && v <= s.Hi }

// sortedDistinct returns the distinct values in ascending order.
func sortedDistinct(xs []float64) []float64 {
	return slices.Compact(slices.Sorted(slices.Values(xs)))
}
