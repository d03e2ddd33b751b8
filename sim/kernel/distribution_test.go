package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"mcsim/sim/statistics/theory"
)

// familyErrorRate is the probability that one of the following tests fails although the draws are
// correct, over all distributions and quantities.
const familyErrorRate = 1e-4

// TestDistribution compares the draws of every distribution with its distribution function.
// checkTails, checkZeros and checkFit each fail with the probability familyErrorRate although the
// draws are correct. TestConformanceDistributions compares the moments.
func TestDistribution(t *testing.T) {
	for _, e := range exactDistributions {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			s := newSample(t, e, reduceIfShort(distributionDraws))
			checkTails(t, e, s)
			checkZeros(t, e, s)
			checkFit(t, e, s)
		})
	}
}

// checkTails compares the number of draws that are more than 1, 2, … 6 standard deviations above or
// below 0 with the expected number.
func checkTails(t *testing.T, e exactDistribution, s *sample) {
	limit := familyErrorRate / float64(2*6*len(exactDistributions))
	for sign, side := range []string{"above", "below"} {
		for sigma := 6; sigma >= 1; sigma-- {
			var count int64
			for bin := bins; bin >= 0 && edge(bin) >= float64(sigma); bin-- {
				count += int64(s.counts[sign][bin])
			}
			p := (1 - e.zeroProbability) * e.survival(float64(sigma))
			pValue := binomialP(count, s.n, p)
			t.Logf("%d σ %s 0: %d draws, expected %.6g, p-value %.2g", sigma, side, count, p*float64(s.n), pValue)
			if !(pValue >= limit) {
				t.Errorf("%d of %d draws are more than %d σ %s 0, expected %.6g: p-value %.2g, want at least %.2g",
					count, s.n, sigma, side, p*float64(s.n), pValue, limit)
			}
		}
	}
}

// checkZeros compares the number of zeros with the probability of 0 or, if the exact distribution
// never gives 0, with the probability that a draw is rounded to 0.
func checkZeros(t *testing.T, e exactDistribution, s *sample) {
	want := e.zeroProbability
	if want == 0 {
		want = e.roundedToZero
	}
	limit := familyErrorRate / float64(len(exactDistributions))
	p := binomialP(s.zeros, s.n, want)
	t.Logf("zeros: %d, expected %.6g, p-value %.2g", s.zeros, want*float64(s.n), p)
	if !(p >= limit) {
		t.Errorf("%d of %d draws are 0, expected %.6g: p-value %.2g, want at least %.2g",
			s.zeros, s.n, want*float64(s.n), p, limit)
	}
}

// binomialP returns the two-sided p-value of a count of n trials with the probability p. For an
// expected count below 10⁴ it uses Poisson's distribution, with a relative error of np² ≤ 10⁸/n,
// and otherwise the normal distribution.
func binomialP(count, n int64, p float64) float64 {
	mean := float64(n) * p
	switch {
	case mean == 0:
		if count > 0 {
			return 0
		}
		return 1
	case mean < 1e4:
		atMostP := mathext.GammaIncRegComp(float64(count)+1, mean)
		atLeastP := 1.0
		if count > 0 {
			atLeastP = mathext.GammaIncReg(float64(count), mean)
		}
		return min(1, 2*min(atMostP, atLeastP))
	}
	return normalP((float64(count) - mean) / math.Sqrt(mean*(1-p)))
}

// normalP returns the two-sided p-value of a standard normal variate.
func normalP(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// checkFit applies the Kolmogorov–Smirnov test. It fails if the fit is too bad or too good.
func checkFit(t *testing.T, e exactDistribution, s *sample) {
	limit := familyErrorRate / float64(2*len(exactDistributions))
	d := s.distance(e)
	p := theory.KolmogorovTail(d, int(s.n-s.zeros))
	t.Logf("Kolmogorov–Smirnov D = %.4g, p-value %.2g", d, p)
	if !(p >= limit && p <= 1-limit) {
		t.Errorf("Kolmogorov–Smirnov D = %.4g: p-value %.2g, want it in [%.2g, 1−%[3]v]", d, p, limit)
	}
}
