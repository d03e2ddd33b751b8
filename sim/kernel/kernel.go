// Package kernel samples the components of q and k and sums their products, for sixteen independent
// pairs at a time.
//
// # The bits
//
// The portable Go of this package defines the sampled bits. The assembly (AVX-512, AVX2 and NEON,
// made by the nested module gen) gives the same bits faster.
//
// A block has 16 lanes, each with its own xoshiro128++ generator (package stream). A distribution
// converts successive groups of 32-bit words of a lane to successive draws:
//
//	distribution        words  draws  a draw is
//	normal                2      2    Box–Muller: r cos and r sin, r = √(−2 ln u)
//	uniform               1      1    √3·(w|1)/2³¹, w a signed word
//	rademacher            1     32    the bits, low bit first; 1 means −1
//	laplace               1      1    sign in the top bit, −ln u/√2 from the other bits
//	triangular            2      1    √6·((w|1) + (w'|1))/2³², w and w' signed words
//	truncated-normal      1      1    inverse distribution function, a polynomial
//	student-t             3      1    Bailey's polar form, u from two words
//	bernoulli-gaussian    4      2    as normal; each draw has a word that keeps it or makes it 0
//	sphere                2      2    as normal; then the whole vector is rescaled
//
// A pair of dimension d takes the draws q₁, k₁, q₂, k₂, …, q_d, k_d of a lane. Its score is the
// float32 sum of the float32 products qᵢkᵢ in the order of i. The next sixteen pairs continue the
// same lanes. At the end of a pair or a vector, the unused draws of the last group are discarded.
//
// A uniform u is (w + ½)/2³¹ with w of 31 bits, so that normal draws are at most 6.66 σ. The two
// low bits of the word for Box–Muller's angle choose its quadrant: bit 0 exchanges cosine and sine,
// bit 1 changes both signs. Neither changes a product qᵢkᵢ, so a kernel that only sums products may
// ignore them.
//
// The arithmetic is IEEE float32 addition, multiplication, square root and conversion from signed
// integers, with integer operations, so that every machine gives the same bits. Only Products uses
// fused multiply-add. The coefficients of the polynomials are in coefficients.go, which gen/fit.py
// writes.
//
// A score of rademacher is an exact integer if d ≤ 2²⁴.
package kernel

import (
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
)

// Version is the version of the sampled bits. It changes whenever one of the bits changes.
const Version = 1

// Width is the number of lanes.
const Width = stream.Width

// Pairs returns a function that samples one pair (q, k) of dimension d ≥ 1 in every lane and
// writes the scores q·k.
func Pairs(dist distribution.Distribution) func(s *stream.Lanes, d int, scores *[Width]float32) {
	return active.pairs(dist)
}

// Vectors returns a function that samples one vector in every lane, of dimension len(dst):
// dst[j][i] is component j of lane i. If the components are independent, they are the next
// len(dst) draws of every lane.
func Vectors(dist distribution.Distribution) func(s *stream.Lanes, dst [][Width]float32) {
	return active.vectors(dist)
}

// Vector returns a function that samples a vector in lane i as [Vectors] does, and does not change
// the other lanes. It uses portable Go on every machine.
func Vector(dist distribution.Distribution) func(s *stream.Lanes, i int, dst [][Width]float32) {
	sampler := newLaneSampler(dist)
	return func(s *stream.Lanes, i int, dst [][Width]float32) { s.SetLane(i, sampler.fill(s.Lane(i), dst, i)) }
}
