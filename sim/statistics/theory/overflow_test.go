package theory

import (
	"math"
	"testing"
)

// TestScoreTailAgainstMpmath compares ScoreTail, also far into the tails, with finite sums and
// integrals by mpmath (testdata/tails.csv).
func TestScoreTailAgainstMpmath(t *testing.T) {
	for _, row := range readTable(t, "tails.csv", 0) {
		d, limit, want := int(row.numbers["d_k"]), row.numbers["limit"], row.numbers["tail"]
		if got := ScoreTail(d, limit); !(math.Abs(got/want-1) < 1e-10) {
			t.Errorf("d_k = %v: P(|S| > %v) is %v, want %v", d, limit, got, want)
		}
	}
}

// TestScoreLimit checks that the tail at a limit is the requested probability.
func TestScoreLimit(t *testing.T) {
	for _, d := range []int{1, 4, 80, 4096, 1 << 20} {
		for _, p := range []float64{0.3, 1e-6, 1e-20} {
			if got := ScoreTail(d, ScoreLimit(d, p)); math.Abs(got/p-1) > 1e-9 {
				t.Errorf("d_k = %d: ScoreTail at ScoreLimit of %v is %v, want %v", d, p, got, p)
			}
		}
	}
	// The score of 2²⁰ components is nearly normal, and a normal number exceeds 4.8916 standard
	// deviations with probability 10⁻⁶ (R 4.2: qnorm(1 - 5e-7)).
	if got, want := ScoreLimit(1<<20, 1e-6)/1024, 4.891638; math.Abs(got-want) > 1e-4 {
		t.Errorf("d_k = 2²⁰: the limit is %v standard deviations, want %v", got, want)
	}
}
