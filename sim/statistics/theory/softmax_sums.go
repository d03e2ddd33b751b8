package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

const eulerGamma = 0.57721566490153286061

// softmaxSums returns the Softmax without the moments of the maximum. With t = e^{−u},
// 1/Z^k = ∫ e^{−ku} exp(−Z e^{−u}) du/Γ(k), so that the expectation factors over the logits:
//
//	E Σα^k = n/Γ(k) ∫ φ_k φ_0^{n−1} du,  φ_k(u) = E[x^k e^{−x}], x = e^{s−u},
//
// and similarly for products over several keys. From ln Z/Z = −∫ (ln t + γ) e^{−tZ} dt, with
// Euler's constant γ, follows E H = n∫ φ_H φ_0^{n−1} du with φ_H = −E[x e^{−x} (ln x + γ)].
//
// The integrals over u are sums over points of logLattice. For any Z, the relative error of the sum
// for 1/Z^k with step h is at most 2Σ_{m≥1} |Γ(k + 2πim/h)|/Γ(k): 1e-16 at h = 0.22 for k = 2. For
// large σ the step may grow like the standard deviation of ln Z, about σ/√(2 ln n).
func softmaxSums(keys int, sigma float64) Softmax {
	moments := newLogitMoments(sigma, fineSpacing)
	s := Softmax{Keys: keys}
	width := max(1, sigma/FreezingSigma(keys))
	start, lattice := typicalLogSum(keys, sigma), logLattice{width: width, step: 0.22}
	visitOutward(0, func(i int) bool {
		offset, step := lattice.point(i)
		size, power2 := s.addTerms(moments.sums(start+offset), step)
		if i < 0 {
			return float64(size*power2) >= 1e-18
		}
		return size >= 1e-15
	})
	return s
}

// typicalLogSum returns a typical value of ln Z of n logits N(0, σ²), to within a few times the
// larger of 1 and σ/√(2 ln n): ln n + σ²/2 up to FreezingSigma, σ√(2 ln n) above it (Derrida).
func typicalLogSum(keys int, sigma float64) float64 {
	if freezing := FreezingSigma(keys); sigma > freezing {
		return float64(sigma * freezing)
	}
	return elementary.Log(float64(keys)) + float64(sigma*sigma/2)
}

// logLattice holds points for integrals over the real line of functions that fall like e^{−u} for u
// above some start. The offset from the start is width·(x + e^x) with x = i·step. The distance of
// the points grows like e^x, so that a few points reach as far as hundreds of equal steps (Takahasi
// and Mori, Double exponential formulas for numerical integration, Publications of RIMS 9, 1974).
type logLattice struct{ width, step float64 }

// point returns the offset of the i-th point from the start and its weight.
func (l logLattice) point(i int) (offset, weight float64) {
	x := float64(float64(i) * l.step)
	e := elementary.Exp(x)
	return float64(l.width * (x + e)), float64(l.width * l.step * (1 + e))
}

// addTerms adds to the sums the terms of one point u, which has the weight step. The terms have the
// common factor power2 = φ_0^{n−2}; it returns their size without this factor, and the factor.
func (s *Softmax) addTerms(phi kernelSums, step float64) (size, power2 float64) {
	n := float64(s.Keys)
	power3, power2 := 0.0, 1.0 // φ_0^{n−3}, which is not needed for two keys, and φ_0^{n−2}
	if s.Keys > 2 {
		power3 = power(phi.phi0, s.Keys-3)
		power2 = float64(power3 * phi.phi0)
	}
	w := float64(step * n)
	pair := float64(w * (n - 1) * power2)
	single := float64(w * power2 * phi.phi0)
	s.Collision += float64(single * phi.phi2)
	s.Entropy += float64(single * phi.phiH)
	s.Trace += float64(pair * phi.phi1 * phi.phi1)
	squares := float64(pair * phi.phi2 * phi.phi2 / 6)                                      // E Σ_{i≠j} α_i²α_j²
	triples := float64(w * (n - 1) * (n - 2) * power3 * phi.phi2 * phi.phi1 * phi.phi1 / 6) // E Σα_i²α_jα_k
	// ‖J‖_F² = Σα_i²(1−α_i)² + Σ_{i≠j} α_i²α_j² = 2Σα_i²α_j² + Σα_i²α_jα_k over distinct keys.
	s.JacobianSquare += float64(2*squares) + triples
	s.TargetSquare += squares + triples // E Σα_i²(1−α_i)²
	// Σα_i²(z_i − Σα_jz_j)² = Σα_i²α_jα_k(z_i−z_j)(z_i−z_k) over j ≠ i and k ≠ i.
	s.SlopeSquare += float64(pair*(float64(phi.phi2zz*phi.phi2)-float64(phi.phi2z*phi.phi2z))/3) +
		float64(w*(n-1)*(n-2)*power3*(float64(phi.phi2zz*phi.phi1*phi.phi1)-float64(2*phi.phi2z*phi.phi1z*phi.phi1)+
			float64(phi.phi2*phi.phi1z*phi.phi1z))/6)
	return float64(w * phi.phi1), power2
}

// logitMoments computes the kernelSums of logits s of the distribution N(0, σ²), which contain φ_0,
// φ_1, φ_2 and φ_H of softmaxSums. For narrow logits the rule is over s, and its weights contain
// the density of s. For wide ones it is over y = s − u.
type logitMoments struct {
	sigma        float64
	rule         quadrature
	standardized []float64 // points of the rule over σ
	isNarrow     bool
	scale        []float64 // e^s if isNarrow, otherwise x = e^y
	kernel       []float64 // for wide logits: weight·e^{−x}/(σ√(2π))
}

const (
	kernelFloor   = -38.0 // e^y is below 2⁻⁵⁴ for smaller y
	kernelCeiling = 3.8   // exp(−e^y) is below 1e-19 for larger y
)

// Values of spacing for newLogitMoments, which give errors of about 1e-16 and 1e-11.
const fineSpacing, coarseSpacing = 1, 1.5

// newLogitMoments chooses the quadrature rule for σ. For narrow logits the spacing multiplies the
// distance of the points and is at least 1; the error is about 1e-16 to the power 1/spacing.
func newLogitMoments(sigma, spacing float64) *logitMoments {
	m := &logitMoments{sigma: sigma, isNarrow: sigma <= 2}
	if m.isNarrow {
		// The trapezoidal rule over s/σ: at the frequency ω the Fourier transform of the kernel
		// falls like exp(−πω/2σ), and the transform of the density like exp(−ω²/2).
		step := float64(spacing * min(0.5, 0.25/sigma))
		last := int(9 / float64(math.Sqrt(spacing)*step))
		for i := -last; i <= last; i++ {
			z := float64(float64(i) * step)
			m.rule.points = append(m.rule.points, float64(sigma*z))
			m.rule.weights = append(m.rule.weights, float64(step*density(z))/sqrt2Pi)
			m.scale = append(m.scale, elementary.Exp(float64(sigma*z)))
			m.standardized = append(m.standardized, float64(sigma*z)/sigma)
		}
		return m
	}
	width := 4 * sigma // maximum width of a panel, so that the density is smooth in it
	m.rule.addPanels(1.9, kernelCeiling, width)
	m.rule.addPanels(0, 1.9, width)
	m.rule.addGradedPanels(1, -kernelFloor, width)
	m.scale = make([]float64, len(m.rule.points))
	m.kernel = make([]float64, len(m.rule.points))
	m.standardized = make([]float64, len(m.rule.points))
	for i, y := range m.rule.points {
		m.standardized[i] = y / sigma
		m.scale[i] = elementary.Exp(y)
		m.kernel[i] = float64(m.rule.weights[i]*elementary.Exp(-m.scale[i])) / float64(sqrt2Pi*sigma)
	}
	return m
}

// addGradedPanels adds a rule for (−depth/scale, 0). Its panels widen to the left, where
// e^{scale·y} is smoother, up to the given width.
func (q *quadrature) addGradedPanels(scale, depth, width float64) {
	left := 0.0
	for _, right := range [...]float64{2, 5, 10, 20, depth} {
		right = min(right, depth)
		if right <= left {
			break
		}
		q.addPanels(-right/scale, -left/scale, width)
		left = right
	}
}

const sqrt2Pi = 2.50662827463100050242

// sums returns the kernelSums at u.
func (m *logitMoments) sums(u float64) (phi kernelSums) {
	if m.isNarrow {
		shrink := elementary.Exp(-u)
		for i, s := range m.rule.points {
			x := float64(m.scale[i] * shrink)
			phi.add(float64(m.rule.weights[i]*elementary.Exp(-x)), x, s-u, m.standardized[i])
		}
		return phi
	}
	for i, y := range m.rule.points {
		phi.add(float64(m.kernel[i]*density((u+y)/m.sigma)), m.scale[i], y, m.standardized[i])
	}
	if floor := (u + kernelFloor) / m.sigma; floor > -9 {
		phi.phi0 += normalBelow(floor) // below the floor e^{−x} is 1
	}
	return phi
}

// normalBelow returns the normal distribution function Φ(x).
func normalBelow(x float64) float64 { return float64(elementary.Erfc(-x*math.Sqrt2/2) / 2) }

// kernelSums holds expectations at one u, with x = e^{s−u}. z is the logit over σ up to a shift
// that is the same for all logits.
type kernelSums struct {
	phi0, phi1, phi2     float64 // E e^{−x}, E x e^{−x} and E x²e^{−x}
	phiH                 float64 // −E x e^{−x}(ln x + γ) with Euler's constant γ
	phi1z, phi2z, phi2zz float64 // E x e^{−x}z, E x²e^{−x}z and E x²e^{−x}z²
}

// add adds the terms of one x, given e, which is e^{−x} times the weight of x, ln x and z.
func (k *kernelSums) add(e, x, logX, z float64) {
	k.phi0 += e
	e = float64(e * x)
	k.phi1 += e
	k.phi1z += float64(e * z)
	k.phiH -= float64(e * (logX + eulerGamma))
	e = float64(e * x)
	k.phi2 += e
	k.phi2z += float64(e * z)
	k.phi2zz += float64(e * z * z)
}
