package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// SharedQuerySoftmax returns the Softmax of n ≥ 1 logits scale·q·k_j of one query q and n keys, all
// with d independent standard normal components; attention has scale = d^(−p). Given |q| the logits
// are independent and have the distribution N(0, scale²|q|²), and |q|² has the distribution χ²_d.
//
// The derivative of the weights with respect to the keys is scale·J ⊗ q. Its squared norm is
// scale²|q|²‖J‖_F², and KeySquare is the mean of this. The derivative of the weight of one key t
// with respect to that key is scale·α_t(1−α_t)·q.
//
// The derivative with respect to the query is scale·JK, where the rows of K are the keys. The
// component of a key along q is z = s/(scale·|q|), s being its logit; its d − 1 components
// perpendicular to q are independent of the weights. Therefore the mean square of the norm given
// |q| is scale²((d − 1)‖J‖_F² + Σα²(z − Σαz)²), and QuerySquare is the mean of this.
//
// For n ≤ 4096 the error is at most 3e-11; for KeySquare it is at most (1 + scale·√d)·3e-11. The
// mean over |q| needs NewSoftmax at a few tens of points, which are shared with other d and scales.
// SharedQuerySoftmax panics unless n ≥ 1, d ≥ 1 and scale ≥ 0.
func SharedQuerySoftmax(keys, d int, scale float64) Softmax {
	s := averageOverQueries(keys, d, scale)
	if math.IsInf(scale, 1) {
		return s // QuerySquare does not exist
	}
	s.QuerySquare = float64(float64(scale*scale) * (float64(float64(d-1)*s.JacobianSquare) + s.SlopeSquare))
	return s
}

// averageOverQueries returns SharedQuerySoftmax without QuerySquare, by a rule that depends on d.
func averageOverQueries(keys, d int, scale float64) Softmax {
	switch {
	case keys < 1 || d < 1 || !(scale >= 0):
		panic("theory: SharedQuerySoftmax needs n ≥ 1, d ≥ 1 and scale ≥ 0")
	case keys == 1 || scale == 0:
		return newUniformSoftmax(keys)
	case math.IsInf(scale, 1):
		return newHardSoftmax(keys)
	case d >= minGaussDimension:
		return gaussAverage(keys, d, scale)
	}
	return trapezoidalAverage(keys, d, scale)
}

// gaussAverage returns the mean over |q|²/2 by Gauss's rule. The points of this rule are not on the
// lattice of trapezoidalAverage, so that the values there are interpolated.
func gaussAverage(keys, d int, scale float64) Softmax {
	q := squaredLengthRule(d)
	s := Softmax{Keys: keys}
	for i, halfSquare := range q.points {
		sigma := float64(scale * math.Sqrt(float64(2*halfSquare)))
		s.addDifference(q.weights[i], interpolateSoftmax(keys, sigma), Softmax{})
	}
	return s
}

// trapezoidalAverage returns the mean over |q| by the trapezoidal rule in ln(scale·|q|), on a
// lattice that does not depend on the scale, so that all scales share the points of one n. The
// error of the rule is below 1e-11.
func trapezoidalAverage(keys, d int, scale float64) Softmax {
	uniform := newUniformSoftmax(keys)
	middle := elementary.Log(scale) + float64(elementary.Log(float64(d))/2)
	step := queryLatticeStep(d)
	first := int(math.RoundToEven(middle / step))

	// With σ = scale·√d·e^v the density of v is proportional to exp(d·(v − (e^{2v} − 1)/2)).
	var total float64
	var sum Softmax
	visitOutward(first, func(i int) bool {
		logSigma := float64(float64(i) * step)
		v := logSigma - middle
		p := float64(float64(d) * (v - float64(elementary.Expm1(2*v)/2)))
		if p < -36 {
			return false
		}
		weight := elementary.Exp(p)
		total += weight
		// The difference from uniform weights is O(σ).
		if sigma := elementary.Exp(logSigma); float64(weight*min(1, sigma)*step*math.Sqrt(float64(d))) > 1e-13 {
			sum.addDifference(weight, NewSoftmax(keys, sigma), uniform)
		}
		return true
	})
	average := uniform
	average.addDifference(1/total, sum, Softmax{})
	return average
}

// Distance of lattice points in ln σ, and number of points of an interpolation polynomial.
const interpolationStep, interpolationPoints = 1.0 / 16, 16

// interpolateSoftmax returns NewSoftmax by Lagrange's polynomial through the interpolationPoints
// nearest points of a lattice in ln σ, which adds less than 1e-11 to the error.
func interpolateSoftmax(keys int, sigma float64) Softmax {
	position := float64(elementary.Log(sigma) / interpolationStep)
	first := int(math.Floor(position)) - interpolationPoints/2 + 1
	s := Softmax{Keys: keys}
	for i := first; i < first+interpolationPoints; i++ {
		weight := 1.0
		for j := first; j < first+interpolationPoints; j++ {
			if j != i {
				weight *= (position - float64(j)) / float64(i-j)
			}
		}
		s.addDifference(weight, NewSoftmax(keys, elementary.Exp(float64(float64(i)*interpolationStep))), Softmax{})
	}
	return s
}

// queryLatticeStep returns the step of the sum over ln |q|, whose standard deviation is about
// 1/√(2d). The steps are powers of two, so that the lattice of 1/16 contains the lattice of 1/8.
func queryLatticeStep(d int) float64 {
	if d <= 8 {
		return 1.0 / 8
	}
	return 1.0 / 16
}

// addDifference adds weight·(x − y) to all linearFields of s.
func (s *Softmax) addDifference(weight float64, x, y Softmax) {
	minuends, subtrahends := x.linearFields(), y.linearFields()
	for i, field := range s.linearFields() {
		*field += float64(weight * (*minuends[i] - *subtrahends[i]))
	}
}

// linearFields returns the fields that are averaged over queries. QuerySquare follows from them.
func (s *Softmax) linearFields() [10]*float64 {
	return [...]*float64{&s.MaxWeight, &s.MaxSquare, &s.Collision, &s.Trace, &s.JacobianSquare,
		&s.SlopeSquare, &s.KeySquare, &s.Entropy, &s.TargetSlope, &s.TargetSquare}
}
