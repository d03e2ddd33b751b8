package theory

import "math"

// BlockCumulants holds standardized cumulants of the mean of one block of numbers: the squared
// skewness κ₃², the excess kurtosis κ₄, and κ₆. For normal means all are 0. They give the sampling
// distribution of s², the sample variance of the means of B independent blocks. Its variance and
// third cumulant are [SO94]
//
//	Var s² = κ₄/B + 2/(B−1)
//	κ₃(s²) = κ₆/B² + 12κ₄/(B(B−1)) + 4(B−2)κ₃²/(B(B−1)²) + 8/(B−1)²
//
// if the mean of a block has variance 1. The distribution of s² is close to the distribution of
// χ²_ν/ν with the ν that gives the same variance [S46]. This has the skewness √(8/ν); limits by χ²
// are valid if the skewness of s² is close to √(8/ν).
//
// References:
//
//	[SO94] Stuart, Ord: Kendall's Advanced Theory of Statistics 1, 6th ed. (1994), chapter 12.
//	[S46]  Satterthwaite: An Approximate Distribution of Estimates of Variance Components,
//	       Biometrics Bulletin 2 (1946).
//	[WH31] Wilson, Hilferty: The Distribution of Chi-Square, PNAS 17 (1931).
type BlockCumulants struct{ Skew2, Excess, Sixth float64 }

// undefinedCumulants returns the cumulants of numbers without a sixth moment.
func undefinedCumulants() BlockCumulants {
	return BlockCumulants{math.Inf(1), math.Inf(1), math.Inf(1)}
}

// BlockCumulants returns the cumulants of the mean of S² over a block of n independent scores. They
// are infinite if a moment does not exist.
func (s Score) BlockCumulants(n float64) BlockCumulants {
	c2 := s.M4 - 1
	if math.IsInf(s.M12, 1) || !(c2 > 0) {
		return undefinedCumulants()
	}
	c3 := s.M6 - float64(3*s.M4) + 2
	c4 := s.M8 - float64(4*s.M6) + float64(6*s.M4) - 3
	c6 := s.M12 - float64(6*s.M10) + float64(15*s.M8) - float64(20*s.M6) + float64(15*s.M4) - 5
	k6 := c6 - float64(15*c4*c2) - float64(10*square(c3)) + float64(30*square(c2)*c2)
	return BlockCumulants{
		Skew2:  square(c3) / float64(square(c2)*c2) / n,
		Excess: (c4/square(c2) - 3) / n,
		Sixth:  k6 / float64(square(c2)*c2) / float64(n*n),
	}
}

// BlockCumulants returns the cumulants of the mean of S² over the products of one matrix, which
// share queries and keys. Only its skewness γ is known exactly. Its higher cumulants are
// approximated by those of the gamma distribution of the same skewness, κ₄ = 3γ²/2 and κ₆ = 15γ⁴/2.
func (g Gram) BlockCumulants() BlockCumulants {
	if !g.hasSixth {
		return undefinedCumulants()
	}
	skew2 := square(g.skew)
	return BlockCumulants{Skew2: skew2, Excess: 1.5 * skew2, Sixth: 7.5 * square(skew2)}
}

// DOF returns ν for B blocks, which is B − 1 if their means are normal. It returns 0 if ν is
// undefined.
func (b BlockCumulants) DOF(blocks int64) float64 {
	n := float64(blocks)
	if math.IsInf(b.Excess, 1) || blocks < 2 {
		return 0
	}
	return 2 / (b.Excess/n + 2/(n-1))
}

// ExpectedSD returns E s/σ for B blocks by the mean of χ_ν/√ν, which is 1 − 1/(4ν) + 1/(32ν²) to
// second order in 1/ν. It returns 1 if ν does not exist.
func (b BlockCumulants) ExpectedSD(blocks int64) float64 {
	dof := b.DOF(blocks)
	if dof < 1 {
		return 1
	}
	return 1 - 1/(4*dof) + 1/(32*float64(dof*dof))
}

// SkewBeyondChiSquare returns the skewness of s² of B blocks minus the skewness √(8/ν) of χ²_ν.
func (b BlockCumulants) SkewBeyondChiSquare(blocks int64) float64 {
	n, dof := float64(blocks), b.DOF(blocks)
	variance := 2 / dof
	thirdCumulant := b.Sixth/(n*n) + float64(12*b.Excess)/(n*(n-1)) + float64(4*(n-2)*b.Skew2)/(n*square(n-1)) +
		8/square(n-1)
	return thirdCumulant/float64(variance*math.Sqrt(variance)) - math.Sqrt(8/dof)
}

// SDRelativeSE returns the relative standard error 1/√(2ν) of s for B blocks.
func (b BlockCumulants) SDRelativeSE(blocks int64) float64 { return 1 / math.Sqrt(2*b.DOF(blocks)) }

// SDLimits returns the factors by which s of B blocks is multiplied to give confidence limits of
// the standard deviation. The limits have the tail probability of a standard normal number beyond
// z, by the approximate quantiles of χ²_ν of [WH31].
func (b BlockCumulants) SDLimits(blocks int64, z float64) (lo, hi float64) {
	variance := 2 / (9 * b.DOF(blocks))
	factor := func(z float64) float64 {
		cubeRoot := 1 - variance + float64(z*math.Sqrt(variance)) // of the quantile of χ²/ν
		return 1 / float64(cubeRoot*math.Sqrt(cubeRoot))
	}
	return factor(z), factor(-z)
}
