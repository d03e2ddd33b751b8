package theory

import (
	"math"
	"testing"
)

// TestBlocksOfNormalScores uses that the mean of n squares of normal numbers has the distribution
// χ²_n/n, whose cumulants are those of the gamma distribution of shape n/2: κ₃² = 8/n, κ₄ = 12/n,
// κ₆ = 480/n² in units of the variance.
func TestBlocksOfNormalScores(t *testing.T) {
	s := Score{ExactMoments: ExactMoments{Variance: 1, M4: 3, M6: 15, M8: 105}, M10: 945, M12: 10395}
	for _, n := range []float64{1, 16, 1024} {
		b := s.BlockCumulants(n)
		for _, pair := range [][2]float64{{b.Skew2, 8 / n}, {b.Excess, 12 / n}, {b.Sixth, 480 / (n * n)}} {
			if math.Abs(pair[0]/pair[1]-1) > 1e-12 {
				t.Errorf("n = %v: %v, want %v", n, pair[0], pair[1])
			}
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

// TestSmallSamples checks the variance and the skewness of the sample variance of n Bernoulli numbers,
// which are 1 with probability p. The expected values are exact sums over all samples.
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
			if want := 2 / m[2]; math.Abs(m[1]) > 1e-12 || math.Abs(dof/want-1) > 1e-9 {
				t.Errorf("p = %v, %d numbers: %v degrees of freedom, want %v", p, n, dof, want)
			}
			want := m[3]/math.Pow(m[2], 1.5) - math.Sqrt(8/dof)
			if got := b.SkewBeyondChiSquare(int64(n)); math.Abs(got-want) > 1e-9 {
				t.Errorf("p = %v, %d numbers: skewness beyond χ² is %v, want %v", p, n, got, want)
			}
		}
	}
}

// TestSDLimits compares with tables of χ² at 2.5 and 97.5 %.
func TestSDLimits(t *testing.T) {
	for _, c := range [][3]float64{{15, 6.262138, 27.488393}, {30, 16.790772, 46.979242},
		{100, 74.221927, 129.561197}} {
		lo, hi := BlockCumulants{}.SDLimits(int64(c[0])+1, 1.959963985)
		for _, pair := range [][2]float64{{lo, math.Sqrt(c[0] / c[2])}, {hi, math.Sqrt(c[0] / c[1])}} {
			if math.Abs(pair[0]/pair[1]-1) > 0.002 { // error of the approximation at 15 degrees of freedom
				t.Errorf("%v degrees of freedom: %v, want %v", c[0], pair[0], pair[1])
			}
		}
	}
	if got := (BlockCumulants{}).SDRelativeSE(33); math.Abs(got-0.125) > 1e-15 { // 1/√(2·32)
		t.Errorf("the error of 32 degrees of freedom is %v", got)
	}
}
