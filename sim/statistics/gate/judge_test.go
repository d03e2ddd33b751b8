package gate

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// rates has z_β = 1.959963984540054.
var rates = Rates{Alpha: 0.05, Beta: 0.025, Gates: 1}

// fixedCheck has the band 5 to 15 around 10 and the given standard error.
func fixedCheck(expect string, se float64) Check {
	return Check{Name: "n", Expect: expect, Cell: "c", Quantity: "q", NumbersPerUnit: 1,
		Expected: func(int64) (float64, float64, [2]float64) { return 10, se, [2]float64{5, 15} }}
}

func TestJudge(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	const pass, fail, undecided = result.Pass, result.Fail, result.Undecided
	for _, c := range []struct {
		value, se, estimatedSE float64
		inside, outside        result.Verdict
		decidable              bool
	}{
		{10, 1, 0, pass, fail, false},
		{5 + 1.96, 1, 0, pass, fail, false},
		{5 + 1.95, 1, 0, undecided, undecided, true},
		{15 - 1.96, 1, 0, pass, fail, false},
		{15 - 1.95, 1, 0, undecided, undecided, true},
		{5, 1, 0, undecided, undecided, false}, // on the edge: no number of samples decides
		{5 - 1.95, 1, 0, undecided, undecided, true},
		{5 - 1.97, 1, 0, fail, pass, false},
		{15 + 1.97, 1, 0, fail, pass, false},
		{-1e300, 1, 0, fail, pass, false},
		{10, 100, 0, undecided, undecided, true}, // wider than the band
		{nan, 1, 0, undecided, undecided, false},
		{inf, 1, 0, fail, pass, false},
		{10, inf, 0, undecided, undecided, false},
		{10, 0, 0, pass, fail, false},
		{5, 0, 0, pass, fail, false}, // the edges belong to the band
		{15, 0, 0, pass, fail, false},
		{4.999, 0, 0, fail, pass, false},
		{10, nan, 1, pass, fail, false}, // no exact error: the estimate's own
		{14, nan, 1, undecided, undecided, true},
		{10, nan, nan, undecided, undecided, false},
	} {
		estimate := result.Estimate{N: 100, Value: result.Number(c.value), SE: result.Number(c.estimatedSE)}
		for expect, want := range map[string]result.Verdict{names.ExpectInside: c.inside,
			names.ExpectOutside: c.outside} {
			g := Judge(fixedCheck(expect, c.se), estimate, rates)
			if g.Verdict != want {
				t.Errorf("%v ± %v (own %v), expected %s: %s, want %s", c.value, c.se, c.estimatedSE, expect,
					g.Verdict, want)
			}
			if (g.NToDecide != nil) != c.decidable {
				t.Errorf("%v ± %v (own %v), expected %s: number to decide %v", c.value, c.se, c.estimatedSE, expect,
					g.NToDecide)
			}
		}
	}
}

// TestNToDecide checks that a gate is decided with the number of units that it says and the same
// value, and that with clearly fewer it is not.
func TestNToDecide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sigma := rapid.Float64Range(0.1, 100).Draw(t, "sigma")
		perUnit := rapid.SampledFrom([]float64{1, 0.5, 0.9921875}).Draw(t, "numbers per unit")
		value := rapid.Float64Range(0, 20).Draw(t, "value")
		n := rapid.Int64Range(2, 1e6).Draw(t, "n")
		rates := genRates(t)
		c := fixedCheck(rapid.SampledFrom([]string{names.ExpectInside, names.ExpectOutside}).Draw(t, "expect"), 0)
		c.NumbersPerUnit = perUnit
		c.Expected = func(n int64) (float64, float64, [2]float64) {
			return 10, sigma / math.Sqrt(float64(n)), [2]float64{5, 15}
		}
		g := Judge(c, result.Estimate{N: n, Value: result.Number(value)}, rates)
		if g.Verdict != result.Undecided || math.Abs(value-5) < 1e-3 || math.Abs(value-15) < 1e-3 {
			return
		}
		if g.NToDecide == nil {
			t.Fatal("no number decides")
		}
		units := *g.NToDecide
		judge := func(units float64) result.Verdict {
			return Judge(c, result.Estimate{N: int64(units * perUnit), Value: result.Number(value)}, rates).Verdict
		}
		// The number of numbers is rounded down: two more cover the rounding.
		if v := judge(float64(units) + 2/perUnit); v == result.Undecided {
			t.Errorf("%d units leave %v undecided", units, value)
		}
		if v := judge(0.99*float64(units) - 2/perUnit); v != result.Undecided && units > 1000 {
			t.Errorf("%d units were said to be needed, 99 %% of them decide", units)
		}
	})
	g := Judge(fixedCheck(names.ExpectInside, 1), result.Estimate{N: 100, Value: 14}, rates)
	if g.NToDecide == nil || *g.NToDecide != 385 { // 100·1.95996² = 384.15
		t.Errorf("number to decide %v, want 385", g.NToDecide)
	}
}

// genRates generates rates of both kinds: α/2G may be above β or below it.
func genRates(t *rapid.T) Rates {
	return Rates{
		Alpha: math.Pow(10, rapid.Float64Range(-9, -0.3).Draw(t, "log α")),
		Beta:  math.Pow(10, rapid.Float64Range(-9, -0.5).Draw(t, "log β")),
		Gates: rapid.IntRange(1, 2000).Draw(t, "gates"),
	}
}

// TestJudgeFailsByTheWiderInterval checks that a gate fails only if the wider of its intervals, at
// β or at α/2G, is on the wrong side. By SciPy 1.10.1, norm.isf, z_β is 1.645 and z_{α/2G} 4.056
// under the first rates, 3.090 and 0.674 under the second.
func TestJudgeFailsByTheWiderInterval(t *testing.T) {
	const fail, undecided = result.Fail, result.Undecided
	for _, c := range []struct {
		rates  Rates
		beyond float64 // distance from the edge in standard errors
		want   result.Verdict
	}{
		{Rates{Alpha: 0.05, Beta: 0.05, Gates: 1000}, 1.7, undecided},
		{Rates{Alpha: 0.05, Beta: 0.05, Gates: 1000}, 4.0, undecided},
		{Rates{Alpha: 0.05, Beta: 0.05, Gates: 1000}, 4.1, fail},
		{Rates{Alpha: 0.5, Beta: 0.001, Gates: 1}, 1.2, undecided},
		{Rates{Alpha: 0.5, Beta: 0.001, Gates: 1}, 3.05, undecided},
		{Rates{Alpha: 0.5, Beta: 0.001, Gates: 1}, 3.15, fail},
	} {
		for _, x := range []struct {
			expect string
			value  float64
		}{
			{names.ExpectInside, 5 - c.beyond}, {names.ExpectInside, 15 + c.beyond},
			{names.ExpectOutside, 5 + c.beyond}, {names.ExpectOutside, 15 - c.beyond},
		} {
			g := Judge(fixedCheck(x.expect, 1), result.Estimate{N: 100, Value: result.Number(x.value)}, c.rates)
			if g.Verdict != c.want {
				t.Errorf("%+v: %v, expected %s: %s, want %s", c.rates, x.value, x.expect, g.Verdict, c.want)
			}
		}
	}
}

// TestJudgeFailsByTheSmallerTail checks that the interval of the smaller tail decides even if
// skewness makes it the shorter one. By hand with the correction above, skewness 2 and the second
// rates: the interval at β ends 0.240 errors above the estimate, that at α/2G 0.856.
func TestJudgeFailsByTheSmallerTail(t *testing.T) {
	c := fixedCheck(names.ExpectInside, 1)
	c.Skew = 20
	g := Judge(c, result.Estimate{N: 100, Value: 4.5}, Rates{Alpha: 0.5, Beta: 0.001, Gates: 1})
	if g.Verdict != result.Fail {
		t.Errorf("%s", g.Verdict)
	}
}

// TestJudgeFailsNoMoreOftenThanDeclared checks that a quantity that agrees with theory fails with a
// probability of at most α/G, even if its standard error is a hundred times the band. The test's
// own false alarm rate is 10⁻⁶ for each of the rates.
func TestJudgeFailsNoMoreOftenThanDeclared(t *testing.T) {
	const runs = 20000
	rnd := rand.New(rand.NewPCG(54, 5))
	for _, rates := range []Rates{
		{Alpha: 0.2, Beta: 0.3, Gates: 2}, {Alpha: 0.5, Beta: 0.05, Gates: 1},
		{Alpha: 0.05, Beta: 0.05, Gates: 5}, {Alpha: 0.3, Beta: 0.15, Gates: 1},
	} {
		fails := int64(0)
		for range runs {
			value := 10 + 500*rnd.NormFloat64()
			g := Judge(fixedCheck(names.ExpectInside, 500), result.Estimate{N: 100, Value: result.Number(value)}, rates)
			if g.Verdict == result.Fail {
				fails++
			}
		}
		if lo, _ := theory.ClopperPearson(fails, runs, 1e-6); lo > rates.Alpha/float64(rates.Gates) {
			t.Errorf("%+v: %d of %d fail", rates, fails, runs)
		}
	}
}

// TestJudgeCorrectsForSkewness computes Cornish and Fisher's first correction by hand:
// z = 1.959963984540054, skewness of the estimate γ/√n = 0.3/10, shift 0.03·(z² − 1)/6 = 0.0142073.
// The estimate's upper tail is longer, so that the interval extends farther below the estimate.
func TestJudgeCorrectsForSkewness(t *testing.T) {
	c := fixedCheck(names.ExpectInside, 1)
	for _, sign := range []float64{1, -1} {
		c.Skew = sign * 0.3
		g := Judge(c, result.Estimate{N: 100, Value: 10}, rates)
		const z, shift = 1.959963984540054, 0.03 * (1.959963984540054*1.959963984540054 - 1) / 6
		if math.Abs(float64(g.Lo)-(10-z-sign*shift)) > 1e-14 || math.Abs(float64(g.Hi)-(10+z-sign*shift)) > 1e-14 {
			t.Errorf("γ = %v: %v to %v", c.Skew, g.Lo, g.Hi)
		}
	}
}

// TestJudgeTakesTheErrorOfTheEdge checks that an error that grows with the quantity is used as it
// is on the edge of the band: a quantity of 15 passes with probability β = 0.025, not more.
func TestJudgeTakesTheErrorOfTheEdge(t *testing.T) {
	c := fixedCheck(names.ExpectInside, 1)
	c.EdgeSERatio = 1.5
	const z = 1.959963984540054
	g := Judge(c, result.Estimate{N: 100, Value: 15 - 1.5*z + 0.001}, rates)
	if g.Verdict == result.Pass || math.Abs(float64(g.Hi-g.Value)-1.5*z) > 1e-12 || g.SE != 1 {
		t.Errorf("%+v", g)
	}
	g = Judge(c, result.Estimate{N: 100, Value: 15 - 1.5*z - 0.001}, rates)
	if g.Verdict != result.Pass {
		t.Errorf("%+v", g)
	}
}

// TestJudgeOfVerySkewedNumbers checks that nothing is decided if the skewness is too large for the
// correction, so that the interval may not even contain the estimate. Here γ = 50 and n = 100, as
// for 100 pairs of bernoulli-gaussian vectors at d = 1.
func TestJudgeOfVerySkewedNumbers(t *testing.T) {
	c := fixedCheck(names.ExpectInside, 1)
	c.Skew = 50
	for _, value := range []float64{-1000, 4, 10, 16, 1000} {
		g := Judge(c, result.Estimate{N: 100, Value: result.Number(value)}, rates)
		if g.Verdict != result.Undecided || g.NToDecide == nil {
			t.Fatalf("%v is judged %s, decided by %v", value, g.Verdict, g.NToDecide)
		}
		// |γ|z³/(6√n) ≤ 1 with z of α/2 = 1.959963984540054, by scipy 1.10.1.
		minNumbers := math.Pow(50*math.Pow(1.959963984540054, 3)/6, 2)
		if n := float64(*g.NToDecide); n < minNumbers-1 || NormalError(c, *g.NToDecide, rates) > 1+1e-12 {
			t.Errorf("%v: %v numbers are said to decide, %v are too few", value, n, minNumbers)
		}
	}
}

func TestSum(t *testing.T) {
	const p, f, u = result.Pass, result.Fail, result.Undecided
	for _, c := range []struct {
		gates []result.Verdict
		want  result.Verdict
	}{
		{nil, p}, {[]result.Verdict{p, p}, p}, {[]result.Verdict{p, u, p}, u},
		{[]result.Verdict{u, f, p}, f}, {[]result.Verdict{f, u}, f}, {[]result.Verdict{p, f}, f},
	} {
		gates := make([]result.Gate, len(c.gates))
		for i, v := range c.gates {
			gates[i].Verdict = v
		}
		if got := Combine(gates); got != c.want {
			t.Errorf("%v together: %s, want %s", c.gates, got, c.want)
		}
	}
}

// TestNToDecideCountsTheEdge checks that an error that is twice as large on the edge requires four
// times as many numbers, here 100·(2·1.95996)² = 1536.6.
func TestNToDecideCountsTheEdge(t *testing.T) {
	c := fixedCheck(names.ExpectInside, 1)
	c.EdgeSERatio = 2
	g := Judge(c, result.Estimate{N: 100, Value: 14}, rates)
	if g.NToDecide == nil || *g.NToDecide != 1537 {
		t.Errorf("number to decide %v, want 1537", g.NToDecide)
	}
}
