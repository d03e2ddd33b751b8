package scores

import (
	"math"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/gate"
	"mcsim/sim/names"
	"mcsim/sim/theory"
)

// single is the gate on the variance of a law at d_k, with the error rates of the default
// plan.
func singleCase(t *testing.T, law string, d float64) (experiment.Cell, gate.Check, gate.Rates) {
	t.Helper()
	c := experiment.NewCell(Variance, map[string]experiment.Value{names.ParamLaw: {Name: law}, names.ParamDimension: {Number: d}})
	c.Tolerance = 0.01
	return c, VarianceCheck(c, theory.NewScore(c.Law(), int(d))), gate.Rates{Alpha: 1e-6, Beta: 1e-6, Gates: 1385}
}

// For power laws of few moments the numbers that precision and skewness ask for leave to
// single products more than a tenth of the error rates; what is planned does not. Laws
// whose moments all exist, and student-t(10), need no more than before.
func TestPlannedSamplesHoldSingleProducts(t *testing.T) {
	for _, c := range []struct {
		law  string
		d    float64
		more bool
	}{
		{"student-t(6.5)", 1, true}, {"student-t(6.5)", 37, true}, {"student-t(7)", 1, true}, {"student-t(7)", 37, true}, {"student-t(8)", 37, true},
		{"student-t(10)", 1, false}, {"student-t(10)", 64, false}, {"laplace", 1, false}, {"bernoulli-gaussian(0.1)", 1, false},
		{"normal", 1, false}, {"uniform", 2, false}, {"rademacher", 2, false}, {"sphere", 3, false},
	} {
		_, check, rates := singleCase(t, c.law, c.d)
		fewer := check
		fewer.Single = nil
		before, err := gate.Samples(fewer, rates)
		if err != nil {
			t.Fatal(err)
		}
		n, err := gate.Samples(check, rates)
		if err != nil || !(gate.SingleProduct(check, n, rates) <= gate.MaxSingle) {
			t.Errorf("%s at %v: %d samples leave %v (%v)", c.law, c.d, n, gate.SingleProduct(check, n, rates), err)
		}
		was := gate.SingleProduct(check, before, rates)
		if more := was > gate.MaxSingle; more != c.more || more != (n > before) || more != gate.BySingle(check, n, rates) {
			t.Errorf("%s at %v: %d samples left %v, and now there are %d", c.law, c.d, before, was, n)
		}
	}
}

// At d_k = 1 single products of student-t(10) have .42 of α/2G beyond the quantile that
// the limits suppose there. The gate does not decide there: with as many samples as its
// skewness asks for, its band leaves room to more than twenty standard errors.
func TestSingleProductsAtTheQuantile(t *testing.T) {
	c, check, rates := singleCase(t, "student-t(10)", 1)
	n, err := gate.Samples(check, rates)
	if err != nil {
		t.Fatal(err)
	}
	s := theory.NewScore(c.Law(), 1)
	at := theory.CornishFisher(rates.ZAlpha(), check.Skew, n).Upper * s.VarianceSE(n)
	if part := s.VarianceSingle(n, at) / (rates.Alpha / (2 * float64(rates.Gates))); math.Abs(part-0.42) > 0.01 {
		t.Errorf("beyond the quantile: %v of α/2G, want .42", part)
	}
	if part := gate.SingleProduct(check, n, rates); !(part < 2e-3) {
		t.Errorf("where the gate decides: %v", part)
	}
}

// A component of a matrix of 48 queries and keys is shared by 48 scores: it moves their mean
// square as a product 48 times as likely to be that large would.
func TestGramHoldsSharedComponents(t *testing.T) {
	c, _, rates := singleCase(t, "student-t(7)", 128)
	g := theory.NewGram(c.Law(), 128, 48, 48)
	check := VarianceCheck(c, g)
	n, err := gate.Samples(check, rates)
	if err != nil {
		t.Fatal(err)
	}
	const rise = 0.5
	pairs := theory.NewScore(c.Law(), 128).VarianceSingle(n, rise)
	want := pairs + 2*128*float64(n)/48*theory.ComponentTail(c.Law(), math.Sqrt(1+float64(n)*rise/48))
	if got := g.VarianceSingle(n, rise); !(math.Abs(got/want-1) < 1e-12) || !(got > 10*pairs) {
		t.Errorf("matrices %v, want %v; pairs %v", got, want, pairs)
	}
	if !gate.BySingle(check, n, rates) {
		t.Errorf("%d samples are not for single components", n)
	}
}

// The separations below the band are moved into it by single products as a variance is
// moved out of its own, and those above it by none.
func TestSeparationsHoldSingleProducts(t *testing.T) {
	c, _, rates := singleCase(t, "student-t(7)", 8)
	s := theory.NewScore(c.Law(), 8)
	for _, p := range []float64{1.0 / 3, 2.0 / 3} {
		k := separation(c, p)[0]
		const n = 1 << 22
		want, se, band := k.At(n)
		scale := s.Variance() / want
		near := theory.CornishFisher(rates.ZBeta(), k.Skew, n)
		part := s.VarianceSingle(n, near.Upper*se*k.Edge*scale) / rates.Beta
		if p > 0.5 {
			rise := band[0] - near.Lower*se*k.Edge - want
			part = max(part, s.VarianceSingle(n, rise*scale)*2*float64(rates.Gates)/rates.Alpha)
		}
		if got := gate.SingleProduct(k, n, rates); !(math.Abs(got/part-1) < 1e-9) {
			t.Errorf("p = %v: %v, want %v", p, got, part)
		}
	}
}
