package quantile

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Limit is where the scale ends: 10⁻¹⁹ from 0 or 1.
const Limit = 44

// Logit is the place on the scale of a share x that leaves rest = 1 − x, to 10⁻¹⁰. It is
// infinite within 10⁻²⁰ of 0 or 1.
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

// FromLogit is the share of a place on the scale.
func FromLogit(logit float64) float64 {
	if logit < 0 {
		e := elementary.Exp(logit)
		return e / (1 + e)
	}
	return 1 / (1 + elementary.Exp(-logit))
}

// FromLogitSlope is the slope of a share on the scale: its product with what is left.
func FromLogitSlope(logit float64) float64 { return FromLogit(logit) * FromLogit(-logit) }

// roughLog is ln x of a normal number to 10⁻¹⁰, which is enough to choose a bin
// and takes a third of the time of elementary.Log: the logarithm of the nearest
// of 128 numbers between 1 and 2, and a polynomial.
func roughLog(x float64) float64 {
	bits := math.Float64bits(x)
	nearest := &logTable[bits>>45&127]
	mantissa := math.Float64frombits(bits&(1<<52-1) | 1023<<52)
	r := float64(mantissa*nearest.inverse) - 1
	tail := float64(r * r * (0.5 - r/3))
	return float64(float64(int(bits>>52)-1023)*math.Ln2) + (nearest.log + (r - tail))
}

// logTable holds, for each of 128 parts of the numbers from 1 to 2, its middle's
// inverse and logarithm.
var logTable = func() (table [128]struct{ inverse, log float64 }) {
	for i := range table {
		middle := float64(2*i+257) / 256
		table[i].inverse = 1 / middle
		table[i].log = -elementary.Log(1 / middle)
	}
	return table
}()
