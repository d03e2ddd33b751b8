package theory

import "math"

// minGaussDimension is the smallest dimension in which Gauss's rule needs fewer points than the
// trapezoidal rule, because the relative standard deviation of |q|, 1/√(2d), is small.
const minGaussDimension = 56

var laguerres memo[int, quadrature] // by d

// squaredLengthRule returns Gauss's rule for |q|²/2 of d ≥ minGaussDimension components. It has 12
// points at d = 64 and 6 for d > 400, and an error of at most 2e-11.
func squaredLengthRule(d int) quadrature {
	return laguerres.get(d, func() quadrature { return laguerre(6+400/d, d) })
}

// laguerre returns Gauss's rule of m points for the distribution of χ²_d/2, which is the gamma
// distribution of shape d/2. Its orthonormal polynomials follow
//
//	b_{k+1} p_{k+1} = (x − a_k) p_k − b_k p_{k−1}, a_k = 2k + d/2, b_k = √(k(k + d/2 − 1)).
//
// The points are the eigenvalues of the tridiagonal matrix T with a on the diagonal and b next to
// it. They are found by bisection with a count of the eigenvalues below x. The weight of a point is
// 1/Σ p_k² (Golub and Welsch, Calculation of Gauss Quadrature Rules, Math. of Computation 23,
// 1969).
func laguerre(m, d int) quadrature {
	shape := float64(float64(d) / 2)
	a := func(k int) float64 { return float64(2*k) + shape }
	b2 := func(k int) float64 { return float64(float64(k) * (float64(k) + shape - 1)) }
	// countBelow returns the number of eigenvalues below x: the negative pivots of T − xI.
	countBelow := func(x float64) int {
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
			if countBelow(x) > i {
				high = x
			} else {
				low = x
			}
		}
		p, previous, norm := 1.0, 0.0, 1.0
		for k := range m - 1 {
			next := (float64((high-a(k))*p) - float64(math.Sqrt(b2(k))*previous)) / math.Sqrt(b2(k+1))
			p, previous = next, p
			norm += float64(p * p)
		}
		q.points = append(q.points, high)
		q.weights = append(q.weights, 1/norm)
	}
	return q
}
