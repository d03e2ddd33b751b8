package gate

import (
	"math"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// cubic is a check of which one number moves the estimate of n by more than a rise with the
// chance n/(n·rise)³, and of which the standard error is 4/√n.
func cubic(expect string, want float64) Check {
	return Check{Name: "n", Cell: "c", Expect: expect, Tolerance: 0.1, NumbersPerUnit: 1,
		Expected: func(n int64) (float64, float64, [2]float64) {
			return want, 4 / math.Sqrt(float64(n)), [2]float64{0.9, 1.1}
		},
		SingleProductTail: func(n int64, rise float64) float64 { return float64(n) * math.Pow(float64(n)*rise, -3) }}
}

// By hand, with z_{α/2G} = z_{1e-4} = 3.7190 and z_β = 2.3263 (scipy 1.10.1) and no skewness. What
// lies on an edge enters, or leaves where it must be outside, by a rise of z_β errors, for which
// products are as much larger as the quantity; what is as theory says leaves past the last estimate
// of which the interval is inside, or past z_{α/2G} errors where that lies farther.
func TestSingleProduct(t *testing.T) {
	rates := Rates{Alpha: 2e-4, Beta: 0.01, Gates: 1}
	const far, near = 3.719016485455709, 2.3263478740408408
	chance := func(n, rise float64) float64 { return n * math.Pow(n*rise, -3) }
	for _, c := range []struct {
		name  string
		check Check
		edge  float64 // over theory
		n     float64
		rise  func(se float64) float64 // of what is as theory says; nil if no rise harms it
	}{
		{"inside, many", cubic(names.ExpectInside, 1), 0.9, 1e6, func(se float64) float64 { return 0.1 - near*se }},
		{"inside, few", cubic(names.ExpectInside, 1), 0.9, 1e3, func(se float64) float64 { return far * se }},
		{"below the band", cubic(names.ExpectOutside, 0.7), 1.1 / 0.7, 1e6, func(se float64) float64 { return 0.2 - near*se }},
		{"above the band", cubic(names.ExpectOutside, 1.3), 1.1 / 1.3, 1e6, nil},
	} {
		se := 4 / math.Sqrt(c.n)
		want := chance(c.n, near*se/c.edge) / 0.01
		if c.rise != nil {
			want = max(want, chance(c.n, c.rise(se))/1e-4)
		}
		if got := SingleProduct(c.check, int64(c.n), rates); !(math.Abs(got/want-1) < 1e-9) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
	}
	if got := SingleProduct(fixed(names.ExpectInside, 1), 9, rates); !math.IsNaN(got) {
		t.Errorf("a check without single products has %v", got)
	}
}

// Samples asks for as many as bring single products to a tenth and not for one more, says
// that it is for them, and Judge decides nothing with fewer.
func TestSingleProductAsksForSamples(t *testing.T) {
	rates := Rates{Alpha: 2e-4, Beta: 1e-4, Gates: 1}
	c := cubic(names.ExpectInside, 1)
	rare := c.SingleProductTail
	c.SingleProductTail = func(n int64, rise float64) float64 { return 100 * rare(n, rise) }
	fewer := c
	fewer.SingleProductTail = nil
	before, err := Samples(fewer, rates)
	n, err2 := Samples(c, rates)
	if err != nil || err2 != nil || n <= before || !(SingleProduct(c, n, rates) <= MaxSingle) || !(SingleProduct(c, n-1, rates) > MaxSingle) {
		t.Fatalf("%d samples (%v), without single products %d (%v)", n, err2, before, err)
	}
	if single, ok := SamplesForSingle(c, rates); !ok || single != n || !LimitedBySingleProduct(c, n, rates) || LimitedBySingleProduct(fewer, before, rates) {
		t.Errorf("single products ask for %d, of %d", single, n)
	}
	for _, x := range []struct {
		n    int64
		want result.Verdict
	}{{n, result.Pass}, {n - 1, result.Undecided}, {before, result.Undecided}} {
		g := Judge(c, result.Estimate{N: x.n, Value: 1}, rates)
		if g.Verdict != x.want || float64(g.SingleProduct) != SingleProduct(c, x.n, rates) {
			t.Errorf("%d samples: %+v", x.n, g)
		}
		if x.want == result.Undecided && (g.NToDecide == nil || *g.NToDecide != n) {
			t.Errorf("%d samples are said to decide, want %d", *g.NToDecide, n)
		}
	}
	if g := Judge(fewer, result.Estimate{N: before, Value: 1}, rates); g.Verdict != result.Pass || g.SingleProduct.Present() {
		t.Errorf("without single products: %+v", g)
	}
}
