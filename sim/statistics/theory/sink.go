package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Sink holds the moments E w^k for k = 1, 2, 3 of the weight w = e^b/(e^b + Σe^{s_j}) of a sink, an
// additional logit b in a row of n ≥ 1 logits s_j = scale·q·k_j. The query q and the keys k_j have
// d independent standard normal components.
type Sink [3]float64

type sinkPoint struct {
	keys, d  int
	scale, b float64
}

var sinks memo[sinkPoint, Sink]

// NewSink computes the Sink by quadrature. With Z = Σe^{s_j−b}, w = 1/(1 + Z). Since the logits are
// independent given |q|, with φ_0 as in softmaxSums
//
//	E[w^k | |q|] = 1/Γ(k) ∫ e^{−ku} exp(−e^{−u}) φ_0(u + b)^n du.
//
// The relative error is at most 2e-9 for a scale of at most 1/√d. For larger scales it may be
// larger, because rare queries dominate the mean over |q|.
func NewSink(keys, d int, scale, b float64) Sink {
	return sinks.get(sinkPoint{keys, d, scale, b}, func() Sink { return computeSink(keys, d, scale, b) })
}

func computeSink(keys, d int, scale, b float64) (sum Sink) {
	IntegrateLengths(d, lengthStep(d, 4)/2, func(weight, r float64) {
		sigma := float64(scale * math.Sqrt(float64(d)) * r)
		logits := newLogitMoments(sigma, fineSpacing)
		start, lattice := max(0, typicalLogSum(keys, sigma)-b), logLattice{width: 1, step: 0.3}
		visitOutward(0, func(i int) bool {
			offset, step := lattice.point(i)
			u := start + offset
			t := elementary.Exp(-u)
			term := float64(float64(weight*step)*float64(t*elementary.Exp(-t))) * power(logits.sums(u+b).phi0, keys)
			for k := range sum {
				sum[k] += float64(term / float64(max(1, k))) // sum[k] has Γ(k+1), which is 1, 1 or 2
				term = float64(term * t)
			}
			return -4 < u && offset < 36 // terms beyond are negligible: exp(−e⁴) = 2e-24, e⁻³⁶ = 2e-16
		})
	})
	return sum
}

// SDAndSkewness returns the standard deviation and the skewness of w.
func (s Sink) SDAndSkewness() (sd, skew float64) {
	mean := s[0]
	variance := s[1] - float64(mean*mean)
	sd = math.Sqrt(variance)
	cubeWithoutSkewness := float64(mean * (float64(3*variance) + float64(mean*mean))) // E w³ if skew = 0
	return sd, (s[2] - cubeWithoutSkewness) / float64(variance*sd)
}
