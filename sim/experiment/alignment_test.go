package experiment

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"mcsim/sim/result"
)

// firstByHand is the share of rows in which the aligned key scores most, counted
// in float64 over draws of the standard library.
func firstByHand(component func() float64, d, keys int, rho float64, rows int) float64 {
	first := 0
	q, z := make([]float64, d), make([]float64, d)
	for range rows {
		for i := range q {
			q[i] = component()
		}
		aligned, greatest := 0.0, math.Inf(-1)
		for j := range keys {
			score := 0.0
			for i := range z {
				z[i] = component()
				if j == 0 {
					z[i] = rho*q[i] + math.Sqrt(1-rho*rho)*z[i]
				}
				score += q[i] * z[i]
			}
			if j == 0 {
				aligned = score
			} else {
				greatest = max(greatest, score)
			}
		}
		if aligned > greatest {
			first++
		}
	}
	return float64(first) / float64(rows)
}

// The share of rows in which the aligned key comes first is what counting gives,
// and what quadrature does where it knows it: no other key's share is.
func TestAlignedFirstShare(t *testing.T) {
	const rows = 20000
	from := rand.New(rand.NewSource(11))
	laws := map[string]func() float64{
		"normal":  from.NormFloat64,
		"uniform": func() float64 { return math.Sqrt(3) * (2*from.Float64() - 1) },
	}
	for _, x := range []struct {
		law     string
		d, keys int
		rho     float64
	}{{"normal", 8, 5, 0.4}, {"normal", 16, 3, -0.3}, {"uniform", 8, 5, 0.4}, {"uniform", 3, 12, 0.7}} {
		c := NewCell(Alignment, map[string]Value{"law": {Name: x.law}, "d_k": {Number: float64(x.d)}, "rho": {Number: x.rho}, "keys": {Number: float64(x.keys)}})
		c.Shared = map[string][]Value{exponentAxis.Name: {{Number: 0.5}}}
		n := drawn(c, int(rows/alignmentUnits(c)))
		r := rowOf(t, alignmentFindings(c, n).Rows, "aligned_first_share")
		want := firstByHand(laws[x.law], x.d, x.keys, x.rho, rows)
		se := math.Hypot(float64(r.SE), math.Sqrt(want*(1-want)/rows))
		if !(math.Abs(float64(r.Value)-want) < 4.5*se) || math.Abs(want-1/float64(x.keys)) < 20*se {
			t.Errorf("%s: the aligned key comes first in %v ± %v, by hand %v", c.ID, r.Value, r.SE, want)
		}
		if x.law != "normal" {
			continue
		}
		if r.TheoryKind != "quadrature" || !(math.Abs(want-float64(r.Theory)) < 4.5*math.Sqrt(want*(1-want)/rows)) {
			t.Errorf("%s: by hand %v, by %s %v", c.ID, want, r.TheoryKind, r.Theory)
		}
	}
}

// rowOf is the first row of a quantity.
func rowOf(t *testing.T, rows []result.Estimate, quantity string) result.Estimate {
	t.Helper()
	i := slices.IndexFunc(rows, func(r result.Estimate) bool { return r.Quantity == quantity })
	if i < 0 {
		t.Fatalf("no row %s", quantity)
	}
	return rows[i]
}
