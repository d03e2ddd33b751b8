package digits

import (
	"math"
	"testing"
)

// Numbers without an error of sampling keep their decimals, and small ones two digits.
func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{{1.02641, "1.026"}, {0.99972, "1.000"}, {-0.5, "−0.500"}, {0.0999, "0.1"}, {0.004428, "0.0044"}, {0, "0"}, {math.NaN(), None}, {12345.6789, "12\u202f345.679"}} {
		if got := Decimals(c.x, 3); got != c.want {
			t.Errorf("%v: %q, want %q", c.x, got, c.want)
		}
	}
}
