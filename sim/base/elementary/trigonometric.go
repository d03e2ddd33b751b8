package elementary

import "math"

// Sincos returns sin x and cos x for |x| ≤ 16, to within 2⁻⁴⁰. It computes the sine and the versine
// (1 − cosine) of x/2¹⁰ by their series and doubles the angle ten times. The versine of a small
// angle is small and so has a smaller rounding error than the cosine.
func Sincos(x float64) (sin, cos float64) {
	const doublings = 10
	x = math.Ldexp(x, -doublings)
	square := float64(x * x)
	sin = x * (1 - float64(square/6*(1-square/20)))
	versine := square / 2 * (1 - float64(square/12*(1-square/30)))
	for range doublings {
		sin, versine = 2*float64(sin*(1-versine)), float64(4*versine)-float64(2*float64(versine*versine))
	}
	return sin, 1 - versine
}
