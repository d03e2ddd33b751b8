package theory

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"mcsim/sim/elementary"
)

// testdata/tails.csv: finite sums and integrals by mpmath, far into the tails.
func TestScoreTailAgainstMpmath(t *testing.T) {
	f, err := os.Open("testdata/tails.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) < 40 {
		t.Fatal(len(lines), err)
	}
	worst := 0.0
	for _, line := range lines[1:] {
		var x [3]float64
		for i := range x {
			if x[i], err = strconv.ParseFloat(line[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		off := math.Abs(ScoreTail(int(x[0]), x[1])/x[2] - 1)
		if worst = max(worst, off); !(off < 1e-10) {
			t.Errorf("d_k = %v: P(|S| > %v) is %v, want %v", x[0], x[1], ScoreTail(int(x[0]), x[1]), x[2])
		}
	}
	t.Logf("off by %.1g of itself at most", worst)
}

// In many dimensions the score is nearly normal: with its excess kurtosis 6/d Edgeworth's
// series has the tail erfc(x/√2) + (6/d)/12·x(x² − 3)φ(x), but for terms in 1/d².
func TestScoreTailOfManyDimensions(t *testing.T) {
	for _, d := range []int{1 << 16, 1 << 20} {
		for _, x := range []float64{0.5, 1, 2, 4} {
			want := elementary.Erfc(x/math.Sqrt2) + x*(x*x-3)*math.Exp(-x*x/2)/math.Sqrt(2*math.Pi)/(2*float64(d))
			if got := ScoreTail(d, x*math.Sqrt(float64(d))); math.Abs(got/want-1) > 1e-9+200/float64(d)/float64(d)*math.Pow(x, 8) {
				t.Errorf("d_k = %d: the tail beyond %v is %v, want %v", d, x, got, want)
			}
		}
	}
}

// Limits that no score reaches, and those that all pass, end at 0 and 1.
func TestScoreTailEnds(t *testing.T) {
	for _, limit := range []float64{0, -1} {
		if p := ScoreTail(64, limit); p != 1 {
			t.Errorf("P(|S| > %v) is %v", limit, p)
		}
	}
	for _, d := range []int{1, 64, 1 << 20} {
		for _, limit := range []float64{1e12, 65520, math.MaxFloat32} {
			if p := ScoreTail(d, limit); limit > 1e10 && p != 0 || !(p >= 0 && p <= 1) {
				t.Errorf("d_k = %d: P(|S| > %v) is %v", d, limit, p)
			}
		}
	}
}

// A limit is where the tail is what it was made for.
func TestScoreLimit(t *testing.T) {
	for _, d := range []int{1, 4, 80, 4096, 1 << 20} {
		for _, p := range []float64{0.3, 1e-6, 1e-20} {
			if got := ScoreTail(d, ScoreLimit(d, p)); math.Abs(got/p-1) > 1e-9 {
				t.Errorf("d_k = %d: the tail at the limit of %v is %v", d, p, got)
			}
		}
	}
	// Of so many components the score is nearly normal, of which 4.8916 standard
	// deviations leave one in a million (R 4.2: qnorm(1 - 5e-7)).
	if got := ScoreLimit(1<<20, 1e-6) / 1024; math.Abs(got-4.891638) > 1e-4 {
		t.Errorf("the limit is %v standard deviations", got)
	}
}
