package gate

import (
	"math"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// The shift is where the chance of passing is a tenth, by the ends of the values with
// which the gate in fact passes.
func TestDetectableShiftByItsVerdicts(t *testing.T) {
	r := Rates{Alpha: 1e-6, Beta: 1e-6, Gates: 100}
	for _, want := range []float64{0.3, 0.5, 0.8} {
		c := boundedCheck(want, 0.05, 1)
		const n, se = 20_000, 0.002
		judge := func(value float64) result.Gate {
			return Judge(c, result.Estimate{N: n, Value: result.Number(value), SE: se}, r)
		}
		end := func(outside float64) float64 { // of the values with which it passes
			inside := want
			for range 40 {
				if middle := (inside + outside) / 2; judge(middle).Verdict == result.Pass {
					inside = middle
				} else {
					outside = middle
				}
			}
			return inside
		}
		low, high := end(want-0.1), end(want+0.1)
		below := func(x, mean float64) float64 { return math.Erfc((mean-x)/(se*math.Sqrt2)) / 2 }
		least := 1.0
		for _, mean := range []float64{want - float64(judge(want).DetectableShift), want + float64(judge(want).DetectableShift)} {
			least = min(least, 1-(below(high, mean)-below(low, mean)))
		}
		if math.Abs(least-Power) > 1e-9 {
			t.Errorf("%v: a shift of %v is noticed with the chance %v", want, judge(want).DetectableShift, least)
		}
	}
}

// A gate that hardly passes at all, one whose quantity has no room to either side, and
// one on anything but bounded numbers state no shift; one without scatter states how far
// the values reach with which it passes.
func TestDetectableShiftEnds(t *testing.T) {
	r := Rates{Alpha: 1e-6, Beta: 1e-6, Gates: 10}
	shift := func(c Check, n int64, se float64) result.Number {
		return Judge(c, result.Estimate{N: n, Value: 0.5, SE: result.Number(se)}, r).DetectableShift
	}
	if got := shift(boundedCheck(0.5, 0.01, 1), 10, 0.1); got.Present() {
		t.Errorf("of ten rows: %v", got)
	}
	if got := shift(boundedCheck(0.5, 0.7, 1), 1000, 0.01); got.Present() {
		t.Errorf("within 0 and 1: %v", got)
	}
	normal := Check{Expect: names.ExpectInside, Tolerance: 0.1, Share: 1, At: Near(0, 0.1, func(int64) float64 { return 0.01 })}
	if got := shift(normal, 1000, 0.01); got.Present() {
		t.Errorf("of a normal estimate: %v", got)
	}
	for _, want := range []float64{0.5, 0.97} { // with one side alone next to the end of the range
		c := boundedCheck(want, 0.1, 1)
		_, low := c.Bounded.Reach(want-0.1, 10_000, r.Beta)
		if got := shift(c, 10_000, 0); math.Abs(float64(got)-(want-low)) > 1e-12 {
			t.Errorf("without scatter about %v: %v, want %v", want, got, want-low)
		}
	}
}
