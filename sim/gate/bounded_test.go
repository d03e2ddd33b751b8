package gate

import (
	"math"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// boundedCheck is a gate on a mean of numbers between 0 and 1.
func boundedCheck(want, tolerance float64, cluster int64) Check {
	same := func(x float64) float64 { return x }
	return Check{Name: "bounded", Cell: "cell", Expect: names.ExpectInside, Tolerance: tolerance, Share: 1,
		Bounded: &Bounded{Cluster: cluster, Mean: same, Back: same},
		At: func(int64) (float64, float64, [2]float64) {
			return want, math.NaN(), [2]float64{want - tolerance, want + tolerance}
		}}
}

func judged(c Check, n int64, value float64, r Rates) result.Gate {
	return Judge(c, result.Estimate{N: n, Value: result.Number(value), SE: 0.5}, r)
}

// hits are the binomial chances of 0 to n hits.
func hits(n int64, p float64) []float64 {
	all := make([]float64, n+1)
	whole, _ := math.Lgamma(float64(n + 1))
	for k := range all {
		a, _ := math.Lgamma(float64(k + 1))
		b, _ := math.Lgamma(float64(n) - float64(k) + 1)
		all[k] = math.Exp(whole - a - b + float64(k)*math.Log(p) + (float64(n)-float64(k))*math.Log1p(-p))
	}
	return all
}

// The declared rates, with exact chances of hits, which scatter as much as
// numbers between 0 and 1 can: what lies on the edge of the band passes with a
// chance of β at most, whatever the number of rows; what is as theory says fails
// with one of α/G at most, and at the planned number passes but for α/G.
func TestBoundedRates(t *testing.T) {
	const rounding = 1 + 1e-9
	for _, r := range []Rates{{0.05, 0.02, 1}, {0.2, 1e-3, 4}, {1e-3, 0.1, 2}} {
		for _, want := range []float64{0.15, 0.5, 0.85} {
			c := boundedCheck(want, 0.1, 1)
			planned, err := Samples(c, r)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int64{planned / 20, planned / 4, planned, 2 * planned} {
				if n < 2 {
					continue
				}
				verdicts := make([]result.Verdict, n+1)
				for k := range verdicts {
					verdicts[k] = judged(c, n, float64(k)/float64(n), r).Verdict
				}
				chance := func(p float64, is func(result.Verdict) bool) (sum float64) {
					for k, q := range hits(n, p) {
						if is(verdicts[k]) {
							sum += q
						}
					}
					return sum
				}
				pass := func(v result.Verdict) bool { return v == result.Pass }
				for _, edge := range []float64{want - 0.1, want + 0.1} {
					if got := chance(edge, pass); got > r.Beta*rounding {
						t.Errorf("%+v: %v of %d rows passes %v ± 0.1 with %v", r, edge, n, want, got)
					}
				}
				each := r.Alpha / float64(r.Gates)
				if got := chance(want, func(v result.Verdict) bool { return v == result.Fail }); got > each*rounding {
					t.Errorf("%+v: %v of %d rows fails with %v", r, want, n, got)
				}
				if got := chance(want, func(v result.Verdict) bool { return !pass(v) }); n >= planned && got > each*rounding {
					t.Errorf("%+v: %v of the planned %d rows does not pass with %v", r, want, n, got)
				}
			}
		}
	}
}

// A value outside the band never passes, and one beyond its limits fails; the
// estimate's own error has no say. Rows that come in clusters count as clusters.
func TestBoundedVerdicts(t *testing.T) {
	r := Rates{Alpha: 1e-4, Beta: 1e-4, Gates: 10}
	c := boundedCheck(0.5, 0.05, 1)
	for _, at := range []struct {
		value float64
		want  result.Verdict
	}{
		{0.5, result.Pass}, {0.5499, result.Undecided}, {0.55, result.Undecided}, {0.5501, result.Undecided}, {0.62, result.Fail},
		{0.38, result.Fail}, {0, result.Fail}, {1, result.Fail}, {math.NaN(), result.Undecided},
	} {
		g := judged(c, 10000, at.value, r)
		if g.Verdict != at.want {
			t.Errorf("%v of 10000 rows is judged %s, want %s", at.value, g.Verdict, at.want)
		}
		if !math.IsNaN(at.value) && !(float64(g.Lo) <= at.value && at.value <= float64(g.Hi)) {
			t.Errorf("%v lies outside its limits %v to %v", at.value, g.Lo, g.Hi)
		}
		if (g.NToDecide != nil) != (g.Verdict == result.Undecided && at.value != 0.55 && !math.IsNaN(at.value)) {
			t.Errorf("%v: number to decide %v", at.value, g.NToDecide)
		}
		if g.NormalError.Present() || g.SE != 0.5 {
			t.Errorf("%v: %+v", at.value, g)
		}
	}
	clustered := boundedCheck(0.5, 0.05, 64)
	for _, value := range []float64{0.47, 0.5, 0.53, 0.6, 0.9} {
		a, b := judged(c, 10000, value, r), judged(clustered, 64*10000, value, r)
		if a.Verdict != b.Verdict || a.Lo != b.Lo || a.Hi != b.Hi {
			t.Errorf("%v: %+v of rows, %+v of as many clusters", value, a, b)
		}
	}
	one, err := Samples(c, r)
	many, err2 := Samples(clustered, r)
	if err != nil || err2 != nil || many != 64*one {
		t.Errorf("%d rows are enough, and %d in clusters of 64 (%v, %v)", one, many, err, err2)
	}
}

// The nearer to the edge of the band, the more rows decide; as many as are said
// to do, and one less does not.
func TestBoundedToDecide(t *testing.T) {
	r := Rates{Alpha: 1e-3, Beta: 1e-3, Gates: 5}
	c := boundedCheck(0.3, 0.02, 1)
	for _, side := range []float64{-1, 1} { // inside the band, and outside
		var last int64
		for _, gap := range []float64{0.015, 0.01, 0.004, 1e-3, 1e-4} {
			value := 0.32 + side*gap
			g := judged(c, 100, value, r)
			if g.Verdict != result.Undecided || g.NToDecide == nil || *g.NToDecide <= last {
				t.Fatalf("%v is judged %s, decided by %v, after %d", value, g.Verdict, g.NToDecide, last)
			}
			last = *g.NToDecide
			want := result.Pass
			if side > 0 {
				want = result.Fail
			}
			if at, before := judged(c, last, value, r).Verdict, judged(c, last-1, value, r).Verdict; at != want || before != result.Undecided {
				t.Errorf("%v is judged %s by %d rows and %s by one less", value, at, last, before)
			}
		}
	}
}
