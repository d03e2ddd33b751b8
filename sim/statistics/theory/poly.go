package theory

import "mcsim/sim/base/distribution"

// maxOrder is the highest order of a moment of a score that the package computes.
const maxOrder = 8

// poly is a polynomial in two numbers g and h: element i, j is the coefficient of gⁱhʲ. No sum or
// product that the package forms has a power of g or h above maxOrder.
type poly [maxOrder + 1][maxOrder + 1]float64

// addProduct adds factor·a·b to p.
func (p *poly) addProduct(factor float64, a, b *poly) {
	for i := range a {
		for j, x := range a[i] {
			if x != 0 {
				p.addShifted(float64(factor*x), b, i, j)
			}
		}
	}
}

// addShifted adds factor·gⁱhʲ·b to p.
func (p *poly) addShifted(factor float64, b *poly, i, j int) {
	for k := range len(b) - i {
		for l := range len(b) - j {
			p[i+k][j+l] += float64(factor * b[k][l])
		}
	}
}

// expectation returns the mean of p for independent g and h of distribution l.
func (p *poly) expectation(l distribution.Distribution) float64 {
	var sum float64
	for i := 0; i < len(p); i += 2 {
		for j := 0; j < len(p); j += 2 {
			if x := p[i][j]; x != 0 {
				sum += float64(float64(x*moment(l, i)) * moment(l, j))
			}
		}
	}
	return sum
}

// moment returns E xᵏ of a component for any k ≥ 0.
func moment(l distribution.Distribution, k int) float64 {
	switch {
	case k == 0:
		return 1
	case k%2 == 1:
		return 0
	}
	return l.Moment(k)
}

// finiteOrder returns the highest even order up to limit with a finite moment.
func finiteOrder(l distribution.Distribution, limit int) int {
	k := 2
	for k+2 <= limit && l.Moment(k+2) < infinity {
		k += 2
	}
	return k
}

// sumMoments returns the moments given g and h, of orders 0, 1, …, of the sum of d numbers that are
// independent given g and h. The moments of each number are m. The cumulants of the sum are d times
// the cumulants of one number.
func sumMoments(m []poly, d int) []poly {
	k := make([]poly, len(m)) // cumulants, first of one number, then of the sum
	for n := 1; n < len(m); n++ {
		k[n] = m[n]
		k[n].addLowerTerms(-1, k, m, n)
	}
	sum := make([]poly, len(m))
	sum[0][0][0] = 1
	for n := 1; n < len(m); n++ {
		var scaled poly
		scaled.addProduct(float64(d), &sum[0], &k[n])
		k[n] = scaled
		sum[n] = scaled
		sum[n].addLowerTerms(1, k, sum, n)
	}
	return sum
}

// addLowerTerms adds sign·Σ_{j<n} C(n−1, j−1) κ_j m_{n−j}, the moment of order n without κ_n.
func (p *poly) addLowerTerms(sign float64, k, m []poly, n int) {
	for j := 1; j < n; j++ {
		p.addProduct(float64(sign*binomial(n-1, j-1)), &k[j], &m[n-j])
	}
}
