package theory

import "mcsim/sim/elementary"

// softmaxMaximum is E max α and E (max α)². Given the largest logit s, the
// largest weight is 1/Z with Z = 1 + Σ e^{r−s} over the others, r < s, and
// 1/Z^p = ∫ t^{p−1} e^{−tZ} dt/Γ(p), so
//
//	E max^p = n ∫ φ_σ(s)/Γ(p) ∫ t^{p−1} e^{−t} ψ(t,s)^{n−1} dt ds,
//	ψ(t,s) = E[exp(−t e^{r−s}); r < s].
//
// The integral over ln t is a trapezoidal sum of step 0.3, whose error is at
// most 2e-13 of the value for p = 1 and 3e-12 for p = 2, as softmaxSums says.
// ψ is analytic in s and bounded like Φ on lines beside the real one, whatever
// σ is, so that the step of the trapezoidal sum over z = s/σ follows from n
// alone. Inside, r = s − σv, and the kernel exp(−t e^{−σv}) is the same for
// every s.
func softmaxMaximum(keys int, sigma float64) (mean, square float64) {
	var q quadrature // for −v
	depth := min(18, -kernelFloor/sigma)
	gradedPanels(&q, sigma, float64(depth*sigma), 4)

	t, weight, tails := maximumNodes(keys)
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

	mass := make([]float64, len(q.at))
	g := make([]float64, len(t)) // e^{−t}ψ^{n−1}
	h, last := maximumStep(keys), 0.0
	for i := int(8.5 / h); ; i-- {
		z := float64(float64(i) * h)
		for m, v := range q.at {
			mass[m] = float64(q.weight[m]*density(z+v)) / sqrt2Pi
		}
		below := 0.0
		if z-depth > -9 {
			below = normalBelow(z - depth)
		}
		outer := float64(h*logStep*float64(keys)*density(z)) / sqrt2Pi
		var one, two float64
		for j, x := range t {
			psi := below + dot(mass, kernel[j*len(mass):(j+1)*len(mass)])
			g[j] = float64(weight[j] * power(psi, keys-1))
			one += float64(g[j] * x)
			two += float64(g[j] * x * x)
		}
		// Here ψ is about Φ, and nφΦ^{n−1} has a single peak.
		size := float64(outer * g[0])
		if size < 1e-16 && size < last {
			return mean, square
		}
		last = size
		slope := (g[1] - g[0]) / (t[1] - t[0])
		start := g[0] - float64(slope*t[0])
		mean += float64(outer * (one + float64(start*tails[1]) + float64(slope*tails[2])))
		square += float64(outer * (two + float64(start*tails[2]) + float64(slope*tails[3])))
	}
}

// logStep is the step of the sum over ln t.
const logStep = 0.3

// maximumNodes are the t of that sum, up to ln t = 3.6, with e^{−t}. Below the first, at
// most 1e-4/n, e^{−t}ψ^{n−1} is a straight line in t, and the terms of the sum are
// geometric: tails holds Σ t^p over them, p from 1 to 3.
func maximumNodes(keys int) (t, weight []float64, tails [4]float64) {
	for i := -int((elementary.Log(float64(keys))+9.2)/logStep) - 1; i <= 12; i++ {
		x := elementary.Exp(float64(float64(i) * logStep))
		t, weight = append(t, x), append(weight, elementary.Exp(-x))
	}
	ratio := elementary.Exp(logStep)
	for p := 1; p < len(tails); p++ {
		tails[p] = elementary.Pow(t[0], float64(p)) / (elementary.Pow(ratio, float64(p)) - 1)
	}
	return t, weight, tails
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
