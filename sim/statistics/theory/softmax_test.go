package theory

import (
	"math"
	"testing"
)

// columnsOf returns the values of a Softmax by the names of the columns of testdata/softmax.csv.
func columnsOf(s Softmax) map[string]float64 {
	return map[string]float64{
		"max_weight": s.MaxWeight, "max_square": s.MaxSquare, "collision": s.Collision, "entropy": s.Entropy,
		"jacobian_square": s.JacobianSquare,
	}
}

// TestSoftmaxAgainstMpmath compares NewSoftmax with testdata/softmax.csv, whose error is at most
// 1e-13.
func TestSoftmaxAgainstMpmath(t *testing.T) {
	for _, row := range readTable(t, "softmax.csv", 54) {
		keys, sigma := int(row.numbers["keys"]), row.numbers["sigma"]
		s := NewSoftmax(keys, sigma)
		for name, got := range columnsOf(s) {
			if !(math.Abs(got-row.numbers[name]) <= 1e-11) {
				t.Errorf("n = %d, σ = %v: %s is %.15g, want %.15g", keys, sigma, name, got, row.numbers[name])
			}
		}
		if got, want := s.Trace, 1-row.numbers["collision"]; !(math.Abs(got-want) <= 1e-11) {
			t.Errorf("n = %d, σ = %v: the trace is %.15g, want %.15g", keys, sigma, got, want)
		}
	}
}

// TestSoftmaxAgainstReference compares NewSoftmax and its expansions with
// testdata/softmax_reference.csv, whose ten significant digits have a relative error of at most
// 5e-10. The σ of the table are rounded, too; exactSigmas holds the intended values.
func TestSoftmaxAgainstReference(t *testing.T) {
	exactSigmas := []float64{1 / math.Sqrt(512), 1, math.Sqrt(8), 8, 16, math.Sqrt(512)}
	for i, row := range readTable(t, "softmax_reference.csv", 24) {
		keys, sigma := int(row.numbers["n"]), exactSigmas[i/4]
		if math.Abs(sigma/row.numbers["sigma"]-1) > 1e-9 {
			t.Fatalf("line %d of the table has σ = %v, want %v", i, row.numbers["sigma"], sigma)
		}
		s := NewSoftmax(keys, sigma)
		mean, square := NormalMaximum(keys)
		uniform := 1 - 1/float64(keys)
		narrow, wide := NarrowSoftmax(keys, sigma), WideSoftmax(keys, sigma)
		for name, got := range map[string]float64{
			"E_max": s.MaxWeight, "E_max2": s.MaxSquare, "E_sum_a2": s.Collision, "E_entropy": s.Entropy,
			"E_entropy_over_lnn": s.EntropyRatio(), "E_trJ": s.Trace,
			"E_ai_1mai": s.Trace / float64(keys), "E_JF2": s.JacobianSquare,
			"trJ_survival":    s.RelativeTrace(),
			"JF_rms_survival": math.Sqrt(s.JacobianSquare / (uniform / float64(keys))),
			"m_n":             mean,
			"E_M2":            square,
			"sigma_c":         FreezingSigma(keys),
			"small_E_max":     narrow.MaxWeight,
			"large_E_max":     wide.MaxWeight,
			"large_E_H":       wide.Entropy,
			"large_E_JF2":     wide.JacobianSquare,
		} {
			want, ok := row.numbers[name]
			if name == "small_E_max" && sigma > 1 {
				continue // the expansion for small σ is not valid here
			}
			if !ok {
				t.Fatalf("the table has no column %s", name)
			}
			// The absolute tolerance is for columns that are differences of rounded numbers near 1,
			// and for the error of the table's quadrature.
			if !(math.Abs(got-want) <= 5e-10*math.Abs(want)+1e-10) {
				t.Errorf("n = %d, σ = %v: %s is %.12g, want %.10g", keys, sigma, name, got, want)
			}
		}
	}
}

// testSigmas returns a grid of σ that is not aligned with any threshold of the rules.
func testSigmas() []float64 {
	var sigmas []float64
	for s := 1e-4; s < 2e4; s *= 1.7 {
		sigmas = append(sigmas, s)
	}
	return append(sigmas, 2, math.Nextafter(2, 3))
}

// TestSoftmaxIdentities checks relations between expectations that are computed separately. With A
// the Collision, tr J = 1 − A, and for two keys, whose smaller weight is 1 − max,
// A = E[max² + (1−max)²]. It also checks that weights are less even for wider logits.
func TestSoftmaxIdentities(t *testing.T) {
	for _, keys := range []int{2, 3, 5, 8, 64, 777, 4096} {
		previous := Softmax{Entropy: math.Inf(1)}
		for i, sigma := range testSigmas() {
			s := NewSoftmax(keys, sigma)
			if difference := math.Abs(s.Trace - (1 - s.Collision)); !(difference <= 4e-12) {
				t.Errorf("n = %d, σ = %v: tr J differs by %v from 1 − A, want 0", keys, sigma, difference)
			}
			difference := math.Abs(s.Collision - (1 - 2*s.MaxWeight + 2*s.MaxSquare))
			if keys == 2 && !(difference <= 4e-12) {
				t.Errorf("n = 2, σ = %v: A differs by %v from E[max² + (1−max)²], want 0", sigma, difference)
			}
			if !(s.MaxSquare < s.Collision && s.Collision < s.MaxWeight) {
				t.Errorf("n = %d, σ = %v: want E max² < A < E max, got %+v", keys, sigma, s)
			}
			isLessEven := s.MaxWeight > previous.MaxWeight && s.Trace < previous.Trace && s.Entropy < previous.Entropy
			if i > 0 && sigma > 2.1 && !isLessEven {
				t.Errorf("n = %d: the weights for σ = %v are not less even than for the σ before: %+v after %+v",
					keys, sigma, s, previous)
			}
			previous = s
		}
	}
}

// twoKeySoftmax returns the Softmax of two keys whose logits differ by a random number with the
// density f, which is symmetric. The density of the absolute difference g is 2f(g), so that every
// quantity is one integral over g. The rule extends to 12 widths but at most 60, where f must be
// negligible.
func twoKeySoftmax(f func(float64) float64, width float64) Softmax {
	var q quadrature
	q.addPanels(0, min(60, 12*width), min(1, width))
	s := Softmax{Keys: 2}
	covered := 0.0
	for i, g := range q.points {
		w := 2 * q.weights[i] * f(g)
		b := 1 / (1 + math.Exp(g)) // the smaller weight
		a, p := 1-b, b*(1-b)
		covered += w
		s.MaxWeight += w * a
		s.MaxSquare += w * a * a
		s.Collision += w * (1 - 2*p)
		s.Trace += w * 2 * p
		s.JacobianSquare += w * 4 * p * p
		s.Entropy += w * (math.Log1p(math.Exp(-g)) + g*b)
	}
	for _, x := range []*float64{&s.MaxWeight, &s.MaxSquare, &s.Collision} {
		*x += 1 - covered // for larger g the larger weight is 1
	}
	return s
}

// TestSoftmaxOfExtremeSigmas checks NewSoftmax for logits that are equal or nearly equal, and for
// logits that are very far or infinitely far apart.
func TestSoftmaxOfExtremeSigmas(t *testing.T) {
	for _, keys := range []int{1, 2, 3, 64, 4096} {
		n := float64(keys)
		for _, sigma := range []float64{0, 1e-300, 1e-12, 1e-8, 1e6, 1e12, 1e100, math.Inf(1)} {
			s := NewSoftmax(keys, sigma)
			limit := newUniformSoftmax(keys)
			tolerance := math.Sqrt(2 * math.Log(n+1))
			if sigma > 1 && keys > 1 {
				limit = newHardSoftmax(keys)
				tolerance *= 2 / sigma
			} else {
				tolerance *= sigma
			}
			for name, got := range columnsOf(s) {
				want := columnsOf(limit)[name]
				if !(math.Abs(got-want) <= tolerance+1e-11) {
					t.Errorf("n = %d, σ = %v: %s is %v, want %v", keys, sigma, name, got, want)
				}
			}
			if r := s.RelativeTrace(); !(r >= 0 && r <= 1+1e-11) {
				t.Errorf("n = %d, σ = %v: the relative trace is %v, want 0 to 1", keys, sigma, r)
			}
			if math.IsNaN(s.EntropyRatio()) {
				t.Errorf("n = %d, σ = %v: the entropy ratio is NaN", keys, sigma)
			}
		}
	}
}

// TestSlopeSquare compares SlopeSquare = E Σ(∂α/∂σ)² for two keys with an integral over z₁ − z₂,
// given ∂α/∂σ = ±α(1 − α)(z₁ − z₂). A test of the experiment softmax compares SlopeSquare with
// sampled rows of more keys.
func TestSlopeSquare(t *testing.T) {
	for _, sigma := range []float64{0.01, 0.3, 1, 2.5, 9} {
		want := 0.0
		const step = 1.0 / 512
		for gap := -20 + step/2; gap < 20; gap += step { // z₁ − z₂, which has variance 2
			e := math.Exp(-math.Abs(sigma * gap))
			p := e / ((1 + e) * (1 + e))
			want += step * math.Exp(-gap*gap/4) / math.Sqrt(4*math.Pi) * 2 * p * p * gap * gap
		}
		if got := NewSoftmax(2, sigma).SlopeSquare; math.Abs(got-want) > 1e-11 {
			t.Errorf("two keys, σ = %v: SlopeSquare is %v, want %v", sigma, got, want)
		}
	}
}
