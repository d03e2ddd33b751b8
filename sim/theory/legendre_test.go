package theory

import (
	"math"
	"testing"
)

// Sixteen points integrate every polynomial up to degree 31.
func TestLegendre(t *testing.T) {
	var q quadrature
	q.panels(-1, 1, 2)
	if len(q.at) != 16 {
		t.Fatalf("%d points", len(q.at))
	}
	for power := 0.0; power <= 31; power++ {
		sum := 0.0
		for i, x := range q.at {
			sum += q.weight[i] * math.Pow(x, power)
		}
		want := 0.0
		if math.Mod(power, 2) == 0 {
			want = 2 / (power + 1)
		}
		if math.Abs(sum-want) > 1e-15 {
			t.Errorf("x^%v: %v, want %v", power, sum, want)
		}
	}
	var panels quadrature
	panels.panels(3, 10, 2)
	length, n := 0.0, len(panels.at)
	for _, w := range panels.weight {
		length += w
	}
	if n != 64 || math.Abs(length-7) > 1e-14 {
		t.Errorf("%d points of weight %v", n, length)
	}
}
