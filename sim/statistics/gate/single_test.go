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
	return Check{
		Name: "n", Cell: "c", Expect: expect, Tolerance: 0.1, NumbersPerUnit: 1,
		Expected: func(n int64) (float64, float64, [2]float64) {
			return expected, 4 / math.Sqrt(float64(n)), [2]float64{0.9, 1.1}
		},
		SingleProductTail: func(n int64, rise float64) float64 { return float64(n) * math.Pow(float64(n)*rise, -3) },
	}
}

// TestSingleProduct compares with values computed by hand, without skewness, for z_{α/2G} =
// z_{1e-4} = 3.7190 and z_β = 2.3263 (SciPy 1.10.1). A quantity on an edge passes wrongly if one
// product raises the estimate by z_β standard errors; on the edge, products are larger in
// proportion to the quantity. A quantity that agrees with theory does not pass if one product
// raises the estimate above the largest one whose interval is inside the band; if this rise is less
// than z_{α/2G} standard errors, the latter is used.
func TestSingleProduct(t *testing.T) {
	rates := Rates{Alpha: 2e-4, Beta: 0.01, Gates: 1}
	const zAlpha, zBeta = 3.719016485455709, 2.3263478740408408
	tail := func(n, rise float64) float64 { return n * math.Pow(n*rise, -3) }
	for _, c := range []struct {
		name  string
		check Check
		edge  float64 // edge over the theoretical value
		n     float64
		rise  func(se float64) float64 // of a quantity that agrees with theory; nil if no rise matters
	}{
		{"inside, many", cubicCheck(names.ExpectInside, 1), 0.9, 1e6,
			func(se float64) float64 { return 0.1 - zBeta*se }},
		{"inside, few", cubicCheck(names.ExpectInside, 1), 0.9, 1e3, func(se float64) float64 { return zAlpha * se }},
		{"below the band", cubicCheck(names.ExpectOutside, 0.7), 1.1 / 0.7, 1e6,
			func(se float64) float64 { return 0.2 - zBeta*se }},
		{"above the band", cubicCheck(names.ExpectOutside, 1.3), 1.1 / 1.3, 1e6, nil},
	} {
		se := 4 / math.Sqrt(c.n)
		want := tail(c.n, zBeta*se/c.edge) / 0.01
		if c.rise != nil {
			want = max(want, tail(c.n, c.rise(se))/1e-4)
		}
		if got := SingleProduct(c.check, int64(c.n), rates); !(math.Abs(got/want-1) < 1e-9) {
			t.Errorf("%s: SingleProduct is %v, want %v", c.name, got, want)
		}
	}
	if got := SingleProduct(fixedCheck(names.ExpectInside, 1), 9, rates); !math.IsNaN(got) {
		t.Errorf("SingleProduct of a check without SingleProductTail is %v, want NaN", got)
	}
}

// TestSingleProductRequiresSamples checks a gate whose number of samples is determined by single
// products. Samples returns the smallest number with which they are rare enough,
// LimitedBySingleProduct reports that they determine it, and with fewer samples the verdict of
// Judge is undecided.
func TestSingleProductRequiresSamples(t *testing.T) {
	rates := Rates{Alpha: 2e-4, Beta: 1e-4, Gates: 1}
	c := cubicCheck(names.ExpectInside, 1)
	cubicTail := c.SingleProductTail
	c.SingleProductTail = func(n int64, rise float64) float64 { return 100 * cubicTail(n, rise) }
	withoutProducts := c
	withoutProducts.SingleProductTail = nil
	nWithout, err := Samples(withoutProducts, rates)
	if err != nil {
		t.Fatal(err)
	}
	n, err := Samples(c, rates)
	if err != nil {
		t.Fatal(err)
	}
	if n <= nWithout {
		t.Fatalf("%d samples are enough, want more than %d, the number without single products", n, nWithout)
	}
	if got, previous := SingleProduct(c, n, rates), SingleProduct(c, n-1, rates); !(got <= MaxSingleProduct) ||
		!(previous > MaxSingleProduct) {
		t.Errorf("SingleProduct is %v with %d samples and %v with one less, want at most and more than %v", got, n,
			previous, MaxSingleProduct)
	}
	if got, ok := SamplesForSingleProduct(c, rates); !ok || got != n {
		t.Errorf("SamplesForSingleProduct is %d, %v, want %d, true", got, ok, n)
	}
	if !LimitedBySingleProduct(c, n, rates) {
		t.Errorf("LimitedBySingleProduct is false for %d samples, want true", n)
	}
	if LimitedBySingleProduct(withoutProducts, nWithout, rates) {
		t.Error("LimitedBySingleProduct is true for a check without SingleProductTail, want false")
	}
	for _, x := range []struct {
		n    int64
		want result.Verdict
	}{{n, result.Pass}, {n - 1, result.Undecided}, {nWithout, result.Undecided}} {
		g := Judge(c, result.Estimate{N: x.n, Value: 1}, rates)
		if g.Verdict != x.want {
			t.Errorf("%d samples: the verdict is %s, want %s", x.n, g.Verdict, x.want)
		}
		if got, want := float64(g.SingleProduct), SingleProduct(c, x.n, rates); got != want {
			t.Errorf("%d samples: SingleProduct of the gate is %v, want %v", x.n, got, want)
		}
		if x.want == result.Undecided {
			checkNToDecide(t, g, n)
		}
	}
	g := Judge(withoutProducts, result.Estimate{N: nWithout, Value: 1}, rates)
	if g.Verdict != result.Pass || g.SingleProduct.Present() {
		t.Errorf("without single products: got the verdict %s and SingleProduct %v, want pass and an absent number",
			g.Verdict, g.SingleProduct)
	}
}
