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

// fixedCheck returns a check of the theoretical value 10 with the band 5 to 15 and the given
// standard error.
func fixedCheck(expect string, se float64) Check {
	return Check{
		Name: "n", Expect: expect, Cell: "c", Quantity: "q", NumbersPerUnit: 1,
		Expected: func(int64) (float64, float64, [2]float64) { return 10, se, [2]float64{5, 15} },
	}
}

// TestJudge checks the verdicts of two gates, one that the value is inside of the band and one that
// it is outside, and whether a number of units is reported that would decide them.
func TestJudge(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	const pass, fail, undecided = result.Pass, result.Fail, result.Undecided
	for _, c := range []struct {
		value, se, estimatedSE float64
		inside, outside        result.Verdict // of the two gates
		hasNToDecide           bool
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
		{10, nan, 1, pass, fail, false}, // no exact standard error: the estimate's own is used
		{14, nan, 1, undecided, undecided, true},
		{10, nan, nan, undecided, undecided, false},
	} {
		estimate := result.Estimate{N: 100, Value: result.Number(c.value), SE: result.Number(c.estimatedSE)}
		for expect, want := range map[string]result.Verdict{
			names.ExpectInside: c.inside, names.ExpectOutside: c.outside,
		} {
			g := Judge(fixedCheck(expect, c.se), estimate, rates)
			if g.Verdict != want {
				t.Errorf("%+v, gate %s: the verdict is %s, want %s", c, expect, g.Verdict, want)
			}
			if got := g.NToDecide != nil; got != c.hasNToDecide {
				t.Errorf("%+v, gate %s: NToDecide is set: %v, want %v", c, expect, got, c.hasNToDecide)
			}
		}
	}
}

// TestNToDecide checks that a gate on the same value is decided with NToDecide units, and that it
// is not decided with clearly fewer.
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
			t.Fatalf("the gate on %v has no NToDecide", value)
		}
		units := *g.NToDecide
		judge := func(units float64) result.Verdict {
			return Judge(c, result.Estimate{N: int64(units * perUnit), Value: result.Number(value)}, rates).Verdict
		}
		// The number of numbers is rounded down. Two more numbers make up for this.
		if v := judge(float64(units) + 2/perUnit); v == result.Undecided {
			t.Errorf("the gate on %v is undecided with NToDecide = %d units", value, units)
		}
		if v := judge(0.99*float64(units) - 2/perUnit); v != result.Undecided && units > 1000 {
			t.Errorf("the gate on %v is decided with 99 %% of NToDecide = %d units, want undecided", value, units)
		}
	})
	g := Judge(fixedCheck(names.ExpectInside, 1), result.Estimate{N: 100, Value: 14}, rates)
	checkNToDecide(t, g, 385) // 100·1.95996² = 384.15
}

func checkNToDecide(t *testing.T, g result.Gate, want int64) {
	t.Helper()
	if g.NToDecide == nil {
		t.Errorf("NToDecide is nil, want %d", want)
	} else if *g.NToDecide != want {
		t.Errorf("NToDecide is %d, want %d", *g.NToDecide, want)
	}
}

// genRates generates rates in which α/2G may be above β or below it.
func genRates(t *rapid.T) Rates {
	return Rates{
		Alpha: math.Pow(10, rapid.Float64Range(-9, -0.3).Draw(t, "log α")),
		Beta:  math.Pow(10, rapid.Float64Range(-9, -0.5).Draw(t, "log β")),
		Gates: rapid.IntRange(1, 2000).Draw(t, "gates"),
	}
}

// TestJudgeFailsByTheWiderInterval checks that a gate fails only if the wider of its intervals,
// with the half-width z_β or z_{α/2G}, is on the wrong side. By norm.isf of SciPy 1.10.1, z_β is
// 1.645 and z_{α/2G} is 4.056 for the first rates; they are 3.090 and 0.674 for the second.
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
				t.Errorf("%+v, gate %s on %v: the verdict is %s, want %s", c.rates, x.expect, x.value, g.Verdict,
					c.want)
			}
		}
	}
}

// TestJudgeFailsByTheSmallerTail checks that the interval of the smaller tail decides even if it is
// the shorter one because of skewness. Here the estimate has the skewness 20/√100 = 2. By hand,
// with the correction of TestJudgeCorrectsForSkewness, the interval with tail β ends 0.240 standard
// errors above the estimate, and the interval with tail α/2G ends 0.856 above it.
func TestJudgeFailsByTheSmallerTail(t *testing.T) {
	c := fixedCheck(names.ExpectInside, 1)
	c.Skew = 20
	g := Judge(c, result.Estimate{N: 100, Value: 4.5}, Rates{Alpha: 0.5, Beta: 0.001, Gates: 1})
	if g.Verdict != result.Fail {
		t.Errorf("the verdict is %s, want fail", g.Verdict)
	}
}

// TestJudgeFailsNoMoreOftenThanDeclared checks that a quantity that agrees with theory fails with a
// probability of at most α/G, even if its standard error is a hundred times the half-width of the
// band. The test itself fails by chance with a probability of 10⁻⁶ for each of the rates.
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
			t.Errorf("%+v: %d of %d gates fail, want a proportion of at most α/G", rates, fails, runs)
		}
	}
}

// TestJudgeCorrectsForSkewness compares the interval with Cornish and Fisher's first correction,
// computed by hand. For z = 1.959963984540054 and the skewness γ/√n = 0.3/10 of the estimate, both
// ends are shifted by 0.03·(z² − 1)/6 = 0.0142073. The interval extends farther below the estimate
// if γ > 0, since the estimate's upper tail is longer.
func TestJudgeCorrectsForSkewness(t *testing.T) {
	c := fixedCheck(names.ExpectInside, 1)
	for _, sign := range []float64{1, -1} {
		c.Skew = sign * 0.3
		g := Judge(c, result.Estimate{N: 100, Value: 10}, rates)
		const z, shift = 1.959963984540054, 0.03 * (1.959963984540054*1.959963984540054 - 1) / 6
		wantLo, wantHi := 10-z-sign*shift, 10+z-sign*shift
		if math.Abs(float64(g.Lo)-wantLo) > 1e-14 || math.Abs(float64(g.Hi)-wantHi) > 1e-14 {
			t.Errorf("γ = %v: the interval is %v to %v, want %v to %v", c.Skew, g.Lo, g.Hi, wantLo, wantHi)
		}
	}
}

// TestJudgeUsesErrorAtEdge checks that the half-width of the interval is z_β times the standard
// error for a quantity on the edge of the band, here 1.5. Then a quantity of 15 passes with
// probability β = 0.025, not more.
func TestJudgeUsesErrorAtEdge(t *testing.T) {
	c := fixedCheck(names.ExpectInside, 1)
	c.EdgeSERatio = 1.5
	const z = 1.959963984540054
	g := Judge(c, result.Estimate{N: 100, Value: 15 - 1.5*z + 0.001}, rates)
	if g.Verdict == result.Pass {
		t.Errorf("a value above 15 − 1.5·z passes, want undecided: %+v", g)
	}
	if got, want := float64(g.Hi-g.Value), 1.5*z; math.Abs(got-want) > 1e-12 {
		t.Errorf("the half-width of the interval is %v, want %v", got, want)
	}
	if g.SE != 1 {
		t.Errorf("the reported standard error is %v, want 1", g.SE)
	}
	g = Judge(c, result.Estimate{N: 100, Value: 15 - 1.5*z - 0.001}, rates)
	if g.Verdict != result.Pass {
		t.Errorf("a value below 15 − 1.5·z does not pass: %+v", g)
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
			t.Fatalf("%v: got the verdict %s and NToDecide %v, want undecided and a number", value, g.Verdict,
				g.NToDecide)
		}
		// |γ|z³/(6√n) ≤ 1 with z_{α/2} = 1.959963984540054, by SciPy 1.10.1.
		minNumbers := math.Pow(50*math.Pow(1.959963984540054, 3)/6, 2)
		if n := float64(*g.NToDecide); n < minNumbers-1 || NormalError(c, *g.NToDecide, rates) > 1+1e-12 {
			t.Errorf("%v: NToDecide is %v, want at least %v", value, n, minNumbers)
		}
	}
}

func TestCombine(t *testing.T) {
	const pass, fail, undecided = result.Pass, result.Fail, result.Undecided
	for _, c := range []struct {
		gates []result.Verdict
		want  result.Verdict
	}{
		{nil, pass},
		{[]result.Verdict{pass, pass}, pass},
		{[]result.Verdict{pass, undecided, pass}, undecided},
		{[]result.Verdict{undecided, fail, pass}, fail},
		{[]result.Verdict{fail, undecided}, fail},
		{[]result.Verdict{pass, fail}, fail},
	} {
		gates := make([]result.Gate, len(c.gates))
		for i, v := range c.gates {
			gates[i].Verdict = v
		}
		if got := Combine(gates); got != c.want {
			t.Errorf("Combine(%v) is %s, want %s", c.gates, got, c.want)
		}
	}
}

// TestNToDecideUsesErrorAtEdge checks that a standard error that is twice as large on the edge
// requires four times as many numbers, here 100·(2·1.95996)² = 1536.6.
func TestNToDecideUsesErrorAtEdge(t *testing.T) {
	c := fixedCheck(names.ExpectInside, 1)
	c.EdgeSERatio = 2
	g := Judge(c, result.Estimate{N: 100, Value: 14}, rates)
	checkNToDecide(t, g, 1537)
}
