package theory

import (
	"math"
	"testing"
)

// TestKurtosisBiasByEnumeration compares KurtosisBias for the sum of two numbers ±1 with B(n), n
// times the exact bias of the kurtosis of n such sums. B(n) approaches KurtosisBias(1) with an
// error of order 1/n. In 2·B(2n) − B(n) this error cancels, up to order 1/n².
func TestKurtosisBiasByEnumeration(t *testing.T) {
	s := newScore(t, "rademacher", 2)
	const n = 150
	got := 2*enumeratedBias(2*n) - enumeratedBias(n)
	if want := s.KurtosisBias(1); math.Abs(got-want) > 100.0/(n*n) {
		t.Errorf("KurtosisBias(1) is %v, and the enumeration gives %v", want, got)
	}
}

// enumeratedBias returns B(n) by enumeration of the numbers of sums that are −2 (low), 0 (zero) and
// 2 (high), which have the probabilities ¼, ½ and ¼. Their kurtosis is 2.
func enumeratedBias(n int) float64 {
	logFactorial := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v }
	var mean float64
	for low := range n + 1 {
		for high := range n + 1 - low {
			zero := n - low - high
			if low == n || high == n || zero == n { // all numbers are equal; probability about 2^−n
				continue
			}
			probability := math.Exp(logFactorial(n) - logFactorial(low) - logFactorial(high) - logFactorial(zero) +
				float64(low+high)*math.Log(0.25) + float64(zero)*math.Log(0.5))
			center := 2 * float64(high-low) / float64(n)
			moment := func(p float64) float64 {
				return (float64(low)*math.Pow(-2-center, p) + float64(zero)*math.Pow(-center, p) +
					float64(high)*math.Pow(2-center, p)) / float64(n)
			}
			m2 := moment(2)
			mean += probability * moment(4) / (m2 * m2)
		}
	}
	return float64(n) * (mean - 2)
}
