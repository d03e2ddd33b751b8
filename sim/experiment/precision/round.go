package precision

import "math"

// Round returns the number of the format that is nearest to x; of two equally near ones it returns
// the one whose last digit is even. It preserves the sign of 0, and NaN.
//
// Between two powers of two, and below the smallest normal number, the numbers of the format are
// the multiples of some 2^q. The numbers of float64 in [2^(q+52), 2^(q+53)] are exactly these
// multiples. So adding 2^(q+52) rounds as required, and subtracting it is exact.
func (f *Format) Round(x float64) float64 {
	magnitude := math.Abs(x)
	if !(magnitude < f.overflowLimit) {
		return f.roundOverflow(x)
	}
	const stored = 52
	grid := math.Float64frombits((max(math.Float64bits(magnitude)>>stored, f.minStored) + f.shift) << stored)
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
