package theory

import (
	"math"
	"testing"
)

// TestExpansions compares NarrowSoftmax and WideSoftmax with NewSoftmax, and checks the order of
// their errors. At half the σ the error of NarrowSoftmax must be about 2^order times smaller; at
// twice the σ the error of WideSoftmax, of order 2, must be about 4 times smaller.
func TestExpansions(t *testing.T) {
	orders := map[string]float64{
		"max_weight": 3, "max_square": 3, "collision": 6, "jacobian_square": 4, "entropy": 8,
	}
	for _, keys := range []int{2, 3, 5, 8, 64} {
		errorsOf := func(approximate func(int, float64) Softmax, sigma float64) map[string]float64 {
			got, want := columnsOf(approximate(keys, sigma)), columnsOf(NewSoftmax(keys, sigma))
			for name := range got {
				got[name] = math.Abs(got[name] - want[name])
			}
			return got
		}
		far, near := errorsOf(NarrowSoftmax, 0.2), errorsOf(NarrowSoftmax, 0.1)
		for name, order := range orders {
			if ratio := near[name] / far[name]; near[name] > 3e-12 && !(ratio < 2*math.Pow(0.5, order)) {
				t.Errorf("n = %d, narrow: the error of %s is %.3g at σ = 0.2 and %.3g at 0.1, want order σ^%v",
					keys, name, far[name], near[name], order)
			}
			if limit := 5 * math.Pow(0.1, order); !(near[name] < limit) {
				t.Errorf("n = %d, narrow: the error of %s at σ = 0.1 is %.3g, want at most %.3g", keys, name,
					near[name], limit)
			}
		}
		far, near = errorsOf(WideSoftmax, 500), errorsOf(WideSoftmax, 1000)
		for name := range orders {
			if ratio := near[name] / far[name]; near[name] > 1e-10 && !(ratio < 0.35) {
				t.Errorf("n = %d, wide: the error of %s is %.3g at σ = 500 and %.3g at 1000, want order σ⁻²",
					keys, name, far[name], near[name])
			}
			if !(near[name] < 1e-4) {
				t.Errorf("n = %d, wide: the error of %s at σ = 1000 is %.3g, want at most 1e-4", keys, name, near[name])
			}
		}
		if got, want := NarrowSoftmax(keys, 0.1).Trace, NewSoftmax(keys, 0.1).Trace; math.Abs(got-want) > 5e-6 {
			t.Errorf("n = %d, narrow: the trace is %v, want %v", keys, got, want)
		}
		if got, want := WideSoftmax(keys, 1000).Trace, NewSoftmax(keys, 1000).Trace; math.Abs(got/want-1) > 0.01 {
			t.Errorf("n = %d, wide: the trace is %v, want %v", keys, got, want)
		}
	}
}
