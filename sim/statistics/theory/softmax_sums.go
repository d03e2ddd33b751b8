package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

const eulerGamma = 0.57721566490153286061

// softmaxSums is the Softmax without the maximum. With t = e^{−u},
// 1/Z^k = ∫ e^{−ku} exp(−Z e^{−u}) du/Γ(k), and the logits part:
//
//	E Σα^k = n/Γ(k) ∫ φ_k φ_0^{n−1} du,  φ_k(u) = E[x^k e^{−x}], x = e^{s−u},
//
// and so for products over several keys. As ln Z/Z = −∫ (ln t + γ) e^{−tZ} dt, E H = n∫ φ_H φ_0^{n−1} du with
// φ_H = −E[x e^{−x} (ln x + γ)].
//
// The integrals over u are sums over points of logLattice. Given Z, that of 1/Z^k of step h
// is off by no more than 2Σ_{m≥1} |Γ(k + 2πim/h)|/Γ(k) of its value, whatever
// Z is: at h = 0.22 by 1e-16 for k = 2. Where the logits
// are wide the step may grow with what ln Z spreads, about σ/√(2 ln n).
func softmaxSums(keys int, sigma float64) Softmax {
	moments := newLogitMoments(sigma, 1)
	s := Softmax{Keys: keys}
	wide := max(1, sigma/FreezingSigma(keys))
	from, lattice := usualLog(keys, sigma), logLattice{wide, 0.22}
	outward(0, func(i int) bool {
		by, step := lattice.at(i)
		size, rest := s.addSums(moments.at(from+by), step)
		if i < 0 {
			return float64(size*rest) >= 1e-18
		}
		return size >= 1e-15
	})
	return s
}

// usualLog is where ln Z of n logits N(0, σ²) lies, to a few times the larger of 1 and σ/√(2 ln n):
// ln n + σ²/2, and σ√(2 ln n) beyond FreezingSigma (Derrida).
func usualLog(keys int, sigma float64) float64 {
	if freezing := FreezingSigma(keys); sigma > freezing {
		return float64(sigma * freezing)
	}
	return elementary.Log(float64(keys)) + float64(sigma*sigma/2)
}

// logLattice holds points for integrals over the real line of functions that fall like e^{−u}
// from about the first point on: by = wide·(x + e^x) from there with x = i·step, whose distance
// grows like e^u, so that a few reach as far as hundreds (Takahasi and Mori, Double
// exponential formulas for numerical integration, Publications of RIMS 9, 1974).
type logLattice struct{ wide, step float64 }

// at is how far the i-th point lies from the first, and its weight.
func (l logLattice) at(i int) (by, weight float64) {
	x := float64(float64(i) * l.step)
	e := elementary.Exp(x)
	return float64(l.wide * (x + e)), float64(l.wide * l.step * (1 + e))
}

// addSums adds the terms of a point to the sums. It returns how large they are,
// but for the power φ_0^{n−2}, and that.
func (s *Softmax) addSums(phi kernelSums, step float64) (size, two float64) {
	n := float64(s.Keys)
	few, two := 0.0, 1.0 // φ_0^{n−3}, which two keys have no use for, and φ_0^{n−2}
	if s.Keys > 2 {
		few = power(phi[0], s.Keys-3)
		two = float64(few * phi[0])
	}
	w := float64(step * n)
	pair := float64(w * (n - 1) * two)
	one := float64(w * two * phi[0])
	s.Collision += float64(one * phi[2])
	s.Entropy += float64(one * phi[3])
	s.Trace += float64(pair * phi[1] * phi[1])
	squares := float64(pair * phi[2] * phi[2] / 6)                                 // E Σ_{i≠j} α_i²α_j²
	triples := float64(w * (n - 1) * (n - 2) * few * phi[2] * phi[1] * phi[1] / 6) // E Σα_i²α_jα_k
	// Σα_i²(1−α_i)² + Σ_{i≠j} α_i²α_j² is 2Σα_i²α_j² + Σα_i²α_jα_k, over
	// keys that differ.
	s.JacobianSquare += float64(2*squares) + triples
	s.TargetSquare += squares + triples // Σα_i²(1−α_i)²
	// Σα_i²(z_i − Σα_jz_j)² is Σα_i²α_jα_k(z_i−z_j)(z_i−z_k), over j and k that
	// are not i.
	s.SlopeSquare += float64(pair*(float64(phi[6]*phi[2])-float64(phi[5]*phi[5]))/3) +
		float64(w*(n-1)*(n-2)*few*(float64(phi[6]*phi[1]*phi[1])-float64(2*phi[5]*phi[4]*phi[1])+
			float64(phi[2]*phi[4]*phi[4]))/6)
	return float64(w * phi[1]), two
}

// logitMoments computes φ_0, φ_1, φ_2 and φ_H for logits of the distribution N(0, σ²).
type logitMoments struct {
	sigma float64
	rule  quadrature
	over  []float64 // its points over σ
	// Narrow logits: rule is one for s, of weights with the density in them,
	// and scale is e^s. Wide ones: rule is one for y = s − u, and kernel holds
	// its weight times e^{−x}, x = e^y, over the density's σ√(2π); scale is x.
	narrow        bool
	scale, kernel []float64
}

const (
	kernelFloor   = -38.0 // e^y is below 2⁻⁵⁴ before
	kernelCeiling = 3.8   // exp(−e^y) is below 1e-19 beyond
)

// coarse makes a rule of half the points good to 1e-11.
const coarse = 1.5

// newLogitMoments chooses the rule of quadrature for that σ. Its error is 1e-16 or so, to the
// power of 1/wide.
func newLogitMoments(sigma, wide float64) *logitMoments {
	m := &logitMoments{sigma: sigma, narrow: sigma <= 2}
	if m.narrow {
		// The trapezoidal rule over s/σ: the kernel's transform falls like
		// exp(−πω/2σ), the density's like exp(−ω²/2).
		step := float64(wide * min(0.5, 0.25/sigma))
		last := int(9 / float64(math.Sqrt(wide)*step))
		for i := -last; i <= last; i++ {
			z := float64(float64(i) * step)
			m.rule.at = append(m.rule.at, float64(sigma*z))
			m.rule.weight = append(m.rule.weight, float64(step*density(z))/sqrt2Pi)
			m.scale = append(m.scale, elementary.Exp(float64(sigma*z)))
			m.over = append(m.over, float64(sigma*z)/sigma)
		}
		return m
	}
	width := 4 * sigma // of a panel at most, for the density
	m.rule.panels(1.9, kernelCeiling, width)
	m.rule.panels(0, 1.9, width)
	gradedPanels(&m.rule, 1, -kernelFloor, width)
	m.scale = make([]float64, len(m.rule.at))
	m.kernel = make([]float64, len(m.rule.at))
	m.over = make([]float64, len(m.rule.at))
	for i, y := range m.rule.at {
		m.over[i] = y / sigma
		m.scale[i] = elementary.Exp(y)
		m.kernel[i] = float64(m.rule.weight[i]*elementary.Exp(-m.scale[i])) / float64(sqrt2Pi*sigma)
	}
	return m
}

// gradedPanels adds a rule for (−depth/scale, 0), whose panels widen to the
// left as e^{scale·y} grows smoother, up to a width.
func gradedPanels(q *quadrature, scale, depth, width float64) {
	from := 0.0
	for _, to := range [...]float64{2, 5, 10, 20, depth} {
		to = min(to, depth)
		if to <= from {
			break
		}
		q.panels(-to/scale, -from/scale, width)
		from = to
	}
}

const sqrt2Pi = 2.50662827463100050242

// at is φ_0, φ_1, φ_2 and φ_H at u.
func (m *logitMoments) at(u float64) (phi kernelSums) {
	if m.narrow {
		shrink := elementary.Exp(-u)
		for i, s := range m.rule.at {
			x := float64(m.scale[i] * shrink)
			phi.add(float64(m.rule.weight[i]*elementary.Exp(-x)), x, s-u, m.over[i])
		}
		return phi
	}
	for i, y := range m.rule.at {
		phi.add(float64(m.kernel[i]*density((u+y)/m.sigma)), m.scale[i], y, m.over[i])
	}
	if below := (u + kernelFloor) / m.sigma; below > -9 {
		phi[0] += normalBelow(below)
	}
	return phi
}

// normalBelow is Φ(x).
func normalBelow(x float64) float64 { return float64(elementary.Erfc(-x*math.Sqrt2/2) / 2) }

// kernelSums are sums of e^{−x}, x e^{−x}, x²e^{−x} and −x e^{−x}(ln x + γ), and of
// x e^{−x}z, x²e^{−x}z and x²e^{−x}z², z being the logit over σ, but for a shift that
// all have in common.
type kernelSums [7]float64

// add counts one x, given e^{−x} times its weight, ln x and z.
func (k *kernelSums) add(e, x, logX, z float64) {
	k[0] += e
	e = float64(e * x)
	k[1] += e
	k[4] += float64(e * z)
	k[3] -= float64(e * (logX + eulerGamma))
	e = float64(e * x)
	k[2] += e
	k[5] += float64(e * z)
	k[6] += float64(e * z * z)
}
