package elementary

import "math"

// Expm1 returns e^x − 1, to within 3 units in the last place, also if x is so small that e^x rounds
// to 1.
func Expm1(x float64) float64 {
	if !(math.Abs(x) < math.Ln2/2) {
		return Exp(x) - 1
	}
	var tail float64 // x/2! + x²/3! + …
	for k := 13; k >= 2; k-- {
		tail = float64(x/float64(k)) * (1 + tail)
	}
	return x + float64(x*tail)
}

// Tanh returns the hyperbolic tangent, to within 4 units in the last place: with t = e^{2|x|} − 1,
// tanh |x| = t/(t + 2). It is 1 for |x| ≥ 20.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	if a >= 20 {
		return math.Copysign(1, x)
	}
	t := Expm1(2 * a)
	return math.Copysign(t/(t+2), x)
}
