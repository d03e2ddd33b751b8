// Package theory holds closed forms: the exact moments of the score q·k and
// the sampling errors that follow from them.
package theory

import (
	"math"

	"mcsim/sim/law"
)

// Score is the exact distribution of S = q·k, as far as its moments go, for
// components of one law in dimension D. Var S = D; odd moments are 0. M4, M6
// and M8 are E(S/√D)^k, +Inf where they do not exist.
type Score struct {
	D          int
	M4, M6, M8 float64
}

// NewScore returns the moments of q·k in dimension d ≥ 1, both vectors of law l.
func NewScore(l law.Law, d int) Score {
	if !l.Independent() {
		return sphereScore(d)
	}
	return independentScore(l, d)
}

// independentScore adds cumulants: S is a sum of d independent products whose
// moments are a_k = (E x^k)². The cumulants of one product are κ4 = a4 − 3,
// κ6 = a6 − 15a4 + 30, κ8 = a8 − 28a6 − 35a4² + 420a4 − 630, those of S/√d are
// κ_k/d^{k/2−1}, and back: m4 = 3 + κ4, m6 = 15 + 15κ4 + κ6,
// m8 = 105 + 210κ4 + 28κ6 + 35κ4² + κ8.
func independentScore(l law.Law, d int) Score {
	a4, a6, a8 := square(l.Moment(4)), square(l.Moment(6)), square(l.Moment(8))
	n := float64(d)
	k4 := (a4 - 3) / n
	k6 := (a6 - float64(15*a4) + 30) / n / n
	k8 := (a8 - float64(28*a6) - float64(35*square(a4)) + float64(420*a4) - 630) / n / n / n
	s := Score{D: d, M4: 3 + k4, M6: 15 + float64(15*k4) + k6,
		M8: 105 + float64(210*k4) + float64(28*k6) + float64(35*square(k4)) + k8}
	return s.finite(a4, a6, a8)
}

// finite puts +Inf where a moment of the law does not exist, in place of the
// NaN that the differences of infinities leave.
func (s Score) finite(a4, a6, a8 float64) Score {
	for _, m := range []struct {
		score *float64
		law   float64
	}{{&s.M4, a4}, {&s.M6, a6}, {&s.M8, a8}} {
		if math.IsInf(m.law, 1) {
			*m.score = m.law
		}
	}
	return s
}

// sphereScore: S = d·t, t the cosine of the angle between two uniform
// directions, E t^{2k} = (2k−1)!!/(d(d+2)⋯(d+2k−2)).
func sphereScore(d int) Score {
	n := float64(d)
	m4 := 3 * n / (n + 2)
	m6 := float64(m4*5) * n / (n + 4)
	m8 := float64(m6*7) * n / (n + 6)
	return Score{D: d, M4: m4, M6: m6, M8: m8}
}

func square(x float64) float64 { return float64(x * x) }

// Variance is Var S = d.
func (s Score) Variance() float64 { return float64(s.D) }

// Excess is γ₂ = M4 − 3, the excess kurtosis of S.
func (s Score) Excess() float64 { return s.M4 - 3 }

// MeanSE is the standard error σ/√N of the mean of n scores.
func (s Score) MeanSE(n int64) float64 { return math.Sqrt(float64(s.D) / float64(n)) }

// VarianceSE is the standard error of s² over n independent scores:
// Var(s²) = σ⁴(2/(n−1) + γ₂/n).
func (s Score) VarianceSE(n int64) float64 {
	return float64(s.Variance() * math.Sqrt(max(0, 2/float64(n-1)+s.Excess()/float64(n))))
}

// SquareSE is the standard error of the mean of S² over n independent scores,
// σ²√((2+γ₂)/n), which is that of s² if the mean 0 is known.
func (s Score) SquareSE(n int64) float64 {
	return float64(s.Variance() * math.Sqrt(max(0, 2+s.Excess())/float64(n)))
}

// VarianceSkew is the skewness of S², which decides how fast s² becomes
// normal: (M6 − 3M4 + 2)/(M4 − 1)^{3/2}; 0 where S² does not vary, +Inf where
// it does not exist.
func (s Score) VarianceSkew() float64 {
	spread := s.M4 - 1
	if spread <= 1e-12 {
		return 0
	}
	if math.IsInf(s.M6, 1) {
		return s.M6
	}
	return (s.M6 - float64(3*s.M4) + 2) / float64(spread*math.Sqrt(spread))
}

// ErrorOfError is the relative standard error of the sample's own standard
// error of s², ½√((κ_Y − 1)/n), with κ_Y the kurtosis of Y = S²: the variance
// of variance.
func (s Score) ErrorOfError(n int64) float64 {
	spread := s.M4 - 1
	if spread <= 1e-12 {
		return 0
	}
	if math.IsInf(s.M8, 1) {
		return s.M8
	}
	return math.Sqrt(max(0, s.squareKurtosis()-1)/float64(n)) / 2
}

// squareKurtosis is κ_Y, the kurtosis of Y = S².
func (s Score) squareKurtosis() float64 {
	return (s.M8 - float64(4*s.M6) + float64(6*s.M4) - 3) / square(s.M4-1)
}

// ErrorOfBlockError is the relative standard error of the scatter of the means
// of S² over the given number of equal blocks of n scores together,
// ½√((κ_b − 1)/blocks) with κ_b = 3 + (κ_Y − 3)·blocks/n.
func (s Score) ErrorOfBlockError(n, blocks int64) float64 {
	if math.IsInf(s.M8, 1) {
		return s.M8
	}
	b := float64(blocks)
	kurtosis := 3 + (s.squareKurtosis()-3)*b/float64(n)
	return math.Sqrt(max(0, kurtosis-1)/b) / 2
}

// SkewnessSE is the standard error of the sample skewness of a symmetric law,
// √((M6 − 6M4 + 9)/n), +Inf where M6 is.
func (s Score) SkewnessSE(n int64) float64 {
	if math.IsInf(s.M6, 1) {
		return s.M6
	}
	return math.Sqrt(max(0, s.M6-float64(6*s.M4)+9) / float64(n))
}

// KurtosisSE is the standard error of the sample excess kurtosis of a
// symmetric law, √((M8 − 4M4M6 + 4M4³ − M4²)/n), +Inf where M8 is.
func (s Score) KurtosisSE(n int64) float64 {
	if math.IsInf(s.M8, 1) {
		return s.M8
	}
	v := s.M8 - float64(4*s.M4*s.M6) + float64(4*square(s.M4)*s.M4) - square(s.M4)
	return math.Sqrt(max(0, v) / float64(n))
}

// KurtosisBias is the first-order bias of the sample kurtosis of a symmetric
// law, (3M4(M4−1) − 2(M6−M4) + 6 − 2M4)/n, from expanding m4/m2² about the
// exact moments; the last two terms come from estimating the mean.
func (s Score) KurtosisBias(n int64) float64 {
	return (float64(3*s.M4*(s.M4-1)) - float64(2*(s.M6-s.M4)) + 6 - float64(2*s.M4)) / float64(n)
}
