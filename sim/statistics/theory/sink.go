package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Sink holds the moments E w^k, k from 1, of the weight w = e^b/(e^b + Σe^{s_j}) that a sink of
// the logit b takes of a row of n ≥ 1 logits scale·q·k_j, one query and n keys with d independent
// standard normal components.
type Sink [3]float64

// sinkPoint is what a Sink depends on.
type sinkPoint struct {
	keys, d  int
	scale, b float64
}

var sinks memo[sinkPoint, Sink]

// NewSink is by quadrature: w is 1/(1 + Z) with logits that are less by b, and
//
//	E 1/(1 + Z)^k = 1/Γ(k) ∫ e^{−ku} exp(−e^{−u}) φ_0(u + b)^n du,
//
// φ_0 as in softmaxSums, whose step serves here, too; given |q| logits are independent.
// It is good to 2e-9, relatively, for a scale of at most 1/√d: beyond, rare queries make the sum.
func NewSink(keys, d int, scale, b float64) Sink {
	return sinks.of(sinkPoint{keys, d, scale, b}, func() Sink { return sinkOf(keys, d, scale, b) })
}

func sinkOf(keys, d int, scale, b float64) (sum Sink) {
	IntegrateLengths(d, lengthStep(d, 4)/2, func(weight, r float64) {
		sigma := float64(scale * math.Sqrt(float64(d)) * r)
		logits := newLogitMoments(sigma, 1)
		from, lattice := max(0, usualLog(keys, sigma)-b), logLattice{1, 0.3}
		outward(0, func(i int) bool {
			by, step := lattice.at(i)
			u := from + by
			t := elementary.Exp(-u)
			term := float64(float64(weight*step)*float64(t*elementary.Exp(-t))) * power(logits.at(u + b)[0], keys)
			for k := range sum {
				sum[k] += float64(term / float64(max(1, k)))
				term = float64(term * t)
			}
			return -4 < u && by < 36
		})
	})
	return sum
}

// Spread is the standard deviation and the skewness of a row's weight.
func (s Sink) Spread() (sd, skew float64) {
	variance := s[1] - float64(s[0]*s[0])
	sd = math.Sqrt(variance)
	cube := float64(s[0] * (float64(3*variance) + float64(s[0]*s[0])))
	return sd, (s[2] - cube) / float64(variance*sd)
}
