package theory

import (
	"math"
	"testing"
)

// testdata/gradient_survival_n8.csv holds means over 10⁶ rows with their
// errors; the root mean square of ‖∂α/∂K‖_F has none, and is compared by the
// experiment softmax.
func TestSharedQueryAgainstSimulation(t *testing.T) {
	rows := readTable(t, "gradient_survival_n8.csv")
	if len(rows) != 12 {
		t.Fatalf("%d rows, want 12", len(rows))
	}
	for _, row := range rows {
		d := int(row["d_k"])
		s := SharedQuerySoftmax(8, d, math.Pow(float64(d), -row["p"]))
		if z := (row["mean_R"] - s.GradientSurvival()) / row["se_mean_R"]; !(math.Abs(z) < 4) {
			t.Errorf("d = %d, p = %v: R = %v, simulated %v, %.1f standard errors off", d, row["p"], s.GradientSurvival(), row["mean_R"], z)
		}
	}
}

// By hand: in two dimensions q·(k_1 − k_2) is √2 times a number of Laplace's
// law with the scale 1, so two keys need one integral; in four the density is
// (1+|s|)e^−|s|/4.
func TestSharedQueryOfTwoKeys(t *testing.T) {
	for _, scale := range []float64{0.01, 0.3, 1, 2.7, 40} {
		b := scale * math.Sqrt2
		for d, density := range map[int]func(float64) float64{
			2: func(g float64) float64 { return math.Exp(-g/b) / (2 * b) },
			4: func(g float64) float64 { return (1 + g/b) * math.Exp(-g/b) / (4 * b) },
		} {
			got := columns(SharedQuerySoftmax(2, d, scale))
			delete(got, "log_sum")
			want := columns(twoKeys(density, 4*b))
			for name := range got {
				if !(math.Abs(got[name]-want[name]) <= 1e-11) {
					t.Errorf("d = %d, scale %v: %s is %.15g, want %.15g", d, scale, name, got[name], want[name])
				}
			}
		}
	}
}

// The same mean over |q| by Gauss and Legendre's rule, on other nodes.
func TestSharedQueryOnOtherNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("integrates for seconds")
	}
	for _, c := range []struct {
		keys, d  int
		exponent float64
	}{{2, 8, 0}, {8, 9, 0.25}, {4096, 55, 0.5}, {4096, 56, 0.25}, {8, 1024, 0}} {
		scale := math.Pow(float64(c.d), -c.exponent)
		middle, spread := math.Log(scale)+math.Log(float64(c.d))/2, 1/math.Sqrt(2*float64(c.d))
		var q quadrature
		q.panels(-9*spread-32/float64(c.d), 7*spread, 3*spread)
		var sum Softmax
		total := 0.0
		for i, v := range q.at {
			w := q.weight[i] * math.Exp(float64(c.d)*(v-math.Expm1(2*v)/2))
			total += w
			sum.add(w, SoftmaxOf(c.keys, math.Exp(middle+v)), Softmax{})
		}
		var want Softmax
		want.add(1/total, sum, Softmax{})
		got := SharedQuerySoftmax(c.keys, c.d, scale)
		if got.Keys != c.keys {
			t.Errorf("%d keys, want %d", got.Keys, c.keys)
		}
		for name, x := range columns(got) {
			tolerance := 3e-11
			if name == "log_sum" {
				tolerance *= 1 + math.Exp(middle)
			}
			if y := columns(want)[name]; !(math.Abs(x-y) <= tolerance) {
				t.Errorf("n = %d, d = %d, p = %v: %s is %.15g, want %.15g", c.keys, c.d, c.exponent, name, x, y)
			}
		}
	}
}

// The transform of the law of ln |q| is |Γ((d+iω)/2)|/Γ(d/2), the square of
// which is Π 1/(1 + ω²/(d+2k)²); the sum of step h is off by twice its value at
// 2π/h, as far as the weights alone are concerned.
func TestSharedStep(t *testing.T) {
	for d := 1; d < manyDimensions; d++ {
		omega := 2 * math.Pi / sharedStep(d)
		logSize := 0.0
		for k := 0.0; k < 20*omega; k++ {
			logSize -= math.Log1p(square(omega/(float64(d)+2*k))) / 2
		}
		if bound := 2 * math.Exp(logSize); bound > 1e-11 {
			t.Errorf("d = %d: %.2g", d, bound)
		}
	}
}

// With many dimensions |q| hardly varies, by a share of 1/√(2d).
func TestSharedQueryInManyDimensions(t *testing.T) {
	const d = 65536
	one, many := SharedQuerySoftmax(8, d, 1.0/256), SoftmaxOf(8, 1)
	for name, x := range columns(one) {
		if y := columns(many)[name]; !(math.Abs(x-y) < 2.0/d) {
			t.Errorf("%s is %v, want about %v", name, x, y)
		}
	}
	if s := SharedQuerySoftmax(8, 64, 0); s != uniformSoftmax(8) {
		t.Errorf("a scale of 0: %+v", s)
	}
	if s := SharedQuerySoftmax(8, 64, math.Inf(1)); s.MaxWeight != 1 {
		t.Errorf("an infinite scale: %+v", s)
	}
	if s := SharedQuerySoftmax(1, 64, 1); s.MaxWeight != 1 || s.GradientSurvival() != 0 {
		t.Errorf("one key: %+v", s)
	}
}

// Between the points of the lattice the polynomial is as good as quadrature.
func TestBetweenPoints(t *testing.T) {
	numbers := []int{2, 8, 64, 512, 4096}
	if testing.Short() {
		numbers = numbers[1:3]
	}
	for _, keys := range numbers {
		for sigma := 0.003; sigma < 300; sigma *= 2.31 {
			want, got := columns(SoftmaxOf(keys, sigma)), columns(betweenPoints(keys, sigma))
			for name, w := range want {
				if math.Abs(got[name]-w) > 1e-11*max(1, math.Abs(w)) {
					t.Errorf("%d keys, σ = %v: %s is %v, by quadrature %v", keys, sigma, name, got[name], w)
				}
			}
		}
	}
}
