package elementary

import "math"

// Beta returns the regularised incomplete beta function I_x(a, b), the probability that a beta
// variable with parameters a, b > 0 is at most x, for x in [0, 1]. The relative error is up to
// (a+b) ln(a+b)·2⁻⁵⁰. Most of it comes from the powers and from B(a,b), not from the fraction.
//
// I_x is x^a (1−x)^b / (a B(a,b)) times the continued fraction 26.5.8 of Abramowitz and Stegun,
// Handbook of Mathematical Functions (1964). The fraction converges in about √(a+b) steps if x is
// at most the mean. For a larger x, I_x(a, b) = 1 − I_{1−x}(b, a).
func Beta(x, a, b float64) float64 {
	switch {
	case !(a > 0 && b > 0 && x >= 0 && x <= 1):
		panic("elementary: Beta needs a, b > 0 and x in [0, 1]")
	case x == 0 || x == 1:
		return x
	case float64(x*(a+b+2)) > a+1:
		return 1 - betaLowerTail(1-x, b, a)
	}
	return betaLowerTail(x, a, b)
}

// betaLowerTail returns I_x(a, b) for x up to about the mean.
func betaLowerTail(x, a, b float64) float64 {
	return float64(x*(1-x)*betaDensity(x, a, b)) / (a * betaFraction(x, a, b))
}

// betaDensity returns x^{a−1}(1−x)^{b−1}/B(a, b).
func betaDensity(x, a, b float64) float64 {
	return Exp(float64((a-1)*Log(x)) + float64((b-1)*logOneMinus(x)) + (LogGamma(a+b) - LogGamma(a) - LogGamma(b)))
}

// logOneMinus returns ln(1−x). It corrects the rounding of 1−x to first order.
func logOneMinus(x float64) float64 {
	rest := 1 - x
	return Log(rest) - float64((x-(1-rest))/rest)
}

// betaFraction returns 1 + d_1/(1 + d_2/(1 + …)) by Lentz's method, with d_{2m} =
// m(b−m)x/((a+2m−1)(a+2m)) and d_{2m+1} = −(a+m)(a+b+m)x/((a+2m)(a+2m+1)).
func betaFraction(x, a, b float64) float64 {
	const maxTerms = 1 << 20
	fraction, numerator, denominator := 1.0, 1.0, 0.0
	for i := 1; i < maxTerms; i++ {
		m := float64(i / 2)
		d := -float64((a+m)*(a+b+m)*x) / float64((a+2*m)*(a+2*m+1))
		if i%2 == 0 {
			d = float64(m*(b-m)*x) / float64((a+2*m-1)*(a+2*m))
		}
		denominator = 1 / replaceZero(1+float64(d*denominator))
		numerator = replaceZero(1 + d/numerator)
		step := float64(numerator * denominator)
		fraction *= step
		if math.Abs(step-1) <= 0x1p-50 {
			break
		}
	}
	return fraction
}

// replaceZero returns x, or a tiny number for 0, by which Lentz's method can divide.
func replaceZero(x float64) float64 {
	if x == 0 {
		return 0x1p-900
	}
	return x
}

// BetaQuantile returns the x with I_x(a, b) = p, for p in (0, 1). It takes a step of Newton's
// method if the step ends between the bounds found so far, and bisects the bounds otherwise.
func BetaQuantile(p, a, b float64) float64 {
	if !(p > 0 && p < 1) {
		panic("elementary: BetaQuantile needs p in (0, 1)")
	}
	lo, hi := 0.0, 1.0
	x := a / (a + b)
	for range 200 {
		excess := Beta(x, a, b) - p
		if excess > 0 {
			hi = x
		} else {
			lo = x
		}
		next := x - excess/betaDensity(x, a, b)
		if !(next > lo && next < hi) {
			next = lo + float64((hi-lo)/2)
		}
		if math.Abs(next-x) <= 0x1p-50*next {
			return next
		}
		x = next
	}
	return x
}
