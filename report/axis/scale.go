// Package axis maps values to the length of an axis and chooses its ticks.
package axis

import (
	"math"
	"slices"
)

// Distinct returns the values in ascending order, each once.
func Distinct(xs []float64) []float64 {
	return slices.Compact(slices.Sorted(slices.Values(xs)))
}

// With returns the scale that holds both, without room of its own.
func (s Scale) With(o Scale) Scale { return Scale{s.Log, min(s.Lo, o.Lo), max(s.Hi, o.Hi)} }

// Scale maps values to the unit interval, linearly or by logarithm.
type Scale struct {
	Log    bool
	Lo, Hi float64 // ends of the axis; lo < hi, and 0 < lo on a logarithmic one
}

// Over returns the scale from the least to the greatest of the values that the axis can
// hold; ok is false if there is none.
func Over(log bool, values []float64) (_ Scale, ok bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if Holds(log, v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return Scale{log, lo, hi}, lo <= hi
}

// Roomy returns the scale with some room at both ends, so that no marker lies on an edge.
// A single value gets an octave (or a unit) on each side. Both ends, and the distance
// between them, are finite.
func (s Scale) Roomy() Scale {
	lo, hi := s.Lo, s.Hi
	if s.Log {
		room := max(0.045*(math.Log2(hi)-math.Log2(lo)), 0.15)
		if lo == hi {
			room = 1
		}
		return Scale{true, max(lo*math.Exp2(-room), tiniest), min(hi*math.Exp2(room), math.MaxFloat64)}
	}
	room := 0.07 * (hi - lo)
	if lo == hi {
		room = max(1e-3, math.Abs(lo)*0.5)
	}
	return Scale{false, max(lo-room, -math.MaxFloat64/4), min(hi+room, math.MaxFloat64/4)}
}

// tiniest is the smallest number that a logarithmic axis can end at.
const tiniest = math.SmallestNonzeroFloat64

// Holds reports whether an axis can show v.
func Holds(log bool, v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!log || v > 0)
}

// Unit returns where v lies between the ends of the axis, 0 to 1. What lies
// beyond an end, or below all logarithms, is held at that end.
func (s Scale) Unit(v float64) float64 {
	if s.Log {
		if v <= 0 {
			return 0
		}
		return clamp((math.Log2(v) - math.Log2(s.Lo)) / (math.Log2(s.Hi) - math.Log2(s.Lo)))
	}
	return clamp((v - s.Lo) / (s.Hi - s.Lo))
}

func clamp(u float64) float64 { return min(1, max(0, u)) }

func (s Scale) Inside(v float64) bool { return v >= s.Lo && v <= s.Hi }

// Cells is the scale of so many equal cells, of which the i-th stands around i.
func Cells(count int) Scale { return Scale{Lo: -0.5, Hi: float64(count) - 0.5} }
