package trust

import (
	"slices"
	"testing"

	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/statistics/gate"
)

// TestPairs checks which components each kind of pair has; components of q and k alternate.
func TestPairs(t *testing.T) {
	vectors := make([][stream.Width]float32, 6)
	for j := range vectors {
		for i := range vectors[j] {
			vectors[j][i] = float32(100*j + i)
		}
	}
	type position struct{ draw, lane int }
	decode := func(x float32) position { return position{int(x) / 100, int(x) % 100} }
	choices := stream.Open(stream.ID{Seed: 1, Cell: "test"}).Rand(0)
	for _, c := range []struct {
		name    string
		pairs   func(visit func(a, b float32))
		count   int
		isValid func(a, b position) bool
	}{
		{"neighbours", func(visit func(a, b float32)) { visitDistantPairs(vectors, 2, 1, visit) }, 4 * 16,
			func(a, b position) bool { return a.lane == b.lane && b.draw == a.draw+2 }},
		{"query and key", func(visit func(a, b float32)) { visitDistantPairs(vectors, 1, 2, visit) }, 3 * 16,
			func(a, b position) bool { return a.lane == b.lane && a.draw%2 == 0 && b.draw == a.draw+1 }},
		{"lanes", func(visit func(a, b float32)) { visitLanePairs(vectors, choices, visit) }, 6 * 8,
			func(a, b position) bool { return a.draw == b.draw && a.lane != b.lane }},
	} {
		visited := map[[2]position]bool{}
		c.pairs(func(a, b float32) {
			if !c.isValid(decode(a), decode(b)) {
				t.Errorf("%s: %v with %v", c.name, decode(a), decode(b))
			}
			visited[[2]position{decode(a), decode(b)}] = true
		})
		if len(visited) != c.count {
			t.Errorf("%s: %d pairs, want %d", c.name, len(visited), c.count)
		}
	}
}

// TestKurtosisIsGatedWhereItCanBe checks that the kurtosis of student-t(10) has no gate. With the
// number of components that its precision requires, a single component decides it wrongly about a
// hundred thousand times as often as the rates allow, and more components do not help.
// Distributions with finite moments have the gate, and need no additional components.
func TestKurtosisIsGatedWhereItCanBe(t *testing.T) {
	rates := gate.Rates{Alpha: 1e-6, Beta: 1e-6, Gates: 1385}
	for _, c := range []struct {
		distribution string
		gated        bool
	}{
		{"normal", true}, {"laplace", true}, {"bernoulli-gaussian(0.1)", true}, {"uniform", true},
		{"student-t(10)", false},
	} {
		cell := experiment.NewCell(Health, map[string]experiment.AxisValue{"distribution": {Name: c.distribution}})
		cell.Tolerance = 0.01
		hasGate := slices.ContainsFunc(healthChecks(cell),
			func(k gate.Check) bool { return k.Quantity == names.ComponentKurtosis })
		if hasGate != c.gated {
			t.Errorf("%s: gate on the kurtosis: %v", c.distribution, hasGate)
		}
		k := newKurtosisCheck(cell, componentTheory(cell.Distribution()))
		withoutTail := k
		withoutTail.SingleProductTail = nil
		n, err := gate.Samples(withoutTail, rates)
		if err != nil {
			t.Fatal(err)
		}
		ratio := gate.SingleProduct(k, n, rates)
		needed, ok := gate.SamplesForSingleProduct(k, rates)
		if c.gated != (ratio <= gate.MaxSingleProduct) || !c.gated && (ratio < 1e5 || ok) {
			t.Errorf("%s: %d components leave single ones %v of their rate, and %d bring it to a tenth", c.distribution,
				n, ratio, needed)
		}
	}
}
