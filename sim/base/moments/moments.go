// Package moments implements the mergeable sums of a simulation: central moments up to the fourth
// order, counts, histograms, and the dyadic tree in which blocks are merged.
//
// [New] reduces numbers to [Moments], which give the variance, the skewness and the kurtosis.
// [Merge] merges the moments of two samples. A [Node] has the moments of many columns of a cell,
// with counts of events and histograms. [MergeNodes] merges nodes; [AppendNode] and [Reader] encode
// and decode them.
//
// Floating-point sums depend on their order, so nodes are not merged in the order of their arrival:
// a [Tree] keeps the [BlockRange] of each node and merges only siblings, left before right. The
// same blocks give the same bits with any number of workers.
//
// Every product is inside an explicit float64(…), which forbids the compiler to fuse it with the
// following addition: the bits are the same on every architecture.
//
// Reference:
//
//	[P08] Pébay: Formulas for Robust, One-Pass Parallel Computation of
//	      Covariances and Arbitrary-Order Statistical Moments, Sandia report
//	      SAND2008-6212.
package moments

import "math"

// MaxOrder is the highest order of a central moment. The error of a variance needs the fourth.
const MaxOrder = 4

// Moments are the mean of N numbers x and the sums of powers of their deviations from the mean:
// Sum[p] = Σ (x − Mean)^p for p from 2 to Order.
type Moments struct {
	N     int64
	Order int
	Mean  float64
	Sum   [MaxOrder + 1]float64
}

// New reduces xs in two passes. The order must be in [2, MaxOrder].
func New(xs []float64, order int) Moments {
	if order < 2 || order > MaxOrder {
		panic("moments: order must be 2 to 4")
	}
	m := Moments{N: int64(len(xs)), Order: order}
	if len(xs) == 0 {
		return m
	}
	n := float64(len(xs))
	center := sum(xs) / n // the mean before its rounding error is corrected
	var s1, s2, s3, s4 float64
	for _, x := range xs {
		d := x - center
		d2 := float64(d * d)
		s1 += d
		s2 += d2
		s3 += float64(d2 * d)
		s4 += float64(d2 * d2)
	}
	// The sums are about center; shift them to the mean.
	shift := s1 / n
	shift2 := float64(shift * shift)
	m.Mean = center + shift
	m.Sum[2] = s2 - float64(n*shift2)
	m.Sum[3] = s3 - float64(3*float64(shift*s2)) + float64(2*float64(n*float64(shift2*shift)))
	m.Sum[4] = s4 - float64(4*float64(shift*s3)) +
		float64(6*float64(shift2*s2)) - float64(3*float64(n*float64(shift2*shift2)))
	clear(m.Sum[order+1:])
	return m
}

// sum adds xs in four independent sums, which is faster than one.
func sum(xs []float64) float64 {
	var a, b, c, d float64
	for ; len(xs) >= 4; xs = xs[4:] {
		a += xs[0]
		b += xs[1]
		c += xs[2]
		d += xs[3]
	}
	for _, x := range xs {
		a += x
	}
	return (a + b) + (c + d)
}

// Merge returns the moments of the numbers of a and b together [P08 (2.1)]. With the numbers n_a
// and n_b, n = n_a + n_b, the difference δ of the means, and the sums A_p and B_p of a and b,
//
//	S_p = A_p + B_p + Σ_{k=1}^{p−2} C(p,k)[A_{p−k}(−n_bδ/n)^k + B_{p−k}(n_aδ/n)^k]
//	      + n_a(−n_bδ/n)^p + n_b(n_aδ/n)^p.
func Merge(a, b Moments) Moments {
	if a.Order != b.Order {
		panic("moments: merge of different orders")
	}
	if a.N == 0 {
		return b
	}
	if b.N == 0 {
		return a
	}
	na, nb := float64(a.N), float64(b.N)
	delta := b.Mean - a.Mean
	left, right := -delta*nb/(na+nb), delta*na/(na+nb)
	m := Moments{N: a.N + b.N, Order: a.Order, Mean: a.Mean - left}
	for p := 2; p <= a.Order; p++ {
		m.Sum[p] = a.shiftedSum(p, left) + b.shiftedSum(p, right)
	}
	return m
}

// shiftedSum returns Σ (x − Mean + shift)^p.
func (m *Moments) shiftedSum(p int, shift float64) float64 {
	sum, power, binomial := m.Sum[p], 1.0, 1.0
	for k := 1; k <= p-2; k++ {
		power *= shift
		binomial = float64(binomial*float64(p-k+1)) / float64(k)
		sum += float64(float64(binomial*m.Sum[p-k]) * power)
	}
	power = float64(power*shift) * shift
	return sum + float64(float64(m.N)*power)
}

// Variance returns the unbiased sample variance, NaN for fewer than two numbers.
func (m Moments) Variance() float64 {
	if m.N < 2 {
		return math.NaN()
	}
	return m.Sum[2] / float64(m.N-1)
}

// MeanSquare returns the mean of the squares of the numbers.
func (m Moments) MeanSquare() float64 { return m.Sum[2]/float64(m.N) + float64(m.Mean*m.Mean) }

// Standardised returns the standardised central moment (Sum[p]/N)/(Sum[2]/N)^(p/2): the skewness
// for p = 3, the kurtosis for p = 4. It is NaN if the numbers are all equal.
func (m Moments) Standardised(p int) float64 {
	if p > m.Order {
		panic("moments: order was not kept")
	}
	v := m.Sum[2] / float64(m.N)
	moment := m.Sum[p] / float64(m.N)
	for range p / 2 {
		moment /= v
	}
	if p%2 == 1 {
		moment /= math.Sqrt(v)
	}
	return moment
}
