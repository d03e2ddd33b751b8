package theory

import "math"

// Blocks says how the variance of numbers that come in independent blocks, read off the
// means of the blocks, scatters by itself. It has the cumulants of one block's mean that
// this takes, each over the power of its standard deviation that makes it a pure number:
// the squared skewness κ₃², the excess kurtosis κ₄ and κ₆. Of normal means all are 0.
//
// The sample variance s² of B means, the second k-statistic, has [SO94]
//
//	Var s² = κ₄/B + 2/(B−1)
//	κ₃(s²) = κ₆/B² + 12κ₄/(B(B−1)) + 4(B−2)κ₃²/(B(B−1)²) + 8/(B−1)²
//
// in units of the variance. It is close to that of χ²_ν/ν with the ν of the same
// variance [S46], which has the skewness √(8/ν): how far its own is from that tells
// whether limits of χ² are honest.
//
// References:
//
//	[SO94] Stuart, Ord: Kendall's Advanced Theory of Statistics 1, 6th ed. (1994), 12.
//	[S46]  Satterthwaite: An Approximate Distribution of Estimates of Variance Components,
//	       Biometrics Bulletin 2 (1946).
//	[WH31] Wilson, Hilferty: The Distribution of Chi-Square, PNAS 17 (1931).
type Blocks struct{ Skew2, Excess, Sixth float64 }

// noBlocks is that of numbers without a sixth moment.
func noBlocks() Blocks { return Blocks{math.Inf(1), math.Inf(1), math.Inf(1)} }

// Blocks is that of blocks of n scores, whose numbers are the means of S². A moment
// that does not exist makes it infinite.
func (s Score) Blocks(n float64) Blocks {
	c2 := s.M4 - 1
	if math.IsInf(s.M12, 1) || !(c2 > 0) {
		return noBlocks()
	}
	c3 := s.M6 - float64(3*s.M4) + 2
	c4 := s.M8 - float64(4*s.M6) + float64(6*s.M4) - 3
	c6 := s.M12 - float64(6*s.M10) + float64(15*s.M8) - float64(20*s.M6) + float64(15*s.M4) - 5
	k6 := c6 - float64(15*c4*c2) - float64(10*square(c3)) + float64(30*square(c2)*c2)
	return Blocks{
		Skew2:  square(c3) / float64(square(c2)*c2) / n,
		Excess: (c4/square(c2) - 3) / n,
		Sixth:  k6 / float64(square(c2)*c2) / float64(n*n),
	}
}

// Blocks is that of matrices, of which the skewness is known. The mean of S² over a matrix
// is a sum of positive terms that share queries and keys; its higher cumulants are taken
// to be those of the gamma distribution with the same skewness, κ₄ = 3γ²/2 and κ₆ = 15γ⁴/2.
func (g Gram) Blocks() Blocks {
	if !g.sixth {
		return noBlocks()
	}
	skew2 := square(g.skew)
	return Blocks{Skew2: skew2, Excess: 1.5 * skew2, Sixth: 7.5 * square(skew2)}
}

// DOF is ν for so many blocks, B − 1 where their means are normal; 0 where it does
// not exist.
func (b Blocks) DOF(blocks int64) float64 {
	n := float64(blocks)
	if math.IsInf(b.Excess, 1) || blocks < 2 {
		return 0
	}
	return 2 / (b.Excess/n + 2/(n-1))
}

// Shrink is what the root of s² of so many blocks is on average, over the standard deviation: to
// second order in 1/ν that of χ; 1 where ν does not exist.
func (b Blocks) Shrink(blocks int64) float64 {
	freedom := b.DOF(blocks)
	if freedom < 1 {
		return 1
	}
	return 1 - 1/(4*freedom) + 1/(32*float64(freedom*freedom))
}

// SkewBeyond is the skewness of s² of so many blocks less the √(8/ν) of the χ² distribution.
func (b Blocks) SkewBeyond(blocks int64) float64 {
	n, freedom := float64(blocks), b.DOF(blocks)
	spread := 2 / freedom
	third := b.Sixth/(n*n) + float64(12*b.Excess)/(n*(n-1)) + float64(4*(n-2)*b.Skew2)/(n*square(n-1)) + 8/square(n-1)
	return third/float64(spread*math.Sqrt(spread)) - math.Sqrt(8/freedom)
}

// ErrorOfScatter is the standard error of the root of s², relative to that root, 1/√(2ν).
func (b Blocks) ErrorOfScatter(blocks int64) float64 { return 1 / math.Sqrt(2*b.DOF(blocks)) }

// ScatterLimits are what the root of s² is to be multiplied by for the limits of the
// standard deviation between the quantiles of χ²_ν at the normal ones −z and z, each
// found by [WH31].
func (b Blocks) ScatterLimits(blocks int64, z float64) (below, above float64) {
	part := 2 / (9 * b.DOF(blocks))
	of := func(z float64) float64 {
		cubeRoot := 1 - part + float64(z*math.Sqrt(part)) // of χ²/ν
		return 1 / float64(cubeRoot*math.Sqrt(cubeRoot))
	}
	return of(z), of(-z)
}
