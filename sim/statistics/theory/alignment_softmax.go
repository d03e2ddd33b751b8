package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// AlignedRow holds expectations over the softmax of a row in which one key is aligned with the
// query by ρ (see Aligned) and n − 1 are independent of it.
type AlignedRow struct {
	Weight           float64 // mean weight of the aligned key
	WeightSquare     float64 // mean square of that weight
	RelativeTrace    float64 // E R (see Softmax.RelativeTrace)
	FirstProbability float64 // probability that the aligned key has the largest score
}

type alignedPoint struct {
	keys, d    int
	rho, scale float64
}

var (
	alignedRows memo[alignedPoint, AlignedRow]
	// The points have scale 0, because the order of the scores does not depend on the scale.
	alignedFirstProbabilities memo[alignedPoint, float64]
)

// AlignedSoftmax returns the AlignedRow of n ≥ 2 logits scale·q·k_j, where all components are
// standard normal. Given |q| = r, the logits are independent: the logit of the aligned key has the
// distribution N(ρ·scale·r², (1−ρ²)scale²r²), and the others have N(0, scale²r²). Errors are at
// most 1e-7.
func AlignedSoftmax(keys, d int, rho, scale float64) AlignedRow {
	point := alignedPoint{keys, d, rho, scale}
	return alignedRows.get(point, point.averageRow)
}

// averageRow returns the mean of conditionalRow over the lengths of the query.
func (a alignedPoint) averageRow() (row AlignedRow) {
	IntegrateLengths(a.d, lengthStep(a.d, a.logitSlope()), func(weight, r float64) {
		conditional := a.conditionalRow(float64(math.Sqrt(float64(a.d)) * r))
		row.Weight += float64(weight * conditional.Weight)
		row.WeightSquare += float64(weight * conditional.WeightSquare)
		row.RelativeTrace += float64(weight * conditional.RelativeTrace)
	})
	unscaled := alignedPoint{keys: a.keys, d: a.d, rho: a.rho}
	row.FirstProbability = alignedFirstProbabilities.get(unscaled, unscaled.firstProbability)
	return row
}

// firstProbability returns FirstProbability, which is the same for every scale.
func (a alignedPoint) firstProbability() (first float64) {
	independent := math.Sqrt(1 - square(a.rho))
	IntegrateLengths(a.d, lengthStep(a.d, float64(4*elementary.Log(float64(a.keys)))+2), func(weight, r float64) {
		first += float64(weight * a.conditionalFirstProbability(float64(math.Sqrt(float64(a.d))*r), independent))
	})
	return first
}

// lengthStep returns a step of IntegrateLengths with an error of 1e-8 for a function of v = ln r
// whose poles are at a distance of π/slope from the real line. On a parallel line at the height a,
// a < π/4, the density grows by cos(2a)^{−d/2}. The error of the sum is this factor times
// exp(−2πa/step). The step is the largest that one of several heights a allows.
func lengthStep(d int, slope float64) (step float64) {
	const minusLogError, lines = 21, 16
	for i := 1; i < lines; i++ {
		height := float64(float64(i)/lines) * math.Pi / max(4, slope)
		_, cos := elementary.Sincos(2 * height)
		step = max(step, float64(2*math.Pi*height)/(minusLogError-float64(float64(d)*elementary.Log(cos)/2)))
	}
	return step
}

// logitSlope returns the slope for the lengthStep of averageRow: the rate at which the mean logit
// of the aligned key, ρ·scale·r², changes with ln r. The rate counts, in units of the standard
// deviation of ln Z, at the length r for which the mean logit is about ln Z. There it is at most
// about 4·ln(n), and the 2 is a margin. The rate at the largest likely length may be smaller.
func (a alignedPoint) logitSlope() float64 {
	r := math.Sqrt(float64(a.d)) + 3
	return min(float64(2*math.Abs(a.rho)*a.scale*r*r), float64(4*elementary.Log(float64(a.keys)))+2)
}

// IntegrateLengths calls f with values of r = |q|/√d, for vectors q of d standard normal
// components, and with the weights of these values, which sum to 1. It uses the trapezoidal rule
// over v, the logarithm of r, whose density is proportional to exp(d(v − (e^{2v} − 1)/2)). Toward
// −∞ this falls only like e^{dv}. The sum ends where the density is below 1.4e-11 of its maximum,
// e⁻²⁵.
func IntegrateLengths(d int, step float64, f func(weight, r float64)) {
	n := float64(d)
	var q quadrature
	var total float64
	visitOutward(0, func(i int) bool {
		v := float64(float64(i) * step)
		p := float64(n * (v - float64(elementary.Expm1(2*v)/2)))
		if p < -25 {
			return false
		}
		q.points, q.weights = append(q.points, elementary.Exp(v)), append(q.weights, elementary.Exp(p))
		total += q.weights[len(q.weights)-1]
		return true
	})
	for i, r := range q.points {
		f(q.weights[i]/total, r)
	}
}

// conditionalRow returns the AlignedRow for a query of length r, without FirstProbability.
func (a alignedPoint) conditionalRow(r float64) AlignedRow {
	independent := math.Sqrt(1 - square(a.rho))
	sigma := float64(a.scale * r)
	var row AlignedRow
	mean := float64(a.rho * float64(sigma*r))
	aligned, others := newLogitMoments(float64(sigma*independent), coarseSpacing), newLogitMoments(sigma, coarseSpacing)

	// 1/Z² is an integral over u, as in softmaxSums, from about the largest likely ln Z.
	n := float64(a.keys)
	logSumSD := sigma / FreezingSigma(a.keys) // about the standard deviation of ln Z for large σ
	width := max(1, min(logSumSD, float64(sigma*independent)))
	start := max(typicalLogSum(a.keys, sigma)+float64(4*logSumSD), mean+float64(4*sigma*independent))
	lattice := logLattice{width: width, step: 0.4}
	// pairs is E tr J/(n − 1) with tr J = Σ_{i≠j} α_iα_j. Unlike 1 − Σα², it keeps all digits.
	var pairs float64
	visitOutward(0, func(i int) bool {
		offset, step := lattice.point(i)
		phi := others.sums(start + offset)
		psi := phi // the same for the aligned key
		if a.rho != 0 {
			psi = aligned.sums(start - mean + offset) // start − mean may be small though both are large
		}
		// step·φ_0^{n−3}, which two keys do not need, and step·φ_0^{n−2}
		power3, power2 := 0.0, step
		if a.keys > 2 {
			power3 = float64(step * power(phi.phi0, a.keys-3))
			power2 = float64(power3 * phi.phi0)
		}
		row.Weight += float64(float64(psi.phi1*power2) * phi.phi0)
		row.WeightSquare += float64(float64(psi.phi2*power2) * phi.phi0)
		pairs += float64(float64(2*psi.phi1)*float64(phi.phi1*power2)) +
			float64(float64((n-2)*psi.phi0)*float64(float64(phi.phi1*phi.phi1)*power3))
		if i < 0 {
			return float64(power2*float64(phi.phi0*psi.phi0)) >= 1e-16
		}
		return float64(step*(psi.phi1+float64(n*phi.phi1))) >= 1e-9
	})
	row.RelativeTrace = float64((n-1)*pairs) / (1 - 1/n)
	return row
}

// conditionalFirstProbability returns the probability that ρr + independent·z exceeds n − 1
// standard normal numbers, where z is standard normal, too, and independent = √(1−ρ²).
func (a alignedPoint) conditionalFirstProbability(r, independent float64) float64 {
	step := 0.4 / FreezingSigma(a.keys) // the probability changes from 0 to 1 over about 1/√(2 ln n)
	last := int(7 / step)
	var sum float64
	for i := -last; i <= last; i++ {
		z := float64(float64(i) * step)
		sum += float64(density(z) * power(normalBelow(float64(a.rho*r)+float64(independent*z)), a.keys-1))
	}
	return float64(step*sum) / sqrt2Pi
}
