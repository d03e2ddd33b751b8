package quantile

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/moments"
)

func TestRoughLog(t *testing.T) {
	check := func(x float64) {
		if difference := math.Abs(roughLog(x) - math.Log(x)); !(difference <= 1e-10) {
			t.Errorf("roughLog(%v) differs by %v from math.Log, want at most 1e-10", x, difference)
		}
	}
	for i := range 1 << 14 { // all ranges of logTable, with their ends
		x := 1 + float64(i)/(1<<14)
		for _, e := range []int{-1022, -67, -1, 0, 1, 66, 1023} {
			check(math.Ldexp(x, e))
			check(math.Nextafter(math.Ldexp(x, e), math.Inf(1)))
			check(math.Nextafter(math.Ldexp(x, e+1), 0))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		check(math.Exp(88 * (r.Float64() - 0.5)))
	}
}

// TestLogit compares Logit and FromLogit with the definition of the logit, and checks that Logit is
// infinite beyond its range.
func TestLogit(t *testing.T) {
	for l := -45.0; l <= 45; l += 0.37 {
		proportion, complement := 1/(1+math.Exp(-l)), 1/(1+math.Exp(l))
		if got := Logit(proportion, complement); math.Abs(got-l) > 3e-10 {
			t.Errorf("Logit(%v, %v) is %v, want %v", proportion, complement, got, l)
		}
		if got := FromLogit(l); math.Abs(got/proportion-1) > 8*0x1p-52 {
			t.Errorf("FromLogit(%v) is %v, want %v", l, got, proportion)
		}
		if got := FromLogit(-l); math.Abs(got/complement-1) > 8*0x1p-52 {
			t.Errorf("FromLogit(%v) is %v, want %v", -l, got, complement)
		}
	}
	tiny := math.SmallestNonzeroFloat64
	for _, c := range []struct{ x, complement, want float64 }{
		{0, 1, math.Inf(-1)}, {1, 0, math.Inf(1)}, {tiny, 1, math.Inf(-1)}, {1, tiny, math.Inf(1)},
		{1e-21, 1, math.Inf(-1)}, {1, 1e-21, math.Inf(1)}, {math.Inf(1), 1, math.Inf(1)},
		{0.5, 0.5, 0}, {1, 1, 0},
	} {
		if got := Logit(c.x, c.complement); got != c.want && !(math.Abs(got-c.want) < 1e-9) {
			t.Errorf("Logit(%v, %v) is %v, want %v", c.x, c.complement, got, c.want)
		}
	}
}

// TestBins checks for several sets of windows that every number lies between the edges of its bin,
// that the bin is in a window if and only if the number is, and that neighbouring bins share an
// edge.
func TestBins(t *testing.T) {
	for name, windows := range map[string][]moments.Window{
		"none": nil,
		"one":  {{Lo: 0.3, Step: 0.001, Bins: 700}},
		"meet": {{Lo: -1, Step: 0.25, Bins: 4}, {Lo: 0, Step: 1e-9, Bins: 100}, {Lo: 2, Step: 0.5, Bins: 84}},
		"ends": {{Lo: -Limit, Step: 1, Bins: 3}, {Lo: 40, Step: 2, Bins: 2}},
	} {
		s := newScale(windows)
		s.buildGuide()
		r := rand.New(rand.NewPCG(3, 9))
		numbers := []float64{math.Inf(-1), -Limit, math.Inf(1), Limit, -45, 45}
		for _, w := range windows {
			for range 50 {
				numbers = append(numbers, w.Lo+r.Float64()*w.Step*float64(w.Bins))
			}
			numbers = append(numbers, w.Lo, windowEnd(w))
		}
		for range 2000 {
			numbers = append(numbers, 92*(r.Float64()-0.5))
		}
		for _, x := range numbers {
			bin := s.bin(x)
			lo, hi, got := s.edges(bin)
			if !(lo <= x+1e-12 && x <= hi+1e-12) {
				t.Fatalf("%s: %v is outside of its bin %d, which is from %v to %v", name, x, bin, lo, hi)
			}
			want := false
			for _, w := range windows {
				if x >= w.Lo && x < windowEnd(w) {
					want = true
				}
			}
			if got != want {
				t.Errorf("%s: the bin of %v is in a window: %v, want %v", name, x, got, want)
			}
		}
		for bin := range s.overflowBin {
			_, hi, _ := s.edges(bin)
			if lo, _, _ := s.edges(bin + 1); math.Abs(lo-hi) > 1e-12 {
				t.Fatalf("%s: bin %d ends at %v but the next one begins at %v, want the same edge", name, bin, hi, lo)
			}
		}
	}
}
