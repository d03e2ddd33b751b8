package theory

import (
	"math"
	"testing"
)

// columns are the values of a Softmax under the names of testdata/softmax.csv.
func columns(s Softmax) map[string]float64 {
	return map[string]float64{
		"max_weight": s.MaxWeight, "max_square": s.MaxSquare, "collision": s.Collision, "entropy": s.Entropy,
		"jacobian_square": s.JacobianSquare,
	}
}

// testdata/softmax.csv is exact to 1e-13 or better.
func TestSoftmaxAgainstMpmath(t *testing.T) {
	for _, row := range readTable(t, "softmax.csv", 54) {
		keys, sigma := int(row.at["keys"]), row.at["sigma"]
		s := NewSoftmax(keys, sigma)
		for name, got := range columns(s) {
			if !(math.Abs(got-row.at[name]) <= 1e-11) {
				t.Errorf("n = %d, σ = %v: %s is %.15g, want %.15g", keys, sigma, name, got, row.at[name])
			}
		}
		if got, want := s.Trace, 1-row.at["collision"]; !(math.Abs(got-want) <= 1e-11) {
			t.Errorf("n = %d, σ = %v: the trace is %.15g, want %.15g", keys, sigma, got, want)
		}
	}
}

// testdata/softmax_reference.csv has ten significant digits, so half a unit of
// the last is at most 5e-10 of the value. Its σ are rounded likewise, but the
// labels say what they stand for.
func TestSoftmaxAgainstReference(t *testing.T) {
	exact := []float64{1 / math.Sqrt(512), 1, math.Sqrt(8), 8, 16, math.Sqrt(512)}
	for i, row := range readTable(t, "softmax_reference.csv", 24) {
		keys, sigma := int(row.at["n"]), exact[i/4]
		if math.Abs(sigma/row.at["sigma"]-1) > 1e-9 {
			t.Fatalf("row %d is of σ = %v", i, row.at["sigma"])
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
			want, ok := row.at[name]
			if name == "small_E_max" && sigma > 1 {
				continue // nor is it any approximation there
			}
			// Differences of rounded numbers near 1, and some digits that the
			// table's own quadrature lacks, come on top.
			if !ok || !(math.Abs(got-want) <= 5e-10*math.Abs(want)+1e-10) {
				t.Errorf("n = %d, σ = %v: %s is %.12g, the table has %.10g", keys, sigma, name, got, want)
			}
		}
	}
}

// sigmas to test identities at: a grid uneven to every threshold of the rules.
func sigmas() []float64 {
	var out []float64
	for s := 1e-4; s < 2e4; s *= 1.7 {
		out = append(out, s)
	}
	return append(out, 2, math.Nextafter(2, 3))
}

// What the sums work out apart must agree: 1 − A, and for two keys, whose smaller weight is
// 1 − max, A = E[max² + (1−max)²]. Wider logits are less even.
func TestSoftmaxIdentities(t *testing.T) {
	for _, keys := range []int{2, 3, 5, 8, 64, 777, 4096} {
		before := Softmax{Entropy: math.Inf(1)}
		for i, sigma := range sigmas() {
			s := NewSoftmax(keys, sigma)
			if off := math.Abs(s.Trace - (1 - s.Collision)); !(off <= 4e-12) {
				t.Errorf("n = %d, σ = %v: the trace is %v off 1 − A", keys, sigma, off)
			}
			if off := math.Abs(s.Collision - (1 - 2*s.MaxWeight + 2*s.MaxSquare)); keys == 2 && !(off <= 4e-12) {
				t.Errorf("n = %d, σ = %v: A is %v off", keys, sigma, off)
			}
			ordered := s.Collision < s.MaxWeight && s.MaxSquare < s.Collision
			if flatter := sigma > 2.1 &&
				!(s.MaxWeight > before.MaxWeight && s.Trace < before.Trace && s.Entropy < before.Entropy); !ordered ||
				i > 0 && flatter {
				t.Errorf("n = %d, σ = %v: out of order: %+v after %+v", keys, sigma, s, before)
			}
			before = s
		}
	}
}

// twoKeys is the Softmax of two keys whose scores differ by a random number
// with the density 2f(g) for its size g > 0: every quantity is one integral.
func twoKeys(f func(float64) float64, width float64) Softmax {
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
		*x += 1 - covered // 1 for larger g
	}
	return s
}

// Logits that are all equal, infinitely far apart, or almost.
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
			for name, got := range columns(s) {
				want := columns(limit)[name]
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

// E Σ(∂α/∂σ)² by another way: for two keys α' = p·(z₁ − z₂) with p = α(1 − α), an
// integral over the gap. For more keys rows of the experiment are held against it.
func TestSlopeSquare(t *testing.T) {
	for _, sigma := range []float64{0.01, 0.3, 1, 2.5, 9} {
		want := 0.0
		const step = 1.0 / 512
		for gap := -20 + step/2; gap < 20; gap += step { // of z₁ − z₂, of variance 2
			e := math.Exp(-math.Abs(sigma * gap))
			p := e / ((1 + e) * (1 + e))
			want += step * math.Exp(-gap*gap/4) / math.Sqrt(4*math.Pi) * 2 * p * p * gap * gap
		}
		if got := NewSoftmax(2, sigma).SlopeSquare; math.Abs(got-want) > 1e-11 {
			t.Errorf("two keys, σ = %v: %v, want %v", sigma, got, want)
		}
	}
}
