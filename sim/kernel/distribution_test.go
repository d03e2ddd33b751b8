package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// familyChance is the chance that one of the tests named below it fails
// though all is well, over all laws and quantities that it looks at.
const familyChance = 1e-4

// TestDistribution compares the draws of every law with the law itself.
// Tails, Kolmogorov–Smirnov and Anderson–Darling each have familyChance; the
// moments are those of TestConformanceLaws.
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

// checkZeros compares the number of zeros with the law, or with what rounding
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

// binomialP is the two-sided p-value of a count, by Poisson's law where it is
// expected below 10⁴ (off by a share np² ≤ 10⁸/n of what is left), else by
// the normal law.
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
	d, a := s.statistics(e)
	for _, test := range []struct {
		name         string
		statistic, p float64
	}{{"Kolmogorov–Smirnov √n·D", d, kolmogorovP(d)}, {"Anderson–Darling A²", a, andersonDarlingP(a)}} {
		t.Logf("%s = %.4g, p-value %.2g", test.name, test.statistic, test.p)
		if !(test.p >= limit && test.p <= 1-limit) {
			t.Errorf("%s = %.4g, p-value %.2g not within %.2g of 0 and 1", test.name, test.statistic, test.p, limit)
		}
	}
}

// TestRademacherBits: each of the 32 draws of a word is −1 half of the time,
// and never anything but ±1.
func TestRademacherBits(t *testing.T) {
	lanes, draws := lanesOf("distribution/rademacher"), make([][Width]float32, 1<<10)
	fill := Vectors(parse(t, "rademacher"))
	var minus [32]int64
	n := int64(0)
	for ; n*32 < distributionDraws; n += int64(len(draws)) / 32 * Width {
		fill(lanes, draws)
		for j := range draws {
			for _, x := range draws[j] {
				pattern := math.Float32bits(x)
				minus[j%32] += int64(pattern >> 31)
				if pattern&^signBit != oneBits {
					t.Fatalf("drew %v", x)
				}
			}
		}
	}
	for bit, count := range minus {
		if p := binomialP(count, n, 0.5); p < familyChance/32 {
			t.Errorf("draw %d of a word: %d of %d are −1, p-value %.2g", bit, count, n, p)
		}
	}
}

// Kolmogorov's law against scipy 1.10.1 (kstwobign), Anderson and Darling's
// against Imhof's integral over 3000 terms by scipy's quad: the formula to 10⁻⁵,
// the term that stands in for it above 7 to
// 5 %.
func TestLimitingLaws(t *testing.T) {
	for _, c := range []struct{ got, want, limit float64 }{
		{kolmogorovP(0.5), 0.9639452436648751, 1e-12},
		{kolmogorovP(1), 0.2699996716773546, 1e-12},
		{kolmogorovP(2), 0.0006709252557796953, 1e-15},
		{andersonDarlingP(0.5), 0.746814374, 1e-5},
		{andersonDarlingP(2.492), 0.050022186, 1e-5},
		{andersonDarlingP(3.8781), 0.010000282, 1e-5},
		{andersonDarlingP(7) / 3.30166803e-4, 1, 0.05},
		{andersonDarlingP(10) / 1.38150357e-5, 1, 0.05},
		{2 * distuv.UnitNormal.Survival(3), normalP(3), 1e-15},
	} {
		if !(math.Abs(c.got-c.want) <= c.limit) {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}
