package elementary

import (
	"math"
	"sync"
)

// Quantile is the normal quantile: the z with Φ(z) = p, for p in (0, 1).
// Upper tails far from the centre keep their precision as −Quantile(1−p).
//
// It solves ln Φ(z) = ln p for p ≤ ½ by Newton's method, which converges from
// every start because ln Φ is concave and rises; about eight steps reach
// 2⁻⁵⁰ of |z|, or of 1 where |z| is less: near p = ½ the error is absolute.
func Quantile(p float64) float64 {
	if !(p > 0 && p < 1) {
		panic("elementary: Quantile wants a probability inside (0, 1)")
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

// mills is Mills' ratio R(x) = (1 − Φ(x))/φ(x) for x ≥ 0: by its Taylor series about the
// nearest of millsAt, and beyond them by the fraction.
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

// The nodes are so many in a unit, up to an end. Between them h ≤ 1/32, and what the series
// leaves out is below 10⁻¹⁸ of R.
const (
	millsNodesPerUnit = 16
	millsLimit        = 8
	millsTerms        = 10
)

// millsSeries has the first terms R⁽ⁿ⁾/n! at each node. R' = xR − 1, and so
// R⁽ⁿ⁺¹⁾ = x·R⁽ⁿ⁾ + n·R⁽ⁿ⁻¹⁾. An error of R becomes one of (xh)ⁿ/n! of it in the n-th term of
// the series, with xh ≤ 1/4.
var millsSeries = sync.OnceValue(func() *[millsLimit*millsNodesPerUnit + 1][millsTerms]float64 {
	var table [millsLimit*millsNodesPerUnit + 1][millsTerms]float64
	for i := range table {
		x, t := float64(float64(i)/millsNodesPerUnit), &table[i]
		if t[0] = computeMills(x); x >= 0.5 && x < 1 { // where its series loses digits
			t[0] = 1 / millsFraction(x, 1800)
		}
		t[1] = float64(x*t[0]) - 1
		for n := 1; n+1 < millsTerms; n++ {
			t[n+1] = (float64(x*t[n]) + t[n-1]) / float64(n+1)
		}
	}
	return &table
})

// computeMills is R up to x = 1 as √(π/2)·e^{x²/2} − Σ x^{2k+1}/(2k+1)!!, and beyond as the
// continued fraction 1/(x + 1/(x + 2/(x + 3/(x + …)))).
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

// millsFraction is the fraction's denominator, to a depth. Where it begins matters less by
// a factor of about e^{−2x√depth}, and by depth!/x^{2·depth} at the least: from
// 40 + (40/x)² on, or 450, the bits are those of any greater depth.
func millsFraction(x float64, depth int) float64 {
	fraction := x
	for k := depth; k >= 1; k-- {
		fraction = x + float64(k)/fraction
	}
	return fraction
}

const sqrtHalfPi = 1.2533141373155002512

// Erfc is the complementary error function, 2 − 2Φ(x√2) by Mills' ratio for x ≥ 0
// and 2 − Erfc(−x) below. Its relative error is about (2 + x²)·2⁻⁵².
func Erfc(x float64) float64 {
	if x < 0 {
		return 2 - Erfc(-x)
	}
	return float64(mills(x*math.Sqrt2)*Exp(-float64(x*x))) * twoOverSqrt2Pi
}

// twoOverSqrt2Pi is 2/√(2π).
const twoOverSqrt2Pi = 0.79788456080286535588
