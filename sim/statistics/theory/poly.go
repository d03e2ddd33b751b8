package theory

import "mcsim/sim/base/distribution"

// maxPower is the highest moment of a score that is worked out.
const maxPower = 8

// poly is a polynomial in two numbers g and h: the coefficient of gⁱhʲ at
// place i, j. Those that come up stay below the power maxPower of each.
type poly [maxPower + 1][maxPower + 1]float64

// addProduct adds factor·a·b.
func (p *poly) addProduct(factor float64, a, b *poly) {
	for i := range a {
		for j, x := range a[i] {
			if x != 0 {
				p.addShifted(float64(factor*x), b, i, j)
			}
		}
	}
}

// addShifted adds factor·b·gⁱhʲ.
func (p *poly) addShifted(factor float64, b *poly, i, j int) {
	for k := range len(b) - i {
		for l := range len(b) - j {
			p[i+k][j+l] += float64(factor * b[k][l])
		}
	}
}

// expectation is the mean over independent g and h of a distribution.
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

// moment is E xᵏ of a component, for any k ≥ 0.
func moment(l distribution.Distribution, k int) float64 {
	switch {
	case k == 0:
		return 1
	case k%2 == 1:
		return 0
	}
	return l.Moment(k)
}

// finiteOrder is the highest even order up to most of which a distribution has a finite
// moment.
func finiteOrder(l distribution.Distribution, most int) int {
	k := 2
	for k+2 <= most && l.Moment(k+2) < infinite {
		k += 2
	}
	return k
}

// ofSum takes the moments m of one number, of orders 0, 1, …, given g and h, to
// those of the sum of d numbers that are independent given g and h: their
// cumulants are d times as large.
func ofSum(m []poly, d int) []poly {
	k := make([]poly, len(m))
	for n := 1; n < len(m); n++ {
		k[n] = m[n]
		k[n].lower(-1, k, m, n)
	}
	sum := make([]poly, len(m))
	sum[0][0][0] = 1
	for n := 1; n < len(m); n++ {
		var scaled poly
		scaled.addProduct(float64(d), &sum[0], &k[n])
		k[n] = scaled
		sum[n] = scaled
		sum[n].lower(1, k, sum, n)
	}
	return sum
}

// lower adds sign times the part of the moment of order n that lower cumulants
// make, Σ_j C(n−1, j−1) κ_j m_{n−j}.
func (p *poly) lower(sign float64, k, m []poly, n int) {
	for j := 1; j < n; j++ {
		p.addProduct(float64(sign*binomial(n-1, j-1)), &k[j], &m[n-j])
	}
}
