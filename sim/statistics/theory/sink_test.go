package theory

import (
	"math"
	"testing"
)

// TestSinkAgainstSciPy compares E w with quadrature by SciPy (se = 0 in testdata/sinks.csv) and,
// for more than two keys, with means over rows sampled by NumPy.
func TestSinkAgainstSciPy(t *testing.T) {
	for _, line := range readTable(t, "sinks.csv", 45) {
		row := line.numbers
		d := row["d_k"]
		got := NewSink(int(row["keys"]), int(d), 1/math.Sqrt(d), row["sink"])[0]
		tolerance := 1e-10
		if row["se"] > 0 {
			tolerance = 4.5*row["se"] + 1e-8
		}
		if !(math.Abs(got-row["mean"]) <= tolerance) {
			t.Errorf("n = %v, d_k = %v, b = %v: E w is %.12f, want %v ± %v", row["keys"], d, row["sink"],
				got, row["mean"], row["se"])
		}
	}
}

// TestSinkOfEqualLogits checks the moments of a sink with the logit 0 in a row of logits that are
// nearly 0. There w is nearly constant, 1/(n + 1).
func TestSinkOfEqualLogits(t *testing.T) {
	for _, keys := range []int{1, 8, 1024} {
		s := NewSink(keys, 64, 1e-6, 0)
		w := 1 / float64(keys+1)
		for k, want := range [...]float64{w, w * w, w * w * w} {
			if math.Abs(s[k]/want-1) > 1e-9 {
				t.Errorf("n = %d: E w^%d is %v, want %v", keys, k+1, s[k], want)
			}
		}
	}
}

// TestSinkWithOneKey compares E w for one key at d = 2 with the midpoint rule over its logit s,
// which has Laplace's density e^{−|s|√2}/√2; w = 1/(1 + e^{s−b}). The kink of the density limits
// the accuracy of the rule to about 1e-6.
func TestSinkWithOneKey(t *testing.T) {
	for _, b := range []float64{-30, -15, -4, 0, 8} {
		var want float64
		const step = 1.0 / 256
		for i := -40 / step; i < 40/step; i++ {
			s := (i + 0.5) * step
			w := 1 / (1 + math.Exp(s-b))
			mass := step * math.Exp(-math.Abs(s)*math.Sqrt2) / math.Sqrt2
			want += mass * w
		}
		if got := NewSink(1, 2, 1/math.Sqrt(2), b)[0]; math.Abs(got/want-1) > 1e-5 {
			t.Errorf("b = %v: E w is %v, want %v", b, got, want)
		}
	}
}
