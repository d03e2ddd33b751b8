package elementary

import "math"

// Gamma returns the regularised incomplete gamma functions: the probabilities that a gamma variable
// of shape a > 0 is at most x ≥ 0, and that it is larger. The error is about (20 + a ln(a+x))·2⁻⁵⁰.
// It is relative for small probabilities and absolute for other probabilities.
//
// For x < a+1 Gamma sums the series 6.5.29 of Abramowitz and Stegun, Handbook of Mathematical
// Functions (1964), and otherwise the continued fraction 6.5.31. If x is near the mean a, each
// needs about √a terms.
func Gamma(x, a float64) (lower, upper float64) {
	switch {
	case !(a > 0 && x >= 0):
		panic("elementary: Gamma needs a > 0 and x ≥ 0")
	case x == 0:
		return 0, 1
	case math.IsInf(x, 1):
		return 1, 0
	}
	density := Exp(max(float64(a*Log(x))-x-LogGamma(a), -1000)) // x^a e^{−x}/Γ(a)
	if x < a+1 {
		lower = min(float64(density*gammaSeries(x, a)), 1)
		return lower, 1 - lower
	}
	upper = min(float64(density*gammaFraction(x, a)), 1)
	return 1 - upper, upper
}

// gammaSeries returns 1/a + x/(a(a+1)) + x²/(a(a+1)(a+2)) + …
func gammaSeries(x, a float64) float64 {
	term := 1 / a
	sum := term
	for k := a + 1; term > 0x1p-55*sum; k++ {
		term = float64(term * (x / k))
		sum += term
	}
	return sum
}

// gammaFraction returns 1/(x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …))) by Lentz's method.
func gammaFraction(x, a float64) float64 {
	const maxTerms = 1 << 20
	partialDenominator := x + 1 - a
	numerator, denominator := 1/0x1p-900, 1/replaceZero(partialDenominator)
	fraction := denominator
	for i := 1; i < maxTerms; i++ {
		m := float64(i)
		d := -float64(m * (m - a))
		partialDenominator += 2
		denominator = 1 / replaceZero(float64(d*denominator)+partialDenominator)
		numerator = replaceZero(partialDenominator + d/numerator)
		step := float64(numerator * denominator)
		fraction *= step
		if math.Abs(step-1) <= 0x1p-50 {
			break
		}
	}
	return fraction
}
