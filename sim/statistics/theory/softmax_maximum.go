package theory

import "mcsim/sim/base/elementary"

// softmaxMaximum is E max α and E (max α)². Given the largest logit s, the
// largest weight is 1/Z with Z = 1 + Σ e^{r−s} over the others, r < s, and
// 1/Z^p = ∫ t^{p−1} e^{−tZ} dt/Γ(p), so
//
//	E max^p = n ∫ φ_σ(s)/Γ(p) ∫ t^{p−1} e^{−t} ψ(t,s)^{n−1} dt ds,
//	ψ(t,s) = E[exp(−t e^{r−s}); r < s].
//
// The integral over u = −ln t is a sum over points of logLattice from ln n on, since Z ≤ n, good to
// 4e-12. ψ is analytic in s and bounded like Φ on lines beside the real one, whatever
// σ is, so that the step of the trapezoidal sum over z = s/σ follows from n
// alone. Inside, r = s − σv, and the kernel exp(−t e^{−σv}) is the same for
// every s.
func softmaxMaximum(keys int, sigma float64) (mean, square float64) {
	var q quadrature // for −v
	depth := min(18, -kernelFloor/sigma)
	gradedPanels(&q, sigma, float64(depth*sigma), 4)

	t, weight, least := maximumPoints(keys)
	kernel := make([]float64, 0, len(t)*len(q.at))
	decay := make([]float64, len(q.at))
	for i, v := range q.at {
		decay[i] = elementary.Exp(float64(sigma * v))
	}
	for _, x := range t {
		for _, d := range decay {
			kernel = append(kernel, elementary.Exp(-float64(x*d)))
		}
	}

	// The mass beside v at z falls to the next z by e^{hv} and a factor that all have in common.
	h, last := maximumStep(keys), 0.0
	first := int(8.5 / h)
	mass, fall := make([]float64, len(q.at)), make([]float64, len(q.at))
	for m, v := range q.at {
		mass[m] = float64(q.weight[m]*density(float64(float64(first)*h)+v)) / sqrt2Pi
		fall[m] = elementary.Exp(float64(h * v))
	}
	for i := first; ; i-- {
		z := float64(float64(i) * h)
		below := 0.0
		if z-depth > -9 {
			below = normalBelow(z - depth)
		}
		outer := float64(h*float64(keys)*density(z)) / sqrt2Pi
		var one, two, most float64
		for j, x := range t {
			psi := below + dot(mass, kernel[j*len(mass):(j+1)*len(mass)])
			power := power(psi, keys-1)
			if j == least {
				most = power
			}
			term := float64(float64(weight[j]*power) * x)
			one += term
			two += float64(term * x)
		}
		// Where t is small ψ is about Φ, and nφΦ^{n−1} has a single peak.
		size := float64(outer * most)
		if size < 1e-16 && size < last {
			return mean, square
		}
		last = size
		mean += float64(outer * one)
		square += float64(outer * two)
		common := elementary.Exp(float64(h*z) - float64(h*h/2))
		for m := range mass {
			mass[m] *= float64(fall[m] * common)
		}
	}
}

// maximumPoints are the t of the sum over ln t with their weights times e^{−t}, and where the least of them stands.
func maximumPoints(keys int) (t, weight []float64, least int) {
	from, lattice := elementary.Log(float64(keys)), logLattice{1, 0.28}
	outward(0, func(i int) bool {
		by, step := lattice.at(i)
		u := from + by
		x := elementary.Exp(-u)
		t, weight = append(t, x), append(weight, float64(step*elementary.Exp(-x)))
		least = max(least, i)
		return -3.6 < u && u < 36
	})
	return t, weight, least
}

// maximumStep is the step of a trapezoidal sum over the largest of n normal
// numbers: the transform of its density nφΦ^{n−1} falls like that of Gumbel's,
// narrowed by √(2 ln n), and 0.4/√(2 ln n) leaves less than 1e-13.
func maximumStep(keys int) float64 { return 0.4 / FreezingSigma(keys) }

// dot is Σ xᵢyᵢ for a length divisible by four, in four sums.
func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var a, b, c, d float64
	for i := 0; i+3 < len(x); i += 4 {
		a += float64(x[i] * y[i])
		b += float64(x[i+1] * y[i+1])
		c += float64(x[i+2] * y[i+2])
		d += float64(x[i+3] * y[i+3])
	}
	return (a + b) + (c + d)
}
