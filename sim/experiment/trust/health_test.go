package trust

import (
	"slices"
	"testing"

	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/statistics/gate"
)

// Which components each kind of pair takes: draws alternate between q and k.
func TestPairs(t *testing.T) {
	draws := make([][stream.Width]float32, 6)
	for j := range draws {
		for i := range draws[j] {
			draws[j][i] = float32(100*j + i)
		}
	}
	type ij struct{ draw, lane int }
	at := func(x float32) ij { return ij{int(x) / 100, int(x) % 100} }
	choices := stream.Open(stream.ID{Seed: 1, Cell: "test"}).Rand(0)
	for _, c := range []struct {
		name  string
		pairs func(emit func(a, b float32))
		count int
		fits  func(a, b ij) bool
	}{
		{"neighbours", func(emit func(a, b float32)) { apartPairs(draws, 2, 1, emit) }, 4 * 16,
			func(a, b ij) bool { return a.lane == b.lane && b.draw == a.draw+2 }},
		{"query and key", func(emit func(a, b float32)) { apartPairs(draws, 1, 2, emit) }, 3 * 16,
			func(a, b ij) bool { return a.lane == b.lane && a.draw%2 == 0 && b.draw == a.draw+1 }},
		{"lanes", func(emit func(a, b float32)) { lanePairs(draws, choices, emit) }, 6 * 8,
			func(a, b ij) bool { return a.draw == b.draw && a.lane != b.lane }},
	} {
		seen := map[[2]ij]bool{}
		c.pairs(func(a, b float32) {
			if !c.fits(at(a), at(b)) {
				t.Errorf("%s: %v with %v", c.name, at(a), at(b))
			}
			seen[[2]ij{at(a), at(b)}] = true
		})
		if len(seen) != c.count {
			t.Errorf("%s: %d pairs, want %d", c.name, len(seen), c.count)
		}
	}
}

// The kurtosis of student-t(10) has no gate: with the components that its precision asks for one
// alone decides it wrongly some hundred thousand times as often as may be, and no number of them
// brings that down. Distributions whose moments all exist have the gate and need none for it.
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
		has := slices.ContainsFunc(healthChecks(cell),
			func(k gate.Check) bool { return k.Quantity == names.ComponentKurtosis })
		if has != c.gated {
			t.Errorf("%s: gate on the kurtosis: %v", c.distribution, has)
		}
		k := kurtosisCheck(cell, componentOfDistribution(cell.Distribution()))
		fewer := k
		fewer.SingleProductTail = nil
		n, err := gate.Samples(fewer, rates)
		if err != nil {
			t.Fatal(err)
		}
		part := gate.SingleProduct(k, n, rates)
		if single, ok := gate.SamplesForSingleProduct(k, rates); c.gated != (part <= gate.MaxSingleProduct) || !c.gated &&
			(part < 1e5 || ok) {
			t.Errorf("%s: %d components leave single ones %v of their rate, and %d bring it to a tenth", c.distribution,
				n, part, single)
		}
	}
}
