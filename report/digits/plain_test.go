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

// Significant digits are all there, the zeros at their end too.
func TestSignificant(t *testing.T) {
	for _, c := range []struct {
		x    float64
		n    int
		want string
	}{
		{1, 2, "1.0"}, {0.82, 2, "0.82"}, {0.998, 2, "1.0"}, {150, 2, "150"}, {154, 2, "150"}, {2, 3, "2.00"}, {0, 2, "0.0"}, {-4.04, 2, "−4.0"},
		{8e13, 3, "8.00·10¹³"}, {805_306_368, 3, "805\u202f000\u202f000"}, {9.999e12, 3, "1.00·10¹³"}, {math.NaN(), 3, "–"}, {math.Inf(1), 2, "–"},
	} {
		if got := Significant(c.x, c.n); got != c.want {
			t.Errorf("%v to %d digits is %q, not %q", c.x, c.n, got, c.want)
		}
	}
}
