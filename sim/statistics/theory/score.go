// Package theory holds closed forms: the exact moments of the score q·k and
// the sampling errors that follow from them.
package theory

import (
	"math"

	"mcsim/sim/base/distribution"
)

// Score is the exact distribution of S = q·k, as far as its moments go, for
// components of one distribution in dimension D. Var S = D; odd moments are 0. M4 to
// M12 are E(S/√D)^k, +Inf where they do not exist.
type Score struct {
	ExactMoments
	D            int
	M10, M12     float64
	distribution distribution.Distribution
}

// NewScore returns the moments of q·k in dimension d ≥ 1, both vectors of distribution l.
func NewScore(l distribution.Distribution, d int) Score {
	var m even
	if l.HasIndependentComponents() {
		m = independentScore(l, d)
	} else {
		m = sphereScore(d)
	}
	return Score{ExactMoments: ExactMoments{Variance: float64(d), M4: m[2], M6: m[3], M8: m[4]}, D: d, M10: m[5],
		M12:          m[6],
		distribution: l}
}

// even holds the moments or the cumulants of even order of a symmetric distribution of
// variance 1: the one of order 2j at place j.
type even [7]float64

// independentScore adds cumulants: S is a sum of d independent products whose
// moments are (E x^k)², and the cumulants of S/√d are theirs over d^{k/2−1}.
func independentScore(l distribution.Distribution, d int) even {
	m := even{1, 1}
	for j := 2; j < len(m); j++ {
		m[j] = square(l.Moment(2 * j))
	}
	k, n := m.cumulants(), 1.0
	for j := 2; j < len(k); j++ {
		n *= float64(d)
		k[j] /= n
	}
	return k.moments()
}

// cumulants and moments are the recursion m_n = Σ_j C(n−1, j−1) κ_j m_{n−j}
// both ways. A moment that is infinite makes all later ones so.
func (m even) cumulants() (k even) {
	for j := 1; j < len(m); j++ {
		k[j] = m[j] - k.lower(m, j)
		if math.IsInf(m[j], 1) {
			k[j] = m[j]
		}
	}
	return k
}

// moments undoes cumulants.
func (k even) moments() even {
	m := even{1}
	for j := 1; j < len(m); j++ {
		m[j] = k[j] + k.lower(m, j)
		if math.IsInf(k[j], 1) {
			m[j] = k[j]
		}
	}
	return m
}

// lower is the part of the moment of order 2j that lower cumulants make.
func (k even) lower(m even, j int) float64 {
	sum := 0.0
	for i := 1; i < j; i++ {
		sum += float64(binomial(2*j-1, 2*i-1) * k[i] * m[j-i])
	}
	return sum
}

// binomial is n over k, exact while it is below 2⁵³.
func binomial(n, k int) float64 {
	c := 1.0
	for i := 1; i <= k; i++ {
		c = c * float64(n-k+i) / float64(i)
	}
	return c
}

// sphereScore: S = d·t, t the cosine of the angle between two uniform
// directions, E t^{2j} = (2j−1)!!/(d(d+2)⋯(d+2j−2)).
func sphereScore(d int) even {
	n, m := float64(d), even{1, 1}
	for j := 2; j < len(m); j++ {
		m[j] = float64(m[j-1]*float64(2*j-1)) * n / (n + float64(2*j-2))
	}
	return m
}

func square(x float64) float64 { return float64(x * x) }

// Variance is Var S = d.
func (s Score) Variance() float64 { return s.ExactMoments.Variance }

// Excess is γ₂ = M4 − 3, the excess kurtosis of S.
func (s Score) Excess() float64 { return s.M4 - 3 }

// SquareSE is the standard error of the mean of S² over n independent scores,
// σ²√((2+γ₂)/n), which is that of s² if the mean 0 is known.
func (s Score) SquareSE(n int64) float64 {
	return float64(s.Variance() * math.Sqrt(max(0, 2+s.Excess())/float64(n)))
}

// ErrorSkew is the skewness that one score adds to the sample's own standard
// error of s², which is √(V/n) with V = m4 − m2² about the variance c2 of
// Y = S²/σ². With c_j the central moments of Y, V has per score the variance
// v = c4 − c2² and the third cumulant c6 − 3c2c4 + 2c2³ − 6c3², the last term
// from the mean of Y being the sample's own, and the root takes (3/2)√v/c2
// from its skewness. NaN where it does not exist.
func (s Score) ErrorSkew() float64 {
	c2 := s.M4 - 1
	c3 := s.M6 - float64(3*s.M4) + 2
	c4 := s.M8 - float64(4*s.M6) + float64(6*s.M4) - 3
	c6 := s.M12 - float64(6*s.M10) + float64(15*s.M8) - float64(20*s.M6) + float64(15*s.M4) - 5
	v := c4 - square(c2)
	if !(v > 1e-12) || math.IsInf(s.M12, 1) {
		return math.NaN()
	}
	third := c6 - float64(3*c2*c4) + float64(2*c2*c2*c2) - float64(6*square(c3))
	root := math.Sqrt(v)
	return third/float64(v*root) - float64(1.5*root)/c2
}

// SkewnessSE is the standard error of the sample skewness of a symmetric distribution,
// √((M6 − 6M4 + 9)/n), +Inf where M6 is.
func (s Score) SkewnessSE(n int64) float64 {
	if math.IsInf(s.M6, 1) {
		return s.M6
	}
	return math.Sqrt(max(0, s.M6-float64(6*s.M4)+9) / float64(n))
}

// KurtosisSE is the standard error of the sample excess kurtosis of a
// symmetric distribution, √((M8 − 4M4M6 + 4M4³ − M4²)/n), +Inf where M8 is.
func (s Score) KurtosisSE(n int64) float64 {
	if math.IsInf(s.M8, 1) {
		return s.M8
	}
	v := s.M8 - float64(4*s.M4*s.M6) + float64(4*square(s.M4)*s.M4) - square(s.M4)
	return math.Sqrt(max(0, v) / float64(n))
}

// KurtosisBias is the first-order bias of the sample kurtosis of a symmetric
// distribution, (3M4(M4−1) − 2(M6−M4) + 6 − 2M4)/n, from expanding m4/m2² about the
// exact moments; the last two terms come from estimating the mean.
func (s Score) KurtosisBias(n int64) float64 {
	return (float64(3*s.M4*(s.M4-1)) - float64(2*(s.M6-s.M4)) + 6 - float64(2*s.M4)) / float64(n)
}
