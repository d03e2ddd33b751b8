package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// SharedQuerySoftmax is the Softmax of n ≥ 1 logits scale·q·k_j of one query q
// and n keys, all with d independent standard normal components: with
// scale = d^(−p) those of attention. Given |q| the logits are independent with
// the distribution N(0, scale²|q|²), and |q|² has the distribution χ²_d.
//
// By the keys the weights have the derivative scale·J ⊗ q, of which the square
// of the norm is scale²|q|²‖J‖_F²: KeySquare is its mean. The weight of one key t has the
// derivative scale·α_t(1−α_t)·q with respect to that key.
//
// By the query it is scale·JK. Along q a key's component is s/(scale·|q|), and
// across it there are d − 1 others, independent of the weights, so that the mean
// square of the norm given |q| is scale²((d − 1)‖J‖_F² + Σα²(z − Σαz)²):
// QuerySquare is its mean.
//
// It is good to 3e-11 for n ≤ 4096 (KeySquare to that times
// 1 + scale·√d). It asks NewSoftmax for a few tens
// of points, which other d and scales share.
func SharedQuerySoftmax(keys, d int, scale float64) Softmax {
	s := sharedQuery(keys, d, scale)
	if math.IsInf(scale, 1) {
		return s // where it does not exist
	}
	s.QuerySquare = float64(float64(scale*scale) * (float64(float64(d-1)*s.JacobianSquare) + s.SlopeSquare))
	return s
}

// sharedQuery is SharedQuerySoftmax but for QuerySquare, by the rule that suits d.
func sharedQuery(keys, d int, scale float64) Softmax {
	switch {
	case keys < 1 || d < 1 || !(scale >= 0):
		panic("theory: SharedQuerySoftmax wants n ≥ 1, d ≥ 1 and a scale ≥ 0")
	case keys == 1 || scale == 0:
		return uniformSoftmax(keys)
	case math.IsInf(scale, 1):
		return hardSoftmax(keys)
	case d >= manyDimensions:
		return concentratedQuery(keys, d, scale)
	}
	return spreadQuery(keys, d, scale)
}

// concentratedQuery is the mean over |q|²/2 by Gauss's rule, whose points
// lie between those of the lattice of spreadQuery, from which they come by
// interpolation.
func concentratedQuery(keys, d int, scale float64) Softmax {
	q := manyLengths(d)
	s := Softmax{Keys: keys}
	for i, half := range q.at {
		s.add(q.weight[i], betweenPoints(keys, float64(scale*math.Sqrt(float64(2*half)))), Softmax{})
	}
	return s
}

// spreadQuery is the mean over |q| by the trapezoidal rule in ln(scale·|q|), on
// a lattice that does not depend on the scale, so that the points of one n are
// shared. Its own error is below 1e-11.
func spreadQuery(keys, d int, scale float64) Softmax {
	uniform := uniformSoftmax(keys)
	middle := elementary.Log(scale) + float64(elementary.Log(float64(d))/2)
	step := sharedStep(d)
	first := int(math.RoundToEven(middle / step))

	// With σ = scale·√d·e^v the density of v is proportional to
	// exp(d·(v − (e^{2v} − 1)/2)).
	var total float64
	var sum Softmax
	outward(first, func(i int) bool {
		logSigma := float64(float64(i) * step)
		v := logSigma - middle
		p := float64(float64(d) * (v - float64(elementary.Expm1(2*v)/2)))
		if p < -36 {
			return false
		}
		weight := elementary.Exp(p)
		total += weight
		// What differs from uniform is of the order of σ at least.
		if sigma := elementary.Exp(logSigma); float64(weight*min(1, sigma)*step*math.Sqrt(float64(d))) > 1e-13 {
			sum.add(weight, NewSoftmax(keys, sigma), uniform)
		}
		return true
	})
	uniform.add(1/total, sum, Softmax{})
	return uniform
}

// betweenStep is the distance of points in ln σ, betweenCount how many are used.
const betweenStep, betweenCount = 1.0 / 16, 16

// betweenPoints is NewSoftmax by Lagrange's polynomial through 16 points of a
// lattice in ln σ, which adds less than 1e-11 to its error.
func betweenPoints(keys int, sigma float64) Softmax {
	at := float64(elementary.Log(sigma) / betweenStep)
	first := int(math.Floor(at)) - betweenCount/2 + 1
	s := Softmax{Keys: keys}
	for i := first; i < first+betweenCount; i++ {
		weight := 1.0
		for j := first; j < first+betweenCount; j++ {
			if j != i {
				weight *= (at - float64(j)) / float64(i-j)
			}
		}
		s.add(weight, NewSoftmax(keys, elementary.Exp(float64(float64(i)*betweenStep))), Softmax{})
	}
	return s
}

// sharedStep is that of the sum over ln |q|, which spreads by 1/√(2d): a power
// of two, for lattices to lie in one another.
func sharedStep(d int) float64 {
	if d <= 8 {
		return 1.0 / 8
	}
	return 1.0 / 16
}

// add adds weight·(x − y).
func (s *Softmax) add(weight float64, x, y Softmax) {
	more, less := x.numbers(), y.numbers()
	for i, to := range s.numbers() {
		*to += float64(weight * (*more[i] - *less[i]))
	}
}

// numbers are those that a mean over queries is taken of; QuerySquare follows from it.
func (s *Softmax) numbers() [10]*float64 {
	return [...]*float64{&s.MaxWeight, &s.MaxSquare, &s.Collision, &s.Trace, &s.JacobianSquare, &s.SlopeSquare,
		&s.KeySquare, &s.Entropy,
		&s.TargetSlope, &s.TargetSquare}
}
