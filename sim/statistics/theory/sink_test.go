package theory

import (
	"math"
	"testing"
)

// TestSinkAgainstSciPy compares with another quadrature and with means over sampled rows
// (testdata/sinks.csv).
func TestSinkAgainstSciPy(t *testing.T) {
	for _, line := range readTable(t, "sinks.csv", 45) {
		row := line.numbers
		d := row["d_k"]
		got := NewSink(int(row["keys"]), int(d), 1/math.Sqrt(d), row["sink"])[0]
		if difference := math.Abs(got - row["mean"]); !(difference <= max(1e-10, 4.5*row["se"]+1e-8)) ||
			row["se"] == 0 && difference > 1e-10 {
			t.Errorf("of %v keys at d_k = %v a sink of %v takes %.12f, want %v ± %v", row["keys"], d, row["sink"],
				got, row["mean"], row["se"])
		}
	}
}

// TestSinkOfEqualLogits uses that among equal logits a sink with the logit 0 is one more key: w is
// 1/(n + 1) and constant.
func TestSinkOfEqualLogits(t *testing.T) {
	for _, keys := range []int{1, 8, 1024} {
		s := NewSink(keys, 64, 1e-6, 0)
		w := 1 / float64(keys+1)
		for k, want := range [...]float64{w, w * w, w * w * w} {
			if math.Abs(s[k]/want-1) > 1e-9 {
				t.Errorf("E w^%d of %d equal keys is %v, want %v", k+1, keys, s[k], want)
			}
		}
	}
}

// TestSinkBesideOneKey compares with a plain sum over s for one key, where w = 1/(1 + e^{s−b}) and
// the logit s has Laplace's density e^{−|s|√2}/√2 at d = 2.
// The kink of the density limits the sum
// to some 1e-6.
func TestSinkBesideOneKey(t *testing.T) {
	for _, b := range []float64{-30, -15, -4, 0, 8} {
		var want Sink
		const step = 1.0 / 256
		for i := -40 / step; i < 40/step; i++ {
			s := (i + 0.5) * step
			w := 1 / (1 + math.Exp(s-b))
			mass := step * math.Exp(-math.Abs(s)*math.Sqrt2) / math.Sqrt2
			want[0] += mass * w
		}
		if got := NewSink(1, 2, 1/math.Sqrt(2), b)[0]; math.Abs(got/want[0]-1) > 1e-5 {
			t.Errorf("one key and a sink of %v: E w is %v, want %v", b, got, want[0])
		}
	}
}
