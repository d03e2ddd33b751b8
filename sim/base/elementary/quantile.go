package elementary

import (
	"math"
	"sync"
)

// Quantile returns the normal quantile: the z with Φ(z) = p, for p in (0, 1). For a small upper
// tail probability q, −Quantile(q) is more precise than Quantile(1−q).
//
// For p ≤ ½ it solves ln Φ(z) = ln p by Newton's method, which converges from every start because
// ln Φ is concave and increasing. After about eight steps the error is 2⁻⁵⁰·max(|z|, 1).
func Quantile(p float64) float64 {
	if !(p > 0 && p < 1) {
		panic("elementary: Quantile needs p in (0, 1)")
	}
	if p > 0.5 {
		return -Quantile(1 - p)
	}
	target := Log(p)
	z := 0.0
	for range 50 {
		ratio := mills(-z) // Φ(z)/φ(z)
		logPhi := Log(ratio) - float64(float64(z*z)/2) - logSqrt2Pi
		step := float64((logPhi - target) * ratio)
		z -= step
		if math.Abs(step) <= 1e-15*(1+math.Abs(z)) {
			break
		}
	}
	return z
}

const logSqrt2Pi = 0.91893853320467274178

// mills returns Mills' ratio R(x) = (1 − Φ(x))/φ(x) for x ≥ 0, with the normal distribution
// function Φ and density φ. For x < millsLimit it sums the Taylor series about the nearest node of
// millsSeries.
func mills(x float64) float64 {
	if !(x < millsLimit) {
		return computeMills(x)
	}
	node := int(float64(x*millsNodesPerUnit) + 0.5)
	h, sum := x-float64(float64(node)/millsNodesPerUnit), 0.0
	series := &millsSeries()[node]
	for n := millsTerms - 1; n >= 0; n-- {
		sum = series[n] + float64(h*sum)
	}
	return sum
}

// The Taylor series of Mills' ratio R have equidistant nodes in [0, millsLimit]. The distance h
// from x to the nearest node is at most 1/32, and the omitted terms are below 10⁻¹⁸·R.
const (
	millsNodesPerUnit = 16
	millsLimit        = 8
	millsTerms        = 10
)

// millsSeries returns the coefficients R⁽ⁿ⁾/n! of the Taylor series at each node. Since R' = xR −
// 1, R⁽ⁿ⁺¹⁾ = x·R⁽ⁿ⁾ + n·R⁽ⁿ⁻¹⁾. An error of R at the node is multiplied by (xh)ⁿ/n! in the n-th
// term of the series, and xh ≤ 1/4.
var millsSeries = sync.OnceValue(func() *[millsLimit*millsNodesPerUnit + 1][millsTerms]float64 {
	var table [millsLimit*millsNodesPerUnit + 1][millsTerms]float64
	for i := range table {
		x, t := float64(float64(i)/millsNodesPerUnit), &table[i]
		t[0] = computeMills(x)
		if x >= 0.5 && x < 1 { // the series of computeMills loses digits here
			t[0] = 1 / millsFraction(x, 1800)
		}
		t[1] = float64(x*t[0]) - 1
		for n := 1; n+1 < millsTerms; n++ {
			t[n+1] = (float64(x*t[n]) + t[n-1]) / float64(n+1)
		}
	}
	return &table
})

// computeMills returns R by the series √(π/2)·e^{x²/2} − Σ x^{2k+1}/(2k+1)!! for x < 1, and by the
// continued fraction 1/(x + 1/(x + 2/(x + 3/(x + …)))) for larger x.
func computeMills(x float64) float64 {
	if x < 1 {
		term, sum := x, x
		for k := 3.0; math.Abs(term) > 1e-18*math.Abs(sum); k += 2 {
			term = float64(term*x*x) / k
			sum += term
		}
		return float64(sqrtHalfPi*Exp(float64(x*x)/2)) - sum
	}
	return 1 / millsFraction(x, min(450, 40+int(1600/float64(x*x))))
}

// millsFraction returns the denominator of the continued fraction, truncated at a depth. The
// relative effect of the truncation is about e^{−2x√depth} for small x, and at most
// depth!/x^{2·depth} for large x. At the depths that computeMills chooses, a larger depth does not
// change the bits.
func millsFraction(x float64, depth int) float64 {
	fraction := x
	for k := depth; k >= 1; k-- {
		fraction = x + float64(k)/fraction
	}
	return fraction
}

const sqrtHalfPi = 1.2533141373155002512

// Erfc returns the complementary error function 2 − 2Φ(x√2). It uses Mills' ratio for x ≥ 0 and 2 −
// Erfc(−x) for x < 0. Its relative error is about (2 + x²)·2⁻⁵².
func Erfc(x float64) float64 {
	if x < 0 {
		return 2 - Erfc(-x)
	}
	return float64(mills(x*math.Sqrt2)*Exp(-float64(x*x))) * twoOverSqrt2Pi
}

const twoOverSqrt2Pi = 0.79788456080286535588
