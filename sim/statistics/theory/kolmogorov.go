package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// KolmogorovTail returns the probability that the largest distance between the empirical
// distribution function of n independent numbers and their distribution function exceeds d.
// For n ≤ maxExact it is exact, by the matrix of Marsaglia, Tsang and Wang (Evaluating Kolmogorov's
// Distribution, Journal of Statistical Software 8, 2003), except in the far tail. There it is their
// approximation, which has seven digits. For larger n it is Kolmogorov's limit at the corrected
// distance of Vrbik (Small-Sample Corrections to Kolmogorov–Smirnov Test Statistic, Pioneer Journal
// of Theoretical and Applied Statistics 15, 2018), with an error below 10⁻⁴.
func KolmogorovTail(d float64, n int) float64 {
	s := float64(d*d) * float64(n)
	root := math.Sqrt(float64(n))
	isFarTail := s > 7.24 || (s > 3.76 && n > 99) // the limits of Marsaglia, Tsang and Wang
	switch {
	case d >= 1:
		return 0
	case 2*float64(n)*d <= 1:
		return 1
	case isFarTail:
		return 2 * elementary.Exp(-float64((2.000071+0.331/root+1.409/float64(n))*s))
	case n <= maxExact:
		return max(0, 1-kolmogorovExact(d, n))
	}
	x := float64(d * root)
	return BridgeTail(x + 1/(6*root) + (x-1)/(4*float64(n)))
}

// maxExact is the largest n for which the distribution is exact. The matrix has up to about 4√n
// rows and is multiplied about 2·log₂ n times.
const maxExact = 1000

// kolmogorovExact returns the probability that the distance is at most d: n!/nⁿ times the middle
// element of the n-th power of a matrix H of 2k−1 rows, with d = (k−h)/n.
func kolmogorovExact(d float64, n int) float64 {
	k := int(float64(n)*d) + 1
	h := float64(k) - float64(float64(n)*d)
	power := scaledMatrix{rows: 2*k - 1, elements: durbinMatrix(2*k-1, h)}.power(n)
	p, exponent := power.elements[(k-1)*power.rows+k-1], power.exponent
	for i := 1; i <= n; i++ {
		p *= float64(i) / float64(n)
		if p < 0x1p-400 { // avoid underflow
			p, exponent = math.Ldexp(p, 400), exponent-400
		}
	}
	return math.Ldexp(p, exponent)
}

// durbinMatrix returns the matrix H, which has m rows. Its elements are 1/(i−j+1)! for j ≤ i+1 and
// 0 otherwise. In the first column and the last row, powers of h are subtracted from the numerator
// 1; in the corner of both, max(0, 2h−1)^m is added to it.
func durbinMatrix(m int, h float64) []float64 {
	elements := make([]float64, m*m)
	for i := range m {
		for j := range min(i+2, m) {
			elements[i*m+j] = 1
		}
	}
	for i := range m {
		elements[i*m] -= elementary.Pow(h, float64(i+1))
		elements[(m-1)*m+i] -= elementary.Pow(h, float64(m-i))
	}
	if 2*h > 1 {
		elements[(m-1)*m] += elementary.Pow(2*h-1, float64(m))
	}
	for i := range m {
		for j := range i + 1 {
			for factor := 2; factor <= i-j+1; factor++ {
				elements[i*m+j] /= float64(factor)
			}
		}
	}
	return elements
}

// scaledMatrix is a square matrix times 2^exponent.
type scaledMatrix struct {
	rows     int
	elements []float64
	exponent int
}

// power returns the n-th power, n ≥ 1, by repeated squaring.
func (a scaledMatrix) power(n int) scaledMatrix {
	if n == 1 {
		return a
	}
	half := a.power(n / 2)
	square := half.multiply(half)
	if n%2 == 1 {
		square = a.multiply(square)
	}
	if m := square.rows; square.elements[(m/2)*m+m/2] > 0x1p400 { // avoid overflow
		for i := range square.elements {
			square.elements[i] = math.Ldexp(square.elements[i], -400)
		}
		square.exponent += 400
	}
	return square
}

func (a scaledMatrix) multiply(b scaledMatrix) scaledMatrix {
	m := a.rows
	c := scaledMatrix{rows: m, elements: make([]float64, m*m), exponent: a.exponent + b.exponent}
	for i := range m {
		row := c.elements[i*m : i*m+m]
		for k, x := range a.elements[i*m : i*m+m] {
			if x == 0 {
				continue
			}
			for j, y := range b.elements[k*m : k*m+m] {
				row[j] += float64(x * y)
			}
		}
	}
	return c
}
