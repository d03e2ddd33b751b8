package theory

import (
	"math"
	"testing"
)

// TestSharedQueryAgainstSimulation compares with means over 10⁶ rows and their errors
// (testdata/relative_trace_n8.csv). The table has no error of the root mean square of ‖∂α/∂K‖_F,
// which the experiment softmax compares.
func TestSharedQueryAgainstSimulation(t *testing.T) {
	for _, line := range readTable(t, "relative_trace_n8.csv", 12) {
		row := line.numbers
		d := int(row["d_k"])
		s := SharedQuerySoftmax(8, d, math.Pow(float64(d), -row["p"]))
		if z := (row["mean_R"] - s.RelativeTrace()) / row["se_mean_R"]; !(math.Abs(z) < 4) {
			t.Errorf("d = %d, p = %v: R = %v, simulated %v, %.1f standard errors off", d, row["p"], s.RelativeTrace(),
				row["mean_R"], z)
		}
	}
}

// TestTargetAgainstSimulation compares with the means of a target's gradient and of its square over
// 10⁶ rows (testdata/labels.csv).
func TestTargetAgainstSimulation(t *testing.T) {
	for _, line := range readTable(t, "labels.csv", 12) {
		row := line.numbers
		d := int(row["d_k"])
		s := SharedQuerySoftmax(8, d, math.Pow(float64(d), -row["p"]))
		se := math.Sqrt(row["target_square"]-row["target"]*row["target"]) / 1000
		if z := (row["target"] - s.TargetSlope) / se; !(math.Abs(z) < 4) {
			t.Errorf("d = %d, p = %v: %v, simulated %v, %.1f standard errors off", d, row["p"], s.TargetSlope,
				row["target"], z)
		}
		// A gradient is at most scale·|q|/4, so that E g⁴ ≤ E g²·(scale·√(2d)/4)² except for rare
		// q.
		bound := math.Sqrt(row["target_square"]) * math.Pow(float64(d), 0.5-row["p"]) * math.Sqrt2 / 4 / 1000
		if difference := math.Abs(row["target_square"] - s.TargetSquare); !(difference < 4*bound) {
			t.Errorf("d = %d, p = %v: mean square %v, simulated %v", d, row["p"], s.TargetSquare, row["target_square"])
		}
	}
}

// TestTargetOfFewKeys uses that with two keys the target's derivatives are half of those of J:
// ‖J‖_F² = 4(α(1−α))² and tr J = 2α(1−α). It also compares the expansions with quadrature where
// both are accurate.
func TestTargetOfFewKeys(t *testing.T) {
	for _, sigma := range []float64{1e-3, 0.4, 1, 3, 17} {
		s := NewSoftmax(2, sigma)
		if math.Abs(s.TargetSquare-s.KeySquare/4) > 1e-11 || math.Abs(s.TargetSlope-sigma*s.Trace/2) > 1e-11 {
			t.Errorf("σ = %v: %+v", sigma, s)
		}
	}
	for _, keys := range []int{2, 8, 100} {
		narrow, wide := NarrowSoftmax(keys, 1e-3), WideSoftmax(keys, 1e4)
		if s := NewSoftmax(keys, 1e-3); math.Abs(narrow.TargetSquare/s.TargetSquare-1) > 1e-9 ||
			math.Abs(narrow.TargetSlope/s.TargetSlope-1) > 1e-9 {
			t.Errorf("%d keys, narrow: %+v, by quadrature %+v", keys, narrow, s)
		}
		if s := NewSoftmax(keys, 1e4); math.Abs(wide.TargetSquare/s.TargetSquare-1) > 1e-3 ||
			math.Abs(wide.TargetSlope/s.TargetSlope-1) > 1e-3 {
			t.Errorf("%d keys, wide: %+v, by quadrature %+v", keys, wide, s)
		}
	}
}

// TestConcentrationLimit compares with SciPy 1.10.1 (testdata/labels.py).
func TestConcentrationLimit(t *testing.T) {
	if got := ConcentrationLimit(8); math.Abs(got-0.4365087231917213) > 1e-11 {
		t.Errorf("the limit for eight keys is %v", got)
	}
}

// TestSharedQueryOfTwoKeys compares with one integral: for two keys in two dimensions q·(k_1 − k_2)
// is √2 times a number of Laplace's distribution with scale 1, and in four its density is
// (1+|s|)e^−|s|/4.
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

// TestSharedQueryInManyDimensions uses that |q| has a relative standard deviation of only 1/√(2d).
func TestSharedQueryInManyDimensions(t *testing.T) {
	const d = 65536
	one, many := SharedQuerySoftmax(8, d, 1.0/256), NewSoftmax(8, 1)
	for name, x := range columnsOf(one) {
		if y := columnsOf(many)[name]; !(math.Abs(x-y) < 2.0/d) {
			t.Errorf("%s is %v, want about %v", name, x, y)
		}
	}
	uniform, hard, single := SharedQuerySoftmax(8, 64, 0), SharedQuerySoftmax(8, 64, math.Inf(1)),
		SharedQuerySoftmax(1, 64, 1)
	if uniform != newUniformSoftmax(8) || hard.MaxWeight != 1 || single.MaxWeight != 1 || single.RelativeTrace() != 0 {
		t.Errorf("a scale of 0: %+v, an infinite one: %+v, one key: %+v", uniform, hard, single)
	}
}

// TestInterpolateSoftmax checks that interpolation between points of the lattice is as accurate as
// quadrature.
func TestInterpolateSoftmax(t *testing.T) {
	numbers := []int{2, 8, 64, 512, 4096}
	if testing.Short() {
		numbers = numbers[1:3]
	}
	for _, keys := range numbers {
		for sigma := 0.003; sigma < 300; sigma *= 2.31 {
			want, got := columnsOf(NewSoftmax(keys, sigma)), columnsOf(interpolateSoftmax(keys, sigma))
			for name, w := range want {
				if math.Abs(got[name]-w) > 1e-11*max(1, math.Abs(w)) {
					t.Errorf("%d keys, σ = %v: %s is %v, by quadrature %v", keys, sigma, name, got[name], w)
				}
			}
		}
	}
}
