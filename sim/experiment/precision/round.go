package precision

import "math"

// Round returns the number of the format that is nearest to x. If two numbers are equally near, it
// returns the number whose last digit is even. It preserves the sign of 0, and NaN.
//
// Between two powers of two, and below the smallest normal number, the numbers of the format are
// the multiples of some power 2^q. The float64 numbers from 2^(q+52) to 2^(q+53) are the multiples
// of 2^q too. Therefore adding 2^(q+52) rounds as required, and subtracting it again is exact.
func (f *Format) Round(x float64) float64 {
	magnitude := math.Abs(x)
	if !(magnitude < f.overflowLimit) {
		return f.roundOverflow(x)
	}
	storedExponent := max(math.Float64bits(magnitude)>>float64Digits, f.minStored)
	grid := math.Float64frombits((storedExponent + f.shift) << float64Digits) // 2^(q+52)
	return math.Copysign((magnitude+grid)-grid, x)
}

// roundOverflow returns the result of rounding a number that overflows.
func (f *Format) roundOverflow(x float64) float64 {
	switch {
	case math.IsNaN(x) || f.overflow == overflowsToNaN:
		return math.NaN()
	case f.overflow == overflowsToMax:
		return math.Copysign(f.Max, x)
	}
	return math.Copysign(math.Inf(1), x)
}
