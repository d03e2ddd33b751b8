package quantile

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Limit is the end of the scale: a proportion of 10⁻¹⁹ or its complement.
const Limit = 44

// Logit returns ln x/complement for a proportion x with complement = 1 − x, with an error of 10⁻¹⁰.
// It is infinite if the ratio is below 10⁻²⁰ or above 10²⁰.
func Logit(x, complement float64) float64 {
	const minRatio, maxRatio = 1e-20, 1e20
	switch {
	case !(x > complement*minRatio):
		return math.Inf(-1)
	case !(x < complement*maxRatio):
		return math.Inf(1)
	}
	return roughLog(x / complement)
}

// FromLogit returns the proportion of a logit.
func FromLogit(logit float64) float64 {
	if logit < 0 {
		e := elementary.Exp(logit)
		return e / (1 + e)
	}
	return 1 / (1 + elementary.Exp(-logit))
}

// FromLogitSlope returns the derivative of FromLogit, x(1 − x).
func FromLogitSlope(logit float64) float64 { return FromLogit(logit) * FromLogit(-logit) }

// roughLog returns ln x of a normal float64 with an error of 10⁻¹⁰, which is enough to choose a bin
// and takes a third of the time of elementary.Log. It adds the logarithm of the nearest of 128
// numbers between 1 and 2 and a polynomial.
func roughLog(x float64) float64 {
	bits := math.Float64bits(x)
	nearest := &logTable[bits>>45&127]
	mantissa := math.Float64frombits(bits&(1<<52-1) | 1023<<52)
	r := float64(mantissa*nearest.inverse) - 1
	tail := float64(r * r * (0.5 - r/3))
	return float64(float64(int(bits>>52)-1023)*math.Ln2) + (nearest.log + (r - tail))
}

// logTable has the inverse and the logarithm of the middle of each of 128 equal ranges between 1
// and 2.
var logTable = func() (table [128]struct{ inverse, log float64 }) {
	for i := range table {
		middle := float64(2*i+257) / 256
		table[i].inverse = 1 / middle
		table[i].log = -elementary.Log(1 / middle)
	}
	return table
}()
