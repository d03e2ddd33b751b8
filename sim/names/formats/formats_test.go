package formats

import (
	"math"
	"testing"
)

// A format fails by one of its two limits, holds by both, and is not settled where the
// interval of the median lies on both sides of one.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		overflow, lo, hi float64
		want             string
	}{
		{0, 0.001, 0.002, Holds},
		{1e-6, 0.001, 0.01, Holds},
		{1.1e-6, 0.001, 0.002, Fails},
		{0, 0.0101, 0.02, Fails},
		{0, 0.009, 0.011, Unsettled},
		{1e-3, 0.009, 0.011, Fails},
		{1e-3, math.NaN(), math.NaN(), Fails},
		{0, math.NaN(), math.NaN(), Unsettled},
		{math.NaN(), 0.02, 0.03, Fails},
		{math.NaN(), 0.001, 0.002, Unsettled},
	} {
		if got := Verdict(c.overflow, c.lo, c.hi); got != c.want {
			t.Errorf("a tail of %v and a median in %v..%v: %s, want %s", c.overflow, c.lo, c.hi, got, c.want)
		}
	}
}
