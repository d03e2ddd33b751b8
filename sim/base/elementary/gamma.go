package elementary

// LogGamma returns ln Γ(x) for x > 0. Its absolute error is at most about 4·2⁻⁵²·(1 + |x ln x|).
//
// For x ≥ 12 it sums Stirling's series, whose first omitted term is then below 2⁻⁵³. For a smaller
// x it first applies Γ(x) = Γ(x+1)/x until the argument is at least 12.
func LogGamma(x float64) float64 {
	if !(x > 0) {
		panic("elementary: LogGamma needs x > 0")
	}
	product := 1.0
	for x < 12 {
		product *= x
		x++
	}
	inverse := 1 / x
	square := float64(inverse * inverse)
	var series float64
	for i := len(stirling) - 1; i >= 0; i-- {
		series = stirling[i] + float64(square*series)
	}
	return float64((x-0.5)*Log(x)) - x + logSqrt2Pi + float64(inverse*series) - Log(product)
}

// stirling has the coefficients B_2k/(2k(2k−1)) for k = 1, 2, …, with Bernoulli's numbers B.
var stirling = [...]float64{
	1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400,
}
