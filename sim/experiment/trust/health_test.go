package trust

import (
	"math"
	"slices"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/gate"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/stream"
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
	choices := stream.Open(stream.Key{Seed: 1, Cell: "test"}).Rand(0)
	for _, c := range []struct {
		name  string
		pairs func(emit func(a, b float32))
		count int
		fits  func(a, b ij) bool
	}{
		{"neighbours", func(emit func(a, b float32)) { neighbourPairs(draws, emit) }, 4 * 16,
			func(a, b ij) bool { return a.lane == b.lane && b.draw == a.draw+2 }},
		{"query and key", func(emit func(a, b float32)) { queryKeyPairs(draws, emit) }, 3 * 16,
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

// By hand: variance 2.5, a product of mean 0.5 is a correlation of 0.2.
func TestHealthRows(t *testing.T) {
	x := moments.Moments{N: 101, Order: moments.MaxOrder, Mean: 0.25}
	x.Sum[2], x.Sum[4] = 250, 1000
	product := moments.Moments{N: 50, Order: 2, Mean: 0.5}
	c := experiment.NewCell(Health, map[string]experiment.Value{"law": {Name: "normal"}})
	wants := map[string]float64{
		"component_mean": 0.25, "component_variance": 2.5, "component_kurtosis": 1000.0 / 101 / (250.0 / 101 * 250.0 / 101),
		"lag_correlation": 0.2, "qk_correlation": 0.2, "lane_correlation": 0.2,
	}
	errs := map[string]float64{
		"component_mean": 1 / math.Sqrt(101), "component_variance": math.Sqrt(2.0 / 100), "component_kurtosis": math.Sqrt(24.0 / 101),
		"lag_correlation": 1 / math.Sqrt(50), "qk_correlation": 1 / math.Sqrt(50), "lane_correlation": 1 / math.Sqrt(50),
	}
	rows := healthRows(c, moments.Node{Moments: []moments.Moments{x, product, product, product}}).Rows
	for _, r := range rows {
		if math.Abs(float64(r.Value)/wants[r.Quantity]-1) > 1e-14 || math.Abs(float64(r.SE)/errs[r.Quantity]-1) > 1e-14 {
			t.Errorf("%s is %v ± %v, want %v ± %v", r.Quantity, r.Value, r.SE, wants[r.Quantity], errs[r.Quantity])
		}
	}
	if len(rows) != len(wants) {
		t.Errorf("%d rows, want %d", len(rows), len(wants))
	}
}

// The kurtosis of student-t(10) has no gate: with the components that its precision asks
// for one alone decides it wrongly some hundred thousand times as often as may be, and no
// number of them brings that down. Laws whose moments all exist have the gate and need none for it.
func TestKurtosisIsGatedWhereItCanBe(t *testing.T) {
	rates := gate.Rates{Alpha: 1e-6, Beta: 1e-6, Gates: 1385}
	for _, c := range []struct {
		law   string
		gated bool
	}{{"normal", true}, {"laplace", true}, {"bernoulli-gaussian(0.1)", true}, {"uniform", true}, {"student-t(10)", false}} {
		cell := experiment.NewCell(Health, map[string]experiment.Value{"law": {Name: c.law}})
		cell.Tolerance = 0.01
		has := slices.ContainsFunc(healthChecks(cell), func(k gate.Check) bool { return k.Quantity == names.ComponentKurtosis })
		if has != c.gated {
			t.Errorf("%s: gate on the kurtosis: %v", c.law, has)
		}
		k := kurtosisCheck(cell, componentOf(cell.Law()))
		fewer := k
		fewer.Single = nil
		n, err := gate.Samples(fewer, rates)
		if err != nil {
			t.Fatal(err)
		}
		part := gate.SingleProduct(k, n, rates)
		if single, ok := gate.SamplesForSingle(k, rates); c.gated != (part <= gate.MaxSingle) || !c.gated && (part < 1e5 || ok) {
			t.Errorf("%s: %d components leave single ones %v of their rate, and %d bring it to a tenth", c.law, n, part, single)
		}
	}
}
