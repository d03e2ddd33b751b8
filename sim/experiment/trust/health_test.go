package trust

import (
	"slices"
	"testing"

	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/statistics/gate"
)

// TestPairs checks which pairs of components the products of each correlation have.
func TestPairs(t *testing.T) {
	// Each component encodes its position. Components of q have even indexes, those of k odd ones.
	vectors := make([][stream.Width]float32, 6)
	for j := range vectors {
		for i := range vectors[j] {
			vectors[j][i] = float32(100*j + i)
		}
	}
	type position struct{ index, lane int }
	decode := func(x float32) position { return position{int(x) / 100, int(x) % 100} }
	choices := stream.Open(stream.ID{Seed: 1, Cell: "test"}).Rand(0)
	for _, c := range []struct {
		name       string
		visitPairs func(visit func(a, b float32))
		want       int // number of different pairs
		isValid    func(a, b position) bool
	}{
		{"neighbours", func(visit func(a, b float32)) { visitDistantPairs(vectors, 2, 1, visit) }, 4 * 16,
			func(a, b position) bool { return a.lane == b.lane && b.index == a.index+2 }},
		{"query and key", func(visit func(a, b float32)) { visitDistantPairs(vectors, 1, 2, visit) }, 3 * 16,
			func(a, b position) bool { return a.lane == b.lane && a.index%2 == 0 && b.index == a.index+1 }},
		{"lanes", func(visit func(a, b float32)) { visitLanePairs(vectors, choices, visit) }, 6 * 8,
			func(a, b position) bool { return a.index == b.index && a.lane != b.lane }},
	} {
		visited := map[[2]position]bool{}
		c.visitPairs(func(a, b float32) {
			if !c.isValid(decode(a), decode(b)) {
				t.Errorf("%s: got the pair %+v and %+v, which is not of this kind", c.name, decode(a), decode(b))
			}
			visited[[2]position{decode(a), decode(b)}] = true
		})
		if len(visited) != c.want {
			t.Errorf("%s: got %d different pairs, want %d", c.name, len(visited), c.want)
		}
	}
}

// TestGateOnKurtosis checks that the kurtosis has a gate except for student-t(10), and that this
// exception is necessary. For student-t(10), with the number of components that the precision
// requires, single components decide the gate wrongly at least 10⁵ times as often as the rates
// allow, and no number of components is enough. For the other distributions, the number that the
// precision requires is enough.
func TestGateOnKurtosis(t *testing.T) {
	rates := gate.Rates{Alpha: 1e-6, Beta: 1e-6, Gates: 1385}
	for _, c := range []struct {
		distribution string
		want         bool // it has a gate
	}{
		{"normal", true}, {"laplace", true}, {"bernoulli-gaussian(0.1)", true}, {"uniform", true},
		{"student-t(10)", false},
	} {
		cell := experiment.NewCell(Health, map[string]experiment.AxisValue{"distribution": {Name: c.distribution}})
		cell.Tolerance = 0.01
		got := slices.ContainsFunc(healthChecks(cell),
			func(check gate.Check) bool { return check.Quantity == names.ComponentKurtosis })
		if got != c.want {
			t.Errorf("%s: has a gate on the kurtosis: got %v, want %v", c.distribution, got, c.want)
		}
		check := newKurtosisCheck(cell, componentTheory(cell.Distribution()))
		precisionCheck := check
		precisionCheck.SingleProductTail = nil
		n, err := gate.Samples(precisionCheck, rates)
		if err != nil {
			t.Fatal(err)
		}
		ratio := gate.SingleProduct(check, n, rates)
		if c.want {
			if ratio > gate.MaxSingleProduct {
				t.Errorf("%s, %d components: error rate by single components over the allowed rate: got %v, want at "+
					"most %v", c.distribution, n, ratio, gate.MaxSingleProduct)
			}
			continue
		}
		if ratio < 1e5 {
			t.Errorf("%s, %d components: error rate by single components over the allowed rate: got %v, want at "+
				"least 1e5", c.distribution, n, ratio)
		}
		if required, ok := gate.SamplesForSingleProduct(check, rates); ok {
			t.Errorf("%s: %d components are enough for a gate, want that no number is", c.distribution, required)
		}
	}
}
