package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// NormalMaximum returns the means of the largest of n ≥ 1 standard normal numbers and of its
// square.
func NormalMaximum(n int) (mean, square float64) {
	if n < 1 {
		panic("theory: NormalMaximum needs n ≥ 1")
	}
	h := maximumStep(max(n, 2))
	last := int(9 / h)
	for i := -last; i <= last; i++ {
		z := float64(float64(i) * h)
		p := float64(h * float64(n) * density(z) * power(normalBelow(z), n-1) / sqrt2Pi)
		mean += float64(p * z)
		square += float64(p * z * z)
	}
	return mean, square
}

// NarrowSoftmax returns an approximation of NewSoftmax for σ → 0: Taylor's polynomial of the
// weights around 1/n, with the moments of a normal sample. The error is of the order σ³ in
// MaxWeight and MaxSquare, σ⁶ in Collision and Trace, σ⁸ in Entropy, and σ⁴ in the others.
//
// ln Z is ln n plus the mean logit plus Σ_{j≥2} k_j/j!, where k_j is the cumulant of order j of the
// n logits as a population: E k_2 = σ²(n−1)/n, E k_4 = −6σ⁴(n−1)/n² and
// E k_6 = 60σ⁶(n−1)(6−n)/n³. With A = Collision and H the entropy of a row, Collision and Entropy
// follow from d(E ln Z)/dσ = σ(1−A) and E H = E ln Z − σ²(1−A).
func NarrowSoftmax(keys int, sigma float64) Softmax {
	n := float64(keys)
	a := 1 / n
	mean, square := NormalMaximum(keys)
	sigma2 := float64(sigma * sigma)
	sigma4 := float64(sigma2 * sigma2)
	sigma6 := float64(sigma4 * sigma2)
	others := n - 1
	spread := float64(sigma2 * others * a * a)                    // E Σ(α − 1/n)²
	quartic := float64(sigma4 * others * (6 - n) * a * a * a / 2) // term of 1 − A in σ⁴
	sextic := float64(sigma6*others*(6-n)*a*a*a) / 12             // term of E ln Z in σ⁶
	s := Softmax{Keys: keys}
	s.MaxWeight = float64(a * (1 + float64(sigma*mean) + float64(sigma2*(square-1)/2)))
	s.MaxSquare = float64(a * a * (1 + float64(2*sigma*mean) + float64(sigma2*(float64(2*square)-1-a))))
	s.Collision = a + spread - quartic
	s.Trace = float64(others*a) - spread + quartic
	s.JacobianSquare = float64(others*a*a) + float64(spread*(1-float64(4*a)))
	s.TargetSquare = float64(others*others*a*a*a) + float64(spread*(1-float64(6*a)+float64(6*a*a))) // E Σα²(1−α)²
	s.applySigma(sigma)
	s.SlopeSquare = float64(others * a * a)
	s.Entropy = elementary.Log(n) - float64(sigma2*others*a/2) + float64(3*sigma2*spread/4) - float64(5*sextic)
	return s
}

// WideSoftmax returns an approximation of NewSoftmax for σ → ∞. Then one key has all the weight
// unless a second logit is within a few units of the largest. The gap g between the two has the
// density m/σ at 0, with m the mean of the largest of n standard normal numbers. The larger weight
// is α = 1/(1+e^{−g}). With p = α(1−α) = dα/dg the integrals over g > 0 are ∫p dg = 1/2 and
// ∫p² dg = 1/12. The error is of the order σ⁻², for two keys σ⁻³.
func WideSoftmax(keys int, sigma float64) Softmax {
	mean, _ := NormalMaximum(keys)
	closeness := mean / sigma
	s := Softmax{
		Keys:           keys,
		MaxWeight:      1 - float64(closeness*math.Ln2),
		MaxSquare:      1 - float64(closeness*(math.Ln2+0.5)),
		Collision:      1 - closeness, // 1 − 2p
		Trace:          closeness,     // 2p
		JacobianSquare: closeness / 3, // 4p²
		TargetSquare:   closeness / 6, // 2p²
		Entropy:        float64(closeness * (math.Pi * math.Pi) / 6),
	}
	s.applySigma(sigma)
	return s
}
