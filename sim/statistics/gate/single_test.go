package gate

import (
	"math"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// cubicCheck is a check of a quantity with the standard error 4/√n. One number raises the estimate
// of n numbers by more than rise with probability n/(n·rise)³.
func cubicCheck(expect string, expected float64) Check {
	return Check{Name: "n", Cell: "c", Expect: expect, Tolerance: 0.1, NumbersPerUnit: 1,
		Expected: func(n int64) (float64, float64, [2]float64) {
			return expected, 4 / math.Sqrt(float64(n)), [2]float64{0.9, 1.1}
		},
		SingleProductTail: func(n int64, rise float64) float64 { return float64(n) * math.Pow(float64(n)*rise, -3) }}
}

// TestSingleProduct computes by hand without skewness, with z_{α/2G} = z_{1e-4} = 3.7190 and z_β =
// 2.3263 (SciPy 1.10.1). A quantity on an edge passes wrongly by a rise of z_β standard errors, and
// products are larger in proportion to the quantity. A quantity that agrees with theory does not
// pass by a rise beyond the largest estimate whose interval is inside, or beyond z_{α/2G} standard
// errors if that is more.
func TestSingleProduct(t *testing.T) {
	rates := Rates{Alpha: 2e-4, Beta: 0.01, Gates: 1}
	const far, near = 3.719016485455709, 2.3263478740408408
	tail := func(n, rise float64) float64 { return n * math.Pow(n*rise, -3) }
	for _, c := range []struct {
		name  string
		check Check
		edge  float64 // edge over the theoretical value
		n     float64
		rise  func(se float64) float64 // of a quantity that agrees with theory; nil if no rise matters
	}{
		{"inside, many", cubicCheck(names.ExpectInside, 1), 0.9, 1e6,
			func(se float64) float64 { return 0.1 - near*se }},
		{"inside, few", cubicCheck(names.ExpectInside, 1), 0.9, 1e3, func(se float64) float64 { return far * se }},
		{"below the band", cubicCheck(names.ExpectOutside, 0.7), 1.1 / 0.7, 1e6,
			func(se float64) float64 { return 0.2 - near*se }},
		{"above the band", cubicCheck(names.ExpectOutside, 1.3), 1.1 / 1.3, 1e6, nil},
	} {
		se := 4 / math.Sqrt(c.n)
		want := tail(c.n, near*se/c.edge) / 0.01
		if c.rise != nil {
			want = max(want, tail(c.n, c.rise(se))/1e-4)
		}
		if got := SingleProduct(c.check, int64(c.n), rates); !(math.Abs(got/want-1) < 1e-9) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
	}
	if got := SingleProduct(fixedCheck(names.ExpectInside, 1), 9, rates); !math.IsNaN(got) {
		t.Errorf("a check without single products has %v", got)
	}
}

// TestSingleProductRequiresSamples checks that Samples returns the smallest number with which
// single products are rare enough, that LimitedBySingleProduct reports it, and that Judge decides
// nothing with fewer.
func TestSingleProductRequiresSamples(t *testing.T) {
	rates := Rates{Alpha: 2e-4, Beta: 1e-4, Gates: 1}
	c := cubicCheck(names.ExpectInside, 1)
	rare := c.SingleProductTail
	c.SingleProductTail = func(n int64, rise float64) float64 { return 100 * rare(n, rise) }
	withoutProducts := c
	withoutProducts.SingleProductTail = nil
	nWithout, err := Samples(withoutProducts, rates)
	n, err2 := Samples(c, rates)
	if err != nil || err2 != nil || n <= nWithout || !(SingleProduct(c, n, rates) <= MaxSingleProduct) ||
		!(SingleProduct(c, n-1, rates) > MaxSingleProduct) {
		t.Fatalf("%d samples (%v), without single products %d (%v)", n, err2, nWithout, err)
	}
	if single, ok := SamplesForSingleProduct(c, rates); !ok || single != n || !LimitedBySingleProduct(c, n, rates) ||
		LimitedBySingleProduct(withoutProducts, nWithout, rates) {
		t.Errorf("single products require %d of %d samples", single, n)
	}
	for _, x := range []struct {
		n    int64
		want result.Verdict
	}{{n, result.Pass}, {n - 1, result.Undecided}, {nWithout, result.Undecided}} {
		g := Judge(c, result.Estimate{N: x.n, Value: 1}, rates)
		if g.Verdict != x.want || float64(g.SingleProduct) != SingleProduct(c, x.n, rates) {
			t.Errorf("%d samples: %+v", x.n, g)
		}
		if x.want == result.Undecided && (g.NToDecide == nil || *g.NToDecide != n) {
			t.Errorf("%d samples are said to decide, want %d", *g.NToDecide, n)
		}
	}
	if g := Judge(withoutProducts, result.Estimate{N: nWithout, Value: 1}, rates); g.Verdict != result.Pass ||
		g.SingleProduct.Present() {
		t.Errorf("without single products: %+v", g)
	}
}
