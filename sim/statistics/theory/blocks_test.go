package theory

import (
	"math"
	"testing"
)

// TestBlocksOfNormalScores compares the cumulants of the mean of n squares of normal numbers with
// the cumulants of χ²_n/n. In units of its variance they are κ₃² = 8/n, κ₄ = 12/n and κ₆ = 480/n²
// (it is a gamma distribution of shape n/2). It also checks that there are no degrees of freedom if
// a moment does not exist.
func TestBlocksOfNormalScores(t *testing.T) {
	s := Score{ExactMoments: ExactMoments{Variance: 1, M4: 3, M6: 15, M8: 105}, M10: 945, M12: 10395}
	for _, n := range []float64{1, 16, 1024} {
		b := s.BlockCumulants(n)
		want := BlockCumulants{Skew2: 8 / n, Excess: 12 / n, Sixth: 480 / (n * n)}
		if !isNear(b.Skew2, want.Skew2, 1e-12) || !isNear(b.Excess, want.Excess, 1e-12) ||
			!isNear(b.Sixth, want.Sixth, 1e-12) {
			t.Errorf("n = %v: got %+v, want %+v", n, b, want)
		}
	}
	heavy := mustParse(t, "student-t(10)")
	if b := NewScore(heavy, 4).BlockCumulants(16); b.DOF(1000) != 0 {
		t.Errorf("student-t(10), whose squares have no sixth moment, has %v degrees of freedom, want 0", b.DOF(1000))
	}
	if b := NewGram(heavy, 64, 48, 48).BlockCumulants(); b.DOF(1000) != 0 {
		t.Errorf("matrices of student-t(10) have %v degrees of freedom, want 0", b.DOF(1000))
	}
}

// TestSmallSamples compares DOF and SkewBeyondChiSquare for n Bernoulli numbers, which are 1 with
// probability p, with exact sums over all samples. The sums give the moments m of s²/σ² − 1.
func TestSmallSamples(t *testing.T) {
	for _, p := range []float64{0.5, 0.3, 0.1} {
		q := 1 - p
		v := p * q
		c3, c4 := v*(q-p), v*(1-3*v)
		c6 := p*math.Pow(q, 6) + q*math.Pow(p, 6)
		b := BlockCumulants{Skew2: c3 * c3 / (v * v * v), Excess: c4/(v*v) - 3,
			Sixth: (c6-15*c4*v-10*c3*c3)/(v*v*v) + 30}
		for n := 3; n <= 12; n++ {
			var m [4]float64
			for k := 0; k <= n; k++ {
				probability := binomial(n, k) * math.Pow(p, float64(k)) * math.Pow(q, float64(n-k))
				s2 := float64(k*(n-k)) / float64(n*(n-1)) / v
				for j := range m {
					m[j] += probability * math.Pow(s2-1, float64(j))
				}
			}
			dof := b.DOF(int64(n))
			if math.Abs(m[1]) > 1e-12 {
				t.Errorf("p = %v, %d numbers: E s²/σ² − 1 is %v, want 0", p, n, m[1])
			}
			if want := 2 / m[2]; math.Abs(dof/want-1) > 1e-9 {
				t.Errorf("p = %v, %d numbers: got %v degrees of freedom, want %v", p, n, dof, want)
			}
			want := m[3]/math.Pow(m[2], 1.5) - math.Sqrt(8/dof)
			if got := b.SkewBeyondChiSquare(int64(n)); math.Abs(got-want) > 1e-9 {
				t.Errorf("p = %v, %d numbers: skewness beyond χ² is %v, want %v", p, n, got, want)
			}
		}
	}
}

// TestSDLimits compares the limits for normal means with tables of the quantiles of χ² at 2.5 %
// (low) and 97.5 % (high).
func TestSDLimits(t *testing.T) {
	for _, c := range []struct{ dof, low, high float64 }{
		{dof: 15, low: 6.262138, high: 27.488393},
		{dof: 30, low: 16.790772, high: 46.979242},
		{dof: 100, low: 74.221927, high: 129.561197},
	} {
		lo, hi := BlockCumulants{}.SDLimits(int64(c.dof)+1, 1.959963985)
		wantLo, wantHi := math.Sqrt(c.dof/c.high), math.Sqrt(c.dof/c.low)
		const tolerance = 0.002 // error of the approximation at 15 degrees of freedom
		if math.Abs(lo/wantLo-1) > tolerance || math.Abs(hi/wantHi-1) > tolerance {
			t.Errorf("%v degrees of freedom: got %v and %v, want %v and %v", c.dof, lo, hi, wantLo, wantHi)
		}
	}
	if got, want := (BlockCumulants{}).SDRelativeSE(33), 1/math.Sqrt(2*32); math.Abs(got-want) > 1e-15 {
		t.Errorf("32 degrees of freedom: SDRelativeSE is %v, want %v", got, want)
	}
}
