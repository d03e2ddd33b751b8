package related

import (
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
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
		c := experiment.NewCell(Alignment, map[string]experiment.Value{"law": {Name: x.law}, "d_k": {Number: float64(x.d)}, "rho": {Number: x.rho}, "keys": {Number: float64(x.keys)}})
		c.Shared = map[string][]experiment.Value{experiment.ExponentAxis.Name: {{Number: 0.5}}}
		n := experimenttest.Drawn(c, int(rows/alignmentUnits(c)))
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

func TestAlignmentHoldsTheory(t *testing.T) {
	for _, law := range []string{"normal", "uniform", "rademacher", "sphere", "laplace"} {
		for _, rho := range []string{"0", "1/10", "-1/2", "1"} {
			var cells []experiment.Cell
			doc := &result.Document{}
			for _, d := range []string{"2", "8", "64"} {
				c := experimenttest.PointOf(t, Alignment, map[string]string{"law": law, "d_k": d, "rho": rho, "keys": "5"})
				cells = append(cells, c)
				n := experimenttest.Drawn(c, 8)
				found := Alignment.Rows(c, n)
				doc.Estimates = append(doc.Estimates, found.Rows...)
			}
			joinAlignment(cells, doc)
			if count := experimenttest.HoldsTheory(t, doc.Estimates); count < 9 && !(rho == "1" || law == "sphere") {
				t.Errorf("%s, ρ = %s: %d rows with theory", law, rho, count)
			}
			between := slices.DeleteFunc(doc.Estimates, func(r result.Estimate) bool { return r.Quantity != "local_exponent" })
			if len(between) != 2 || between[0].Cell != strings.Replace(cells[0].ID, "d_k=2", "d_k=2..8", 1) || between[0].Params["d_k"] != 4.0 {
				t.Errorf("%d exponents, first of %v", len(between), between[0])
			}
		}
	}
}

// With ρ = 1 the aligned key is the query: signs have the score d, always.
func TestAlignedSigns(t *testing.T) {
	c := experimenttest.PointOf(t, Alignment, map[string]string{"law": "rademacher", "d_k": "16", "rho": "1"})
	m := experimenttest.Drawn(c, 2).Moments[0]
	if m.Mean != 16 || m.Variance() != 0 {
		t.Errorf("mean %v, variance %v", m.Mean, m.Variance())
	}
}

// What does not vary is not gated; quadrature is, for normal components.
func TestAlignmentChecks(t *testing.T) {
	for law, want := range map[string]int{"normal": 7, "uniform": 2, "rademacher": 0, "sphere": 0} {
		c := experimenttest.PointOf(t, Alignment, map[string]string{"law": law, "d_k": "16", "rho": "1"})
		c.Gated = true
		checks := alignmentChecks(c)
		if len(checks) != want {
			t.Errorf("%s: %d gates, want %d", law, len(checks), want)
		}
		rows := Alignment.Rows(c, experimenttest.Drawn(c, 8)).Rows
		for _, k := range checks {
			i := slices.IndexFunc(rows, func(r result.Estimate) bool {
				return r.Quantity == k.Quantity && r.Params["exponent"] == k.Params["exponent"]
			})
			want, _, _ := k.At(1)
			if i < 0 || math.Abs(float64(rows[i].Theory)-want) > 1e-12*max(1, math.Abs(want)) {
				t.Errorf("%s: the gate on %s has no row of its theory %v", law, k.Quantity, want)
			}
		}
	}
}
