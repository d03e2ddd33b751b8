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
// Tails, Kolmogorov–Smirnov and Anderson–Darling each have familyChance;
// the moments keep to 4 standard errors, which one of the 40 or so misses
// with chance 0.3 % where the sum is normal.
func TestDistribution(t *testing.T) {
	for _, e := range exacts {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			s := sampleOf(t, e, shorter(distributionDraws))
			checkEvenMoments(t, e, s)
			checkTails(t, e, s)
			checkZeros(t, e, s)
			checkFit(t, e, s)
		})
	}
}

// checkEvenMoments takes the exact standard error √((m_{2k} − m_k²)/n) of
// order k, and leaves out the orders for which it does not exist. A draw's own
// rounding, below 10⁻⁶ of it (see TestBoxMuller and the others), shifts a
// moment by a part of that which is random and, were it not, by less than a
// tenth of a standard error up to 10⁹ draws for k = 2.
func checkEvenMoments(t *testing.T, e exact, s *sample) {
	for k := 2; k <= 8; k += 2 {
		want, n := e.moment(k), float64(s.n)
		se := math.Sqrt((e.moment(2*k) - want*want) / n)
		if math.IsInf(se, 1) || math.IsNaN(se) {
			t.Logf("E x^%d has no standard error", k)
			continue
		}
		shift := 0.0
		if e.shift != nil {
			shift = e.shift(k)
		}
		z := (s.sums[k]/n - want - shift) / se
		t.Logf("E x^%d off by %+.2f standard errors; the 32-bit words shift it by %+.2g", k, z, shift/se)
		if !(math.Abs(z) <= 4) {
			t.Errorf("E x^%d = %v, want %v, off by %.2f standard errors", k, s.sums[k]/n, want+shift, z)
		}
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

// Survival functions against scipy.stats 1.10.1 at 0.25, 1 and 3.
var scipySurvival = map[string][3]float64{
	"normal":                  {0.4012936743170763, 0.1586552539314571, 0.001349898031630093},
	"uniform":                 {0.4278312163512967, 0.2113248654051871, 0},
	"laplace":                 {0.3510942506632798, 0.1215583672171071, 0.007184798045219544},
	"triangular":              {0.4031462607173677, 0.1750850428694704, 0},
	"truncated-normal":        {0.4088234635053047, 0.1747312525706421, 0},
	"student-t(5)":            {0.3799726501090465, 0.1265849975501614, 0.005862405501977318},
	"student-t(10)":           {0.3927752434150451, 0.1448458060255042, 0.00365730886965363},
	"student-t(20)":           {0.3974216948026849, 0.1522045547515155, 0.002449988424774738},
	"bernoulli-gaussian(0.1)": {0.4684936659857403, 0.3759148170229246, 0.1713908555739557},
	"bernoulli-gaussian(0.5)": {0.4298418975993331, 0.2397500610934767, 0.01694742676234463},
	"sphere":                  {0.4105524530767693, 0.1753083314101037, 0},
}

// TestExact: what the tests above call exact. The moments follow from the
// survival function, E x^k = 2k∫x^{k−1}P(X > x)dx.
func TestExact(t *testing.T) {
	for _, e := range exacts {
		for i, x := range []float64{0.25, 1, 3} {
			near(t, e.name+"'s survival function", e.survival(x), scipySurvival[e.name][i], 1e-12)
		}
		for k := 2; k <= 16; k += 2 {
			want := e.moment(k)
			if math.IsInf(want, 1) {
				continue
			}
			near(t, e.name+"'s moment", (1-e.zeros)*integral(e, k)/want, 1, 1e-9+math.Pow(float64(k+1)*integralStep, 2)/4)
		}
	}
}

const integralStep = 3e-4

// integral substitutes x = eʸ, after which the trapezoidal rule converges
// faster than any power of its step where the integrand is smooth; the kink
// at the end of the support costs k(k+1)/12 of the step's square for uniform,
// and less than three times that for the others.
func integral(e exact, k int) float64 {
	sum, end := 0.0, 30.0
	if e.end > 0 {
		end = math.Log(e.end)
	}
	for y := end; y > -20; y -= integralStep {
		sum += math.Exp(float64(k)*y) * e.survival(math.Exp(y))
	}
	return 2 * float64(k) * sum * integralStep
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
