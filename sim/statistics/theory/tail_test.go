package theory

import (
	"math"
	"testing"
)

// TestClopperPearson compares the limits with bisection of exact binomial sums in 60 digits (Python
// 3.11.2, decimal). stats.beta.ppf and isf of SciPy 1.10.1 agree with these to twelve digits.
func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		k, n         int64
		tail, lo, hi float64
	}{
		{0, 10, 0.025, 0, 0.30849710781876083},
		{10, 10, 0.025, 0.69150289218123917, 1},
		{3, 10, 0.025, 0.066739511177734467, 0.65245285005999731},
		{7, 10, 0.0005, 0.18360562304073272, 0.983433384950127},
		{19, 400, 0.025, 0.028836930380423276, 0.073185365401370661},
		{380, 400, 0.0005, 0.90385632633645097, 0.97858248822768434},
		{1, 1000, 0.0005, 5.0012491661978994e-07, 0.0099538143409508128},
		{950, 1000, 0.025, 0.93460951208450638, 0.96266460239533824},
	} {
		lo, hi := ClopperPearson(c.k, c.n, c.tail)
		if math.Abs(lo-c.lo) > 1e-12*c.lo || math.Abs(hi-c.hi) > 1e-12 {
			t.Errorf("%d of %d with tail %v: got limits %.17g and %.17g, want %.17g and %.17g", c.k, c.n, c.tail,
				lo, hi, c.lo, c.hi)
		}
	}
}

// TestCornishFisher compares with values computed by hand. For z = 3 and the skewness ±0.6 of 100
// numbers, g = ±0.06, the shift of the quantiles is ±0.06·8/6 = ±0.08, and the tail error is
// 0.06·27/6 = 0.27.
func TestCornishFisher(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		r := CornishFisher(3, sign*0.6, 100)
		if math.Abs(r.Upper-(3+sign*0.08)) > 1e-15 || math.Abs(r.Lower-(3-sign*0.08)) > 1e-15 {
			t.Errorf("skewness %v: got %+v, want %v below and %v above", sign*0.6, r, 3-sign*0.08, 3+sign*0.08)
		}
		if e := TailError(3, sign*0.6, 100); math.Abs(e-0.27) > 1e-15 {
			t.Errorf("skewness %v: the tail error is %v, want 0.27", sign*0.6, e)
		}
	}
}
