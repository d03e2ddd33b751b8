package precision

import "math"

// Round returns the number of the format that is nearest to x, and of two that are equally near
// the one whose last digit is even. The sign of 0 stays. What is not a number stays so.
//
// Between two powers of two, and below the least normal number, the numbers of the format
// are the whole multiples of some 2^q. Float64 has all of these, and no others, from
// 2^(q+52) to twice that: so adding 2^(q+52) rounds as is wanted, and taking it away is
// exact.
func (f *Format) Round(x float64) float64 {
	size := math.Abs(x)
	if !(size < f.limit) {
		return f.overflow(x)
	}
	const stored = 52
	coarse := math.Float64frombits((max(math.Float64bits(size)>>stored, f.exponent) + f.shift) << stored)
	return math.Copysign((size+coarse)-coarse, x)
}

// overflow returns what becomes of a number beyond the greatest.
func (f *Format) overflow(x float64) float64 {
	switch {
	case math.IsNaN(x) || f.beyond == undefined:
		return math.NaN()
	case f.beyond == saturated:
		return math.Copysign(f.Max, x)
	}
	return math.Copysign(math.Inf(1), x)
}
