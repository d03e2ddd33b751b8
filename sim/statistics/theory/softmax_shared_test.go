package theory

import (
	"math"
	"testing"
)

// TestSharedQueryAgainstSimulation compares RelativeTrace with means over 10⁶ rows simulated by
// another program (testdata/relative_trace_n8.csv). The column of the root mean square of ‖∂α/∂K‖_F
// has no standard errors; a test of the experiment softmax compares it.
func TestSharedQueryAgainstSimulation(t *testing.T) {
	for _, line := range readTable(t, "relative_trace_n8.csv", 12) {
		row := line.numbers
		d := int(row["d_k"])
		s := SharedQuerySoftmax(8, d, math.Pow(float64(d), -row["p"]))
		if z := (row["mean_R"] - s.RelativeTrace()) / row["se_mean_R"]; !(math.Abs(z) < 4) {
			t.Errorf("d = %d, p = %v: R is %v, want %v; the difference is %.1f standard errors", d, row["p"],
				s.RelativeTrace(), row["mean_R"], z)
		}
	}
}

// TestTargetAgainstSimulation compares TargetSlope and TargetSquare with the means of a target's
// gradient and of its square over 10⁶ rows simulated by NumPy (testdata/labels.csv).
func TestTargetAgainstSimulation(t *testing.T) {
	for _, line := range readTable(t, "labels.csv", 12) {
		row := line.numbers
		d := int(row["d_k"])
		s := SharedQuerySoftmax(8, d, math.Pow(float64(d), -row["p"]))
		se := math.Sqrt(row["target_square"]-row["target"]*row["target"]) / 1000
		if z := (row["target"] - s.TargetSlope) / se; !(math.Abs(z) < 4) {
			t.Errorf("d = %d, p = %v: TargetSlope is %v, want %v; the difference is %.1f standard errors", d, row["p"],
				s.TargetSlope, row["target"], z)
		}
		// The standard error of the mean of g² is at most √(E g⁴)/1000. A gradient g is at most
		// scale·|q|/4, so that E g⁴ ≤ E g²·(scale·√(2d)/4)² except for rare q.
		maxSE := math.Sqrt(row["target_square"]) * math.Pow(float64(d), 0.5-row["p"]) * math.Sqrt2 / 4 / 1000
		if difference := math.Abs(row["target_square"] - s.TargetSquare); !(difference < 4*maxSE) {
			t.Errorf("d = %d, p = %v: TargetSquare is %v, want %v", d, row["p"], s.TargetSquare, row["target_square"])
		}
	}
}

// TestTargetOfFewKeys checks that for two keys TargetSquare = KeySquare/4 and
// TargetSlope = σ·Trace/2, since ‖J‖_F² = 4(α(1−α))² and tr J = 2α(1−α). It also compares the
// expansions with quadrature for σ at which both are accurate.
func TestTargetOfFewKeys(t *testing.T) {
	for _, sigma := range []float64{1e-3, 0.4, 1, 3, 17} {
		s := NewSoftmax(2, sigma)
		if math.Abs(s.TargetSquare-s.KeySquare/4) > 1e-11 || math.Abs(s.TargetSlope-sigma*s.Trace/2) > 1e-11 {
			t.Errorf("σ = %v: TargetSquare is not KeySquare/4, or TargetSlope is not σ·Trace/2: %+v", sigma, s)
		}
	}
	for _, keys := range []int{2, 8, 100} {
		narrow, wide := NarrowSoftmax(keys, 1e-3), WideSoftmax(keys, 1e4)
		if s := NewSoftmax(keys, 1e-3); math.Abs(narrow.TargetSquare/s.TargetSquare-1) > 1e-9 ||
			math.Abs(narrow.TargetSlope/s.TargetSlope-1) > 1e-9 {
			t.Errorf("%d keys, narrow: got %+v, want the target's values of %+v", keys, narrow, s)
		}
		if s := NewSoftmax(keys, 1e4); math.Abs(wide.TargetSquare/s.TargetSquare-1) > 1e-3 ||
			math.Abs(wide.TargetSlope/s.TargetSlope-1) > 1e-3 {
			t.Errorf("%d keys, wide: got %+v, want the target's values of %+v", keys, wide, s)
		}
	}
}

// TestConcentrationLimit compares the limit for eight keys with SciPy 1.10.1 (testdata/labels.py).
func TestConcentrationLimit(t *testing.T) {
	if got, want := ConcentrationLimit(8), 0.4365087231917213; math.Abs(got-want) > 1e-11 {
		t.Errorf("the limit for eight keys is %v, want %v", got, want)
	}
}

// TestSharedQueryOfTwoKeys compares with an integral over the difference of two logits,
// scale·q·(k_1 − k_2) = scale·√2·s. In two dimensions s has Laplace's distribution with scale 1; in
// four dimensions its density is (1+|s|)e^−|s|/4.
func TestSharedQueryOfTwoKeys(t *testing.T) {
	for _, scale := range []float64{0.01, 0.3, 1, 2.7, 40} {
		b := scale * math.Sqrt2
		for d, density := range map[int]func(float64) float64{
			2: func(g float64) float64 { return math.Exp(-g/b) / (2 * b) },
			4: func(g float64) float64 { return (1 + g/b) * math.Exp(-g/b) / (4 * b) },
		} {
			got := columnsOf(SharedQuerySoftmax(2, d, scale))
			want := columnsOf(twoKeySoftmax(density, 4*b))
			for name := range got {
				if !(math.Abs(got[name]-want[name]) <= 1e-11) {
					t.Errorf("d = %d, scale %v: %s is %.15g, want %.15g", d, scale, name, got[name], want[name])
				}
			}
		}
	}
}

// TestSharedQueryInManyDimensions checks that in many dimensions, where |q| is nearly constant, a
// row of one query is like a row of independent logits. It also checks the scales 0 and ∞ and one
// key.
func TestSharedQueryInManyDimensions(t *testing.T) {
	const d = 65536
	shared, independent := SharedQuerySoftmax(8, d, 1.0/256), NewSoftmax(8, 1)
	for name, got := range columnsOf(shared) {
		if want := columnsOf(independent)[name]; !(math.Abs(got-want) < 2.0/d) {
			t.Errorf("%s is %v, want %v to within 2/d", name, got, want)
		}
	}
	if got, want := SharedQuerySoftmax(8, 64, 0), newUniformSoftmax(8); got != want {
		t.Errorf("scale 0: got %+v, want %+v", got, want)
	}
	if hard := SharedQuerySoftmax(8, 64, math.Inf(1)); hard.MaxWeight != 1 {
		t.Errorf("infinite scale: E max α is %v, want 1", hard.MaxWeight)
	}
	single := SharedQuerySoftmax(1, 64, 1)
	if single.MaxWeight != 1 || single.RelativeTrace() != 0 {
		t.Errorf("one key: E max α is %v and R is %v, want 1 and 0", single.MaxWeight, single.RelativeTrace())
	}
}

// TestInterpolateSoftmax compares interpolation between points of the lattice with quadrature.
func TestInterpolateSoftmax(t *testing.T) {
	keyCounts := []int{2, 8, 64, 512, 4096}
	if testing.Short() {
		keyCounts = keyCounts[1:3]
	}
	for _, keys := range keyCounts {
		for sigma := 0.003; sigma < 300; sigma *= 2.31 {
			want, got := columnsOf(NewSoftmax(keys, sigma)), columnsOf(interpolateSoftmax(keys, sigma))
			for name, w := range want {
				if math.Abs(got[name]-w) > 1e-11*max(1, math.Abs(w)) {
					t.Errorf("%d keys, σ = %v: %s is %v, want %v", keys, sigma, name, got[name], w)
				}
			}
		}
	}
}
