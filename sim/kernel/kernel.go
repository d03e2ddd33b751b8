// Package kernel draws the components of q and k and sums their products,
// sixteen independent pairs at a time.
//
// # The bits
//
// What is drawn is defined by the portable Go of this package, bit for bit.
// The assembly beside it (AVX-512, AVX2 and NEON, made by the nested module gen)
// gives the same bits faster.
//
// A block has 16 lanes, each its own xoshiro128++ generator (package stream).
// A distribution maps successive 32-bit words of a lane, a group at a time, to
// successive draws:
//
//	distribution                 words  draws  a draw is
//	normal                2      2    Box–Muller: r cos and r sin, r = √(−2 ln u)
//	uniform               1      1    √3·(w|1)/2³¹, w signed
//	rademacher            1     32    the bits, low bit first; 1 stands for −1
//	laplace               1      1    top bit the sign, −ln u/√2 from the others
//	triangular            2      1    √6·((w|1) + (w'|1))/2³², signed
//	truncated-normal      1      1    inverse distribution function, a polynomial
//	student-t             3      1    Bailey's polar form, u from two words
//	bernoulli-gaussian    4      2    a normal pair, each kept by a word of its own
//	sphere                2      2    as normal, the whole vector then rescaled
//
// A lane's pair of dimension d takes the draws q₁, k₁, q₂, k₂, …, q_d, k_d, and
// its score is the float32 sum of the float32 products qᵢkᵢ in the order of
// i. The next sixteen pairs continue the same lanes. What is left of a group
// of words at the end of a pair, or of a vector, is thrown away.
//
// A uniform u is (w + ½)/2³¹ with w of 31 bits: the normal distribution reaches
// 6.66 σ. The two low bits of the word that gives Box–Muller's angle choose
// its quadrant: bit 0 exchanges cosine and sine, bit 1 changes both signs.
// Neither changes a product qᵢkᵢ, so a kernel that only sums products may
// leave them out.
//
// The arithmetic is IEEE float32 addition, multiplication, square root and
// conversion from signed integers, with integer operations; there is no fused
// multiply-add but in Products, and no function of package math but Sqrt, so
// that every machine gives the same bits. Polynomials are those of coefficients.go,
// which gen/fit.py fits.
//
// A score of rademacher is an exact integer as long as d ≤ 2²⁴.
package kernel

import (
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
)

// Version numbers the bits. It changes whenever one of them does.
const Version = 1

// Width is the number of lanes.
const Width = stream.Width

// Pairs returns a function that draws one pair (q, k) of dimension d ≥ 1 in
// every lane and writes the scores q·k.
func Pairs(l distribution.Distribution) func(s *stream.Lanes, d int, scores *[Width]float32) {
	return active.pairs(l)
}

// Vectors returns a function that draws one vector in every lane, of
// dimension len(dst): dst[j][i] is component j of lane i. Where components are
// independent, these are the next len(dst) draws of every lane.
func Vectors(l distribution.Distribution) func(s *stream.Lanes, dst [][Width]float32) {
	return active.vectors(l)
}

// Vector returns a function that draws one vector in lane i alone, as [Vectors] draws it
// there, and leaves the other lanes where they are. It is portable on every machine.
func Vector(l distribution.Distribution) func(s *stream.Lanes, i int, dst [][Width]float32) {
	of := laneOf(l)
	return func(s *stream.Lanes, i int, dst [][Width]float32) { s.SetLane(i, of.fill(s.Lane(i), dst, i)) }
}
