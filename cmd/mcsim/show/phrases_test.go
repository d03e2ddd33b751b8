package show

import (
	"testing"

	"mcsim/sim/result"
)

// TestDescribeParams checks that parameters in a cell's ID are not repeated.
func TestDescribeParams(t *testing.T) {
	for _, c := range []struct {
		cell   string
		params result.Params
		want   string
	}{
		{"variance/normal/d_k=64", result.Params{"distribution": "normal", "d_k": 64.0}, ""},
		{"variance/normal/d_k=64", result.Params{"distribution": "normal", "d_k": 64.0, "exponent": 0.5}, ", p = 1/2"},
		{"depth/tokens=16/sqrt(d_k)/residual",
			result.Params{"tokens": 16.0, "scale": "sqrt(d_k)", "residual": "yes", "layer": 3.0}, ", layer = 3"},
	} {
		if got := DescribeParams(c.cell, c.params); got != c.want {
			t.Errorf("DescribeParams(%s, %v) = %q, want %q", c.cell, c.params, got, c.want)
		}
	}
}
