package kernel

import (
	"math"

	"mcsim/sim/base/distribution"
)

// studentT samples Student's distribution with ν degrees of freedom, rescaled to variance 1, by
// Bailey's polar form (Math. Comp. 62 (1994), 779): for independent uniform u and v, √(ν(u^(−2/ν) −
// 1))·cos 2πv has Student's distribution. Rescaling replaces the factor ν by ν − 2. The number
// under the root is at most (ν−2)·e^(87.4/ν), which is finite in float32 for every ν > 2.
func studentT(nu float64) laneSampler {
	return newGroupSampler(3, 1, newStudentDraws(nu))
}

// newStudentDraws returns a function that makes a draw from three words.
func newStudentDraws(nu float64) func(words []uint32, draws []float32) {
	inverse, factor := studentParams(nu)
	return func(words []uint32, draws []float32) { bailey(words, draws, inverse, factor) }
}

func studentParams(nu float64) (inverse, factor float32) {
	return float32(1 / nu), float32(nu - 2)
}

// packStudentParams returns the parameters that the assembly of studentT takes.
func packStudentParams(dist distribution.Distribution) [2]uint32 {
	inverse, factor := studentParams(dist.Param())
	return [2]uint32{math.Float32bits(inverse), math.Float32bits(factor)}
}

// bailey makes a draw from three words: u from the first two and v from the third. u is as small as
// 2^−63, so that the tail of the distribution is sampled too.
func bailey(words []uint32, draws []float32, inverse, factor float32) {
	for i := range draws {
		high, low := words[3*i], words[3*i+1]
		draws[i] = float32(int32(high>>1)) + float32(open31(low>>1)*(1.0/(1<<31)))
	}
	minusTwoLogs(draws, unit31)
	expm1s(draws, inverse)
	for i, x := range draws {
		draws[i] = sqrt(x*factor) * sinHalfTurn(words[3*i+2])
	}
}

// roundInt is 1.5·2²³. Adding it to a float32 of absolute value below 2²² rounds that number to an
// integer. The low bits of the sum are this integer.
const roundInt = 12582912

// expm1s replaces each x by e^t − 1 with t = x·factor, 0 ≤ t ≤ 44. With t = n ln 2 + r, |r| ≤ ½ ln
// 2, this is (2ⁿ − 1) + 2ⁿ(eʳ − 1).
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

// expPolynomial returns (eʳ − 1)/r for |r| ≤ ½ ln 2.
func expPolynomial(r float32) float32 {
	v := r * r
	p := exp2 + float32(r*exp3) + float32(v*(exp4+float32(r*exp5)))
	return exp0 + float32(r*exp1) + float32(v*p)
}

// sinHalfTurn returns the sine of an angle that is uniform on [−π/2, π/2]. This sine has the same
// distribution as the cosine of an angle that is uniform on the circle.
func sinHalfTurn(w uint32) float32 {
	y := oddFloat(w) * (1.0 / (1 << 31))
	z := y * y
	p := turn3 + float32(z*turn4)
	p = turn2 + float32(z*p)
	p = turn1 + float32(z*p)
	return y * (turn0 + float32(z*p))
}
