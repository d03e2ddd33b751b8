package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Sink holds the moments E w^k for k = 1, 2, 3 of the weight w = e^b/(e^b + Σe^{s_j}) that a sink
// with the logit b has in a row of n ≥ 1 logits s_j = scale·q·k_j, one query and n keys with d
// independent standard normal components.
type Sink [3]float64

// sinkPoint identifies a cached Sink.
type sinkPoint struct {
	keys, d  int
	scale, b float64
}

var sinks memo[sinkPoint, Sink]

// NewSink computes the Sink by quadrature. With logits that are lower by b, w = 1/(1 + Z) and
//
//	E 1/(1 + Z)^k = 1/Γ(k) ∫ e^{−ku} exp(−e^{−u}) φ_0(u + b)^n du,
//
// with φ_0 and the step of softmaxSums, since the logits are independent given |q|. The relative
// error is at most 2e-9 for a scale of at most 1/√d. For larger scales rare queries dominate the
// sum.
func NewSink(keys, d int, scale, b float64) Sink {
	return sinks.get(sinkPoint{keys, d, scale, b}, func() Sink { return computeSink(keys, d, scale, b) })
}

func computeSink(keys, d int, scale, b float64) (sum Sink) {
	IntegrateLengths(d, lengthStep(d, 4)/2, func(weight, r float64) {
		sigma := float64(scale * math.Sqrt(float64(d)) * r)
		logits := newLogitMoments(sigma, 1)
		start, lattice := max(0, typicalLogSum(keys, sigma)-b), logLattice{1, 0.3}
		visitOutward(0, func(i int) bool {
			offset, step := lattice.point(i)
			u := start + offset
			t := elementary.Exp(-u)
			term := float64(float64(weight*step)*float64(t*elementary.Exp(-t))) * power(logits.sums(u+b).phi0, keys)
			for k := range sum {
				sum[k] += float64(term / float64(max(1, k)))
				term = float64(term * t)
			}
			return -4 < u && offset < 36
		})
	})
	return sum
}

// SDAndSkewness returns the standard deviation and the skewness of w.
func (s Sink) SDAndSkewness() (sd, skew float64) {
	variance := s[1] - float64(s[0]*s[0])
	sd = math.Sqrt(variance)
	cube := float64(s[0] * (float64(3*variance) + float64(s[0]*s[0])))
	return sd, (s[2] - cube) / float64(variance*sd)
}
