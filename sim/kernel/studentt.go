package kernel

import (
	"math"

	"mcsim/sim/base/distribution"
)

// studentT with ν degrees of freedom, rescaled to variance 1, by Bailey's
// polar form (Math. Comp. 62 (1994), 779): with u, v uniform,
// √(ν(u^(−2/ν) − 1))·cos 2πv has that distribution; the rescaling puts ν − 2 in place of
// the factor ν. The square under the root is at most (ν−2)·e^(87.4/ν), which
// float32 holds for every ν > 2.
func studentT(nu float64) lane {
	return grouped(3, 1, studentDraws(nu))
}

// studentDraws makes a draw of three words.
func studentDraws(nu float64) func(words []uint32, to []float32) {
	inverse, factor := studentParams(nu)
	return func(words []uint32, to []float32) { bailey(words, to, inverse, factor) }
}

func studentParams(nu float64) (inverse, factor float32) {
	return float32(1 / nu), float32(nu - 2)
}

// studentWords are the parameters of studentT as the assembly reads them.
func studentWords(l distribution.Distribution) [2]uint32 {
	inverse, factor := studentParams(l.Param())
	return [2]uint32{math.Float32bits(inverse), math.Float32bits(factor)}
}

// bailey takes two words for u, which reaches down to 2^−63 since the tail is what
// the distribution is about, and one for v.
func bailey(words []uint32, to []float32, inverse, factor float32) {
	for i := range to {
		high, low := words[3*i], words[3*i+1]
		to[i] = float32(int32(high>>1)) + float32(open31(low>>1)*(1.0/(1<<31)))
	}
	minusTwoLogs(to, unit31)
	expm1s(to, inverse)
	for i, x := range to {
		to[i] = sqrt(x*factor) * sinHalfTurn(words[3*i+2])
	}
}

// roundInt is 1.5·2²³: added to a float32 of size below 2²² it rounds it to
// an integer, which then stands in the low bits.
const roundInt = 12582912

// expm1s puts e^t − 1, t = x·factor, in the place of each x, for 0 ≤ t ≤ 44: with
// t = n ln 2 + r, |r| ≤ ½ ln 2, it is (2ⁿ − 1) + 2ⁿ(eʳ − 1).
func expm1s(xs []float32, factor float32) {
	for i, x := range xs {
		t := float32(x * factor)
		shifted := float32(t*log2e) + roundInt
		n := shifted - roundInt
		r := t - float32(n*ln2High) - float32(n*ln2Low)
		power := math.Float32frombits(math.Float32bits(shifted)<<23 + oneBits)
		xs[i] = (power - 1) + float32(power*float32(r*expPolynomial(r)))
	}
}

// expPolynomial is (eʳ − 1)/r for |r| ≤ ½ ln 2.
func expPolynomial(r float32) float32 {
	v := r * r
	p := exp2 + float32(r*exp3) + float32(v*(exp4+float32(r*exp5)))
	return exp0 + float32(r*exp1) + float32(v*p)
}

// sinHalfTurn is the sine of an angle uniform on [−π/2, π/2], which has the
// distribution of the cosine of an angle uniform on the circle.
func sinHalfTurn(w uint32) float32 {
	y := odd(w) * (1.0 / (1 << 31))
	z := y * y
	p := turn3 + float32(z*turn4)
	p = turn2 + float32(z*p)
	p = turn1 + float32(z*p)
	return y * (turn0 + float32(z*p))
}
