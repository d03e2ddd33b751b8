package gate

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// betaNumber draws a beta variable of whole a and b: the a-th smallest of a+b−1 uniform
// numbers, by sums of exponential ones.
func betaNumber(r *rand.Rand, a, b int) float64 {
	var x, y float64
	for range a {
		x += r.ExpFloat64()
	}
	for range b {
		y += r.ExpFloat64()
	}
	return x / (x + y)
}

// betaMean is the mean of n numbers, each a beta variable that is shifted by a constant
// and stays between 0 and 1; numbers come in clusters of the same number.
func betaMean(r *rand.Rand, n, cluster int, shift float64) (mean float64) {
	for range n / cluster {
		mean += betaNumber(r, 2, 3) + shift
	}
	return mean * float64(cluster) / float64(n)
}

// At the shift that a gate states it does not pass nine times in ten, with numbers drawn
// as a beta law, singly and in clusters, with the estimate's own error.
func TestDetectableShiftBySimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("draws millions of numbers")
	}
	random := rand.New(rand.NewPCG(5, 8))
	const n, runs, want = 2000, 2000, 0.4 // the mean of Beta(2, 3)
	spread := math.Sqrt(2 * 3 / (25. * 6))
	for _, cluster := range []int{1, 4} {
		c := boundedCheck(want, 0.12, int64(cluster))
		if cluster == 4 {
			c = boundedCheck(want, 0.2, int64(cluster))
		}
		r := Rates{Alpha: 1e-2, Beta: 1e-3, Gates: 1}
		row := result.Estimate{N: n, Value: want, SE: result.Number(spread / math.Sqrt(n/float64(cluster)))}
		shift := float64(Judge(c, row, r).DetectableShift)
		if !(shift > 0) {
			t.Fatalf("no shift is stated: %v", shift)
		}
		var noticed [2]int64
		for i, sign := range []float64{-1, 1} {
			for range runs {
				row.Value = result.Number(betaMean(random, n, cluster, sign*shift))
				if Judge(c, row, r).Verdict != result.Pass {
					noticed[i]++
				}
			}
		}
		// The side that takes the larger shift is noticed nine times in ten, the other at least so often.
		least := min(noticed[0], noticed[1])
		if lo, hi := theory.ClopperPearson(least, runs, 5e-4); lo > Power || hi < Power {
			t.Errorf("clusters of %d: a shift of %v is noticed %v times of %d", cluster, shift, noticed, runs)
		}
	}
}

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
	c := boundedCheck(0.5, 0.1, 1)
	_, low := c.Bounded.Reach(0.4, 10_000, r.Beta)
	if got := shift(c, 10_000, 0); math.Abs(float64(got)-(0.5-low)) > 1e-12 {
		t.Errorf("without scatter %v, want %v", got, 0.5-low)
	}
	// The nearer the end of the range, the fewer sides there are: only the lower one.
	c = boundedCheck(0.97, 0.1, 1)
	_, low = c.Bounded.Reach(0.87, 10_000, r.Beta)
	if got := shift(c, 10_000, 0); math.Abs(float64(got)-(0.97-low)) > 1e-12 {
		t.Errorf("beside 1: %v, want %v", got, 0.97-low)
	}
}
