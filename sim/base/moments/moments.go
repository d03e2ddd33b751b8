// Package moments holds the mergeable sums of a simulation: central moments
// up to the fourth order, counts, and the dyadic tree in which blocks merge.
//
// [New] reduces numbers to [Moments], of which variance, skewness and kurtosis
// follow; [Merge] joins two. A cell of an experiment has many such columns, with
// counts of events and histograms: a [Node]. [MergeNodes] joins nodes, and
// [AppendNode] and [Reader] know their bytes on disk.
//
// Floating-point sums depend on their order, so nodes do not merge as they come:
// a [Tree] keeps each block in its [BlockRange], and merges siblings alone, left before
// right. The same blocks give the same bits, from however many workers.
//
// Every product stands inside an explicit float64(…), which forbids a
// compiler to fuse it with the addition that follows: the bits are the same
// on every architecture.
//
// Reference:
//
//	[P08] Pébay: Formulas for Robust, One-Pass Parallel Computation of
//	      Covariances and Arbitrary-Order Statistical Moments, Sandia report
//	      SAND2008-6212.
package moments

import "math"

// MaxOrder is the highest order of a central moment: that which the error of a variance
// needs.
const MaxOrder = 4

// Moments is N numbers reduced to their mean and their sums of powers of
// deviations from it: Sum[p] = Σ (x − Mean)^p for p from 2 to Order.
type Moments struct {
	N     int64
	Order int
	Mean  float64
	Sum   [MaxOrder + 1]float64
}

// New reduces xs, in two passes. The order is 2 to MaxOrder.
func New(xs []float64, order int) Moments {
	if order < 2 || order > MaxOrder {
		panic("moments: order must be 2 to 4")
	}
	m := Moments{N: int64(len(xs)), Order: order}
	if len(xs) == 0 {
		return m
	}
	n := float64(len(xs))
	center := sum(xs) / n // nearly the mean
	var s1, s2, s3, s4 float64
	for _, x := range xs {
		d := x - center
		d2 := float64(d * d)
		s1 += d
		s2 += d2
		s3 += float64(d2 * d)
		s4 += float64(d2 * d2)
	}
	// What is left of the mean moves the sums a little.
	shift := s1 / n
	shift2 := float64(shift * shift)
	m.Mean = center + shift
	m.Sum[2] = s2 - float64(n*shift2)
	m.Sum[3] = s3 - float64(3*float64(shift*s2)) + float64(2*float64(n*float64(shift2*shift)))
	m.Sum[4] = s4 - float64(4*float64(shift*s3)) + float64(6*float64(shift2*s2)) - float64(3*float64(n*float64(shift2*shift2)))
	clear(m.Sum[order+1:])
	return m
}

// sum adds xs, in four chains: one would wait for each addition.
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

// Merge joins the moments of two sets of numbers, a's before b's [P08 (2.1)]:
// with δ the difference of the means and n = n_a + n_b,
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

// shiftedSum is Σ (x − Mean + by)^p.
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

// Variance is the unbiased sample variance, NaN for fewer than two numbers.
func (m Moments) Variance() float64 {
	if m.N < 2 {
		return math.NaN()
	}
	return m.Sum[2] / float64(m.N-1)
}

// MeanSquare is the mean of the squares of the numbers.
func (m Moments) MeanSquare() float64 { return m.Sum[2]/float64(m.N) + float64(m.Mean*m.Mean) }

// Standardised is the standardised central moment (Sum[p]/N)/(Sum[2]/N)^(p/2):
// the skewness for p = 3, the kurtosis for p = 4. It is NaN where the numbers
// do not vary.
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
