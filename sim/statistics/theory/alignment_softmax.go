package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// AlignedRow holds the expectations of what softmax makes of one key that is
// aligned with the query by ρ among n − 1 that are independent of it.
type AlignedRow struct {
	Weight        float64 // of the aligned key
	WeightSquare  float64 // the mean of its square
	RelativeTrace float64 // R
	First         float64 // chance that its score is the greatest
}

// alignedPoint is what an AlignedRow depends on.
type alignedPoint struct {
	keys, d    int
	rho, scale float64
}

var (
	alignedRows   memo[alignedPoint, AlignedRow]
	alignedFirsts memo[alignedPoint, float64] // of points without a scale, which does not change the order
)

// AlignedSoftmax is the AlignedRow of n ≥ 2 logits scale·q·k_j, all components
// standard normal. Given |q| = r the logit of the aligned key has the distribution
// N(ρ·scale·r², (1−ρ²)scale²r²), and the others N(0, scale²r²), all
// independent. It is good to 1e-7.
func AlignedSoftmax(keys, d int, rho, scale float64) AlignedRow {
	at := alignedPoint{keys, d, rho, scale}
	return alignedRows.of(at, at.row)
}

// row is the mean over lengths of the query.
func (a alignedPoint) row() (row AlignedRow) {
	IntegrateLengths(a.d, lengthStep(a.d, a.steep()), func(weight, r float64) {
		given := a.given(float64(math.Sqrt(float64(a.d)) * r))
		row.Weight += float64(weight * given.Weight)
		row.WeightSquare += float64(weight * given.WeightSquare)
		row.RelativeTrace += float64(weight * given.RelativeTrace)
	})
	unscaled := alignedPoint{keys: a.keys, d: a.d, rho: a.rho}
	row.First = alignedFirsts.of(unscaled, unscaled.firsts)
	return row
}

// firsts is the First of every scale.
func (a alignedPoint) firsts() (first float64) {
	rest := math.Sqrt(1 - square(a.rho))
	IntegrateLengths(a.d, lengthStep(a.d, float64(4*elementary.Log(float64(a.keys)))+2), func(weight, r float64) {
		first += float64(weight * a.first(float64(math.Sqrt(float64(a.d))*r), rest))
	})
	return first
}

// lengthStep is a step of IntegrateLengths that is good to 1e-8 for a function of v whose poles are
// π/steep from the real line. On a line at i·a the density grows by cos(2a)^{−d/2}, so that the sum
// is off by that times exp(−2πa/step): the line serves best that allows the longest step.
func lengthStep(d int, steep float64) (step float64) {
	const digits, lines = 21, 16
	for i := 1; i < lines; i++ {
		a := float64(float64(i)/lines) * math.Pi / max(4, steep)
		_, cos := elementary.Sincos(2 * a)
		step = max(step, float64(2*math.Pi*a)/(digits-float64(float64(d)*elementary.Log(cos)/2)))
	}
	return step
}

// steep is how fast ρ·scale·r², which softmax compares with ln Z, grows with ln r in units of what
// ln Z spreads: where the two are alike, or at the greatest length that is likely.
func (a alignedPoint) steep() float64 {
	r := math.Sqrt(float64(a.d)) + 3
	return min(float64(2*math.Abs(a.rho)*a.scale*r*r), float64(4*elementary.Log(float64(a.keys)))+2)
}

// IntegrateLengths calls f with values of |q|/√d of vectors of d standard normal
// components, each with its weight, of 1 in all: the trapezoidal rule in
// v = ln(|q|/√d), of the density exp(d(v − (e^{2v} − 1)/2)). Toward −∞ that falls like
// e^{dv} alone: it ends where nothing is left of 1e-11 of what falls like the square of a
// length.
func IntegrateLengths(d int, step float64, f func(weight, r float64)) {
	n := float64(d)
	var q quadrature
	var total float64
	outward(0, func(i int) bool {
		v := float64(float64(i) * step)
		p := float64(n * (v - float64(elementary.Expm1(2*v)/2)))
		if p < -25 {
			return false
		}
		q.at, q.weight = append(q.at, elementary.Exp(v)), append(q.weight, elementary.Exp(p))
		total += q.weight[len(q.weight)-1]
		return true
	})
	for i, r := range q.at {
		f(q.weight[i]/total, r)
	}
}

// given is the row for a query of length r, without First.
func (a alignedPoint) given(r float64) AlignedRow {
	rest := math.Sqrt(1 - square(a.rho))
	sigma := float64(a.scale * r)
	var row AlignedRow
	mean := float64(a.rho * float64(sigma*r))
	own, others := newLogitMoments(float64(sigma*rest), coarse), newLogitMoments(sigma, coarse)

	// 1/Z² is an integral over u, as in softmaxSums, from about the greatest ln Z that is likely.
	n := float64(a.keys)
	spread := sigma / FreezingSigma(a.keys)
	wide := max(1, min(spread, float64(sigma*rest)))
	from := max(usualLog(a.keys, sigma)+float64(4*spread), mean+float64(4*sigma*rest))
	points := logLattice{wide, 0.4}
	var pairs float64 // E Σα_iα_j over keys that differ, of which R keeps its digits where it is small
	outward(0, func(i int) bool {
		by, step := points.at(i)
		k := others.at(from + by)
		q := k
		if a.rho != 0 {
			q = own.at(from - mean + by) // which is small, however large the two are
		}
		few, two := 0.0, step // times φ_0^{n−3}, which two keys have no use for, and φ_0^{n−2}
		if a.keys > 2 {
			few = float64(step * power(k[0], a.keys-3))
			two = float64(few * k[0])
		}
		row.Weight += float64(float64(q[1]*two) * k[0])
		row.WeightSquare += float64(float64(q[2]*two) * k[0])
		pairs += float64(float64(2*q[1])*float64(k[1]*two)) +
			float64(float64((n-2)*q[0])*float64(float64(k[1]*k[1])*few))
		if i < 0 {
			return float64(two*float64(k[0]*q[0])) >= 1e-16
		}
		return float64(step*(q[1]+float64(n*k[1]))) >= 1e-9
	})
	row.RelativeTrace = float64((n-1)*pairs) / (1 - 1/n)
	return row
}

// first is the chance that ρr + √(1−ρ²)z exceeds n − 1 other normal numbers.
func (a alignedPoint) first(r, rest float64) float64 {
	step := 0.4 / FreezingSigma(a.keys) // the chance falls from 1 to 0 over about 1/√(2 ln n)
	last := int(7 / step)
	var sum float64
	for i := -last; i <= last; i++ {
		z := float64(float64(i) * step)
		sum += float64(density(z) * power(normalBelow(float64(a.rho*r)+float64(rest*z)), a.keys-1))
	}
	return float64(step*sum) / sqrt2Pi
}
