package theory

import "mcsim/sim/base/elementary"

// softmaxMaximum returns E max α and E (max α)² of n = keys logits N(0, σ²), whose density is φ_σ.
// Given the largest logit s, the largest weight is 1/Z with Z = 1 + Σ e^{r−s} over the other logits
// r < s. From 1/Z^p = ∫ t^{p−1} e^{−tZ} dt/Γ(p) follow
//
//	E max^p = n ∫ φ_σ(s)/Γ(p) ∫ t^{p−1} e^{−t} ψ(t,s)^{n−1} dt ds,
//	ψ(t,s) = E[exp(−t e^{r−s}); r < s].
//
// The integral over u = −ln t is a sum over points of logLattice that starts at ln n, since Z ≤ n.
// Its error is at most 4e-12. ψ is analytic in s, and on lines parallel to the real axis it is
// bounded like the normal distribution function Φ for any σ. Therefore the step of the trapezoidal
// sum over z = s/σ depends on n only. With r = s + σv, v < 0, ψ has the kernel exp(−t e^{σv}) for
// every s.
func softmaxMaximum(keys int, sigma float64) (mean, square float64) {
	var q quadrature // over v from −depth to 0
	// Below −depth the density at z + v is negligible for all z, or the kernel is 1.
	depth := min(18, -kernelFloor/sigma)
	q.addGradedPanels(sigma, float64(depth*sigma), 4)

	t, weight, smallest := maximumPoints(keys)
	kernel := make([]float64, 0, len(t)*len(q.points))
	decay := make([]float64, len(q.points))
	for i, v := range q.points {
		decay[i] = elementary.Exp(float64(sigma * v))
	}
	for _, x := range t {
		for _, d := range decay {
			kernel = append(kernel, elementary.Exp(-float64(x*d)))
		}
	}

	// From z to the next, z − h, the density at z + v changes by e^{hv} times a common factor.
	h, previousSize := maximumStep(keys), 0.0
	first := int(8.5 / h) // Φ(−8.5) is below 1e-17
	mass, decayPerStep := make([]float64, len(q.points)), make([]float64, len(q.points))
	for m, v := range q.points {
		mass[m] = float64(q.weights[m]*density(float64(float64(first)*h)+v)) / sqrt2Pi
		decayPerStep[m] = elementary.Exp(float64(h * v))
	}
	for i := first; ; i-- {
		z := float64(float64(i) * h)
		beyondRule := 0.0 // part of ψ for v < −depth, where the kernel is 1
		if z-depth > -9 {
			beyondRule = normalBelow(z - depth)
		}
		outer := float64(h*float64(keys)*density(z)) / sqrt2Pi
		var firstMoment, secondMoment, smallestPower float64
		for j, x := range t {
			psi := beyondRule + dot(mass, kernel[j*len(mass):(j+1)*len(mass)])
			psiPower := power(psi, keys-1)
			if j == smallest {
				smallestPower = psiPower
			}
			term := float64(float64(weight[j]*psiPower) * x)
			firstMoment += term
			secondMoment += float64(term * x)
		}
		// At the smallest t, ψ is about Φ. The sum ends where nφΦ^{n−1}, the density of the largest
		// z, is negligible and beyond its peak.
		size := float64(outer * smallestPower)
		if size < 1e-16 && size < previousSize {
			return mean, square
		}
		previousSize = size
		mean += float64(outer * firstMoment)
		square += float64(outer * secondMoment)
		common := elementary.Exp(float64(h*z) - float64(h*h/2))
		for m := range mass {
			mass[m] *= float64(decayPerStep[m] * common)
		}
	}
}

// maximumPoints returns the points t of the sum over ln t, their weights times e^{−t}, and the
// index of the smallest t. At the ends of the sum, e^{−t} or t is below 3e-16.
func maximumPoints(keys int) (t, weight []float64, smallest int) {
	start, lattice := elementary.Log(float64(keys)), logLattice{width: 1, step: 0.28}
	visitOutward(0, func(i int) bool {
		offset, step := lattice.point(i)
		u := start + offset
		x := elementary.Exp(-u)
		t, weight = append(t, x), append(weight, float64(step*elementary.Exp(-x)))
		smallest = max(smallest, i) // the points of i ≥ 0 are the first, in order of i
		return -3.6 < u && u < 36
	})
	return t, weight, smallest
}

// maximumStep returns the step of a trapezoidal sum over the largest of n normal numbers. The
// Fourier transform of its density nφΦ^{n−1} falls like the transform of Gumbel's distribution,
// scaled by √(2 ln n). With a step of 0.4/√(2 ln n) the sum has an error below 1e-13.
func maximumStep(keys int) float64 { return 0.4 / FreezingSigma(keys) }

// dot returns Σ xᵢyᵢ in four partial sums; the length must be divisible by four.
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
