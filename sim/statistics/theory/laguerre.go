package theory

import "math"

// manyDimensions are those from which |q| spreads so little, by a share of
// 1/√(2d), that Gauss's rule needs fewer points than the trapezoidal one.
const manyDimensions = 56

var laguerres memo[int, quadrature] // by d

// manyLengths is Gauss's rule for |q|²/2 of so many components that 12 points, at d = 64, or 6,
// in the limit, leave 2e-11 at most.
func manyLengths(d int) quadrature {
	return laguerres.of(d, func() quadrature { return laguerre(6+400/d, d) })
}

// laguerre is Gauss's rule of m points for the distribution χ²_d/2, that of Gamma's
// distribution of shape d/2, whose orthonormal polynomials follow
// b_{k+1} p_{k+1} = (x − a_k) p_k − b_k p_{k−1} with a_k = 2k + d/2 and
// b_k = √(k(k + d/2 − 1)). The nodes are the eigenvalues of the tridiagonal
// matrix of a and b, bisected by counting those below a point; the weight at
// one is 1/Σ p_k² (Golub and Welsch, Calculation of Gauss Quadrature Rules,
// Mathematics of Computation 23, 1969).
func laguerre(m, d int) quadrature {
	shape := float64(float64(d) / 2)
	a := func(k int) float64 { return float64(2*k) + shape }
	b2 := func(k int) float64 { return float64(float64(k) * (float64(k) + shape - 1)) }
	below := func(x float64) int { // eigenvalues: the negative pivots of the matrix less x
		count, pivot := 0, 1.0
		for k := range m {
			previous := pivot
			pivot = a(k) - x
			if k > 0 {
				pivot -= b2(k) / previous
			}
			if pivot == 0 {
				pivot = 0x1p-500
			}
			if pivot < 0 {
				count++
			}
		}
		return count
	}
	var q quadrature
	for i := range m {
		low, high := 0.0, float64(4*m)+float64(4*shape)
		for {
			x := float64((low + high) / 2)
			if x == low || x == high {
				break
			}
			if below(x) > i {
				high = x
			} else {
				low = x
			}
		}
		p, before, norm := 1.0, 0.0, 1.0
		for k := range m - 1 {
			next := (float64((high-a(k))*p) - float64(math.Sqrt(b2(k))*before)) / math.Sqrt(b2(k+1))
			p, before = next, p
			norm += float64(p * p)
		}
		q.at = append(q.at, high)
		q.weight = append(q.weight, 1/norm)
	}
	return q
}
