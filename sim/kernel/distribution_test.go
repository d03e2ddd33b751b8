package kernel

import (
	"math"
	"mcsim/sim/statistics/theory"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// familyChance is the chance that one of the tests named below it fails
// though all is well, over all distributions and quantities that it looks at.
const familyChance = 1e-4

// TestDistribution compares the draws of every distribution with the distribution itself.
// Tails and Kolmogorov–Smirnov each have familyChance; the
// moments are those of TestConformanceDistributions.
func TestDistribution(t *testing.T) {
	for _, e := range exacts {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			s := sampleOf(t, e, shorter(distributionDraws))
			checkTails(t, e, s)
			checkZeros(t, e, s)
			checkFit(t, e, s)
		})
	}
}

// checkTails counts the draws beyond 1…6 standard deviations on either side.
func checkTails(t *testing.T, e exact, s *sample) {
	limit := familyChance / float64(2*6*len(exacts))
	for sign, side := range []string{"above", "below"} {
		for sigma := 6; sigma >= 1; sigma-- {
			var count int64
			for bin := bins; bin >= 0 && edge(bin) >= float64(sigma); bin-- {
				count += int64(s.counts[sign][bin])
			}
			p := (1 - e.zeros) * e.survival(float64(sigma))
			chance := binomialP(count, s.n, p)
			t.Logf("%s %d: %d, expected %.6g, p-value %.2g", side, sigma, count, p*float64(s.n), chance)
			if !(chance >= limit) {
				t.Errorf("%s %d: %d of %d draws, expected %.6g; p-value %.2g below %.2g",
					side, sigma, count, s.n, p*float64(s.n), chance, limit)
			}
		}
	}
}

// checkZeros compares the number of zeros with the distribution, or with what rounding
// makes of one that has none.
func checkZeros(t *testing.T, e exact, s *sample) {
	want := e.zeros
	if want == 0 {
		want = e.rounded
	}
	limit := familyChance / float64(len(exacts))
	p := binomialP(s.zeros, s.n, want)
	t.Logf("zeros: %d, expected %.6g, p-value %.2g", s.zeros, want*float64(s.n), p)
	if !(p >= limit) {
		t.Errorf("%d draws of %d are 0, expected %.6g; p-value %.2g below %.2g", s.zeros, s.n, want*float64(s.n), p, limit)
	}
}

// binomialP is the two-sided p-value of a count, by Poisson's distribution where it is
// expected below 10⁴ (off by a share np² ≤ 10⁸/n of what is left), else by
// the normal distribution.
func binomialP(count, n int64, p float64) float64 {
	mean := float64(n) * p
	switch {
	case mean == 0:
		if count > 0 {
			return 0
		}
		return 1
	case mean < 1e4:
		atMost := mathext.GammaIncRegComp(float64(count)+1, mean)
		atLeast := 1.0
		if count > 0 {
			atLeast = mathext.GammaIncReg(float64(count), mean)
		}
		return min(1, 2*min(atMost, atLeast))
	}
	return normalP((float64(count) - mean) / math.Sqrt(mean*(1-p)))
}

// normalP is the two-sided p-value of a standard normal variate.
func normalP(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// checkFit fails for too bad and for too good a fit.
func checkFit(t *testing.T, e exact, s *sample) {
	limit := familyChance / float64(2*len(exacts))
	d := s.distance(e)
	p := theory.KolmogorovTail(d, int(s.n-s.zeros))
	t.Logf("Kolmogorov–Smirnov D = %.4g, p-value %.2g", d, p)
	if !(p >= limit && p <= 1-limit) {
		t.Errorf("Kolmogorov–Smirnov D = %.4g, p-value %.2g not within %.2g of 0 and 1", d, p, limit)
	}
}
