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

// TestSoftmaxAgainstMpmath compares with testdata/softmax.csv, which is exact to 1e-13 or better.
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

// TestSoftmaxAgainstReference compares with testdata/softmax_reference.csv, whose ten significant
// digits are rounded by at most 5e-10 of the value. Its σ are rounded, too; exact has the intended
// values.
func TestSoftmaxAgainstReference(t *testing.T) {
	exact := []float64{1 / math.Sqrt(512), 1, math.Sqrt(8), 8, 16, math.Sqrt(512)}
	for i, row := range readTable(t, "softmax_reference.csv", 24) {
		keys, sigma := int(row.numbers["n"]), exact[i/4]
		if math.Abs(sigma/row.numbers["sigma"]-1) > 1e-9 {
			t.Fatalf("row %d is of σ = %v", i, row.numbers["sigma"])
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
			// The 1e-10 are for differences of rounded numbers near 1, and for the table's
			// quadrature.
			if !ok || !(math.Abs(got-want) <= 5e-10*math.Abs(want)+1e-10) {
				t.Errorf("n = %d, σ = %v: %s is %.12g, the table has %.10g", keys, sigma, name, got, want)
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

// TestSoftmaxIdentities checks relations between sums that are computed separately: tr J = 1 − A,
// and A = E[max² + (1−max)²] for two keys, whose smaller weight is 1 − max. It also checks that
// wider logits give less even weights.
func TestSoftmaxIdentities(t *testing.T) {
	for _, keys := range []int{2, 3, 5, 8, 64, 777, 4096} {
		previous := Softmax{Entropy: math.Inf(1)}
		for i, sigma := range testSigmas() {
			s := NewSoftmax(keys, sigma)
			if difference := math.Abs(s.Trace - (1 - s.Collision)); !(difference <= 4e-12) {
				t.Errorf("n = %d, σ = %v: the trace is %v off 1 − A", keys, sigma, difference)
			}
			if difference := math.Abs(s.Collision - (1 - 2*s.MaxWeight + 2*s.MaxSquare)); keys == 2 &&
				!(difference <= 4e-12) {
				t.Errorf("n = %d, σ = %v: A is %v off", keys, sigma, difference)
			}
			ordered := s.Collision < s.MaxWeight && s.MaxSquare < s.Collision
			if flatter := sigma > 2.1 &&
				!(s.MaxWeight > previous.MaxWeight && s.Trace < previous.Trace &&
					s.Entropy < previous.Entropy); !ordered ||
				i > 0 && flatter {
				t.Errorf("n = %d, σ = %v: out of order: %+v after %+v", keys, sigma, s, previous)
			}
			previous = s
		}
	}
}

// twoKeySoftmax returns the Softmax of two keys whose scores differ by a random number with the
// density 2f(g) of its absolute value g > 0: every quantity is one integral.
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

// TestSoftmaxAtTheEnds checks logits that are all equal, infinitely far apart, or nearly so.
func TestSoftmaxAtTheEnds(t *testing.T) {
	for _, keys := range []int{1, 2, 3, 64, 4096} {
		n := float64(keys)
		for _, sigma := range []float64{0, 1e-300, 1e-12, 1e-8, 1e6, 1e12, 1e100, math.Inf(1)} {
			s := NewSoftmax(keys, sigma)
			limit := newUniformSoftmax(keys)
			slack := math.Sqrt(2 * math.Log(n+1))
			if sigma > 1 && keys > 1 {
				limit = newHardSoftmax(keys)
				slack *= 2 / sigma
			} else {
				slack *= sigma
			}
			for name, got := range columnsOf(s) {
				want := columnsOf(limit)[name]
				if !(math.Abs(got-want) <= slack+1e-11) {
					t.Errorf("n = %d, σ = %v: %s is %v, want %v", keys, sigma, name, got, want)
				}
			}
			if r := s.RelativeTrace(); !(r >= 0 && r <= 1+1e-11) || math.IsNaN(s.EntropyRatio()) {
				t.Errorf("n = %d, σ = %v: R = %v", keys, sigma, r)
			}
		}
	}
}

// TestSlopeSquare computes E Σ(∂α/∂σ)² by another way: for two keys α' = p·(z₁ − z₂) with
// p = α(1 − α), an integral over the gap. The experiment softmax compares rows of more keys with
// it.
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
			t.Errorf("two keys, σ = %v: %v, want %v", sigma, got, want)
		}
	}
}
