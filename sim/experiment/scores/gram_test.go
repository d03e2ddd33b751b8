package scores

import (
	"math"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/stream"
	"mcsim/sim/theory"
)

func gramCell(law string, d int) experiment.Cell {
	c := experiment.NewCell(Variance, map[string]experiment.Value{"law": {Name: law}, "d_k": {Number: float64(d)}, "estimator": {Name: names.EstimatorGram}})
	c.Tolerance, c.Gated = 0.01, true
	return c
}

// coverage counts how often an interval of 95 % by the exact error holds d,
// over single matrices of the given sides, and the scatter of their means.
func gramCoverage(t *testing.T, name string, d, side, runs int) (held int64, values moments.Moments) {
	t.Helper()
	l, err := law.Parse(name, experiment.Number)
	if err != nil {
		t.Fatal(err)
	}
	g := theory.NewGram(l, d, side, side)
	m := newMatrix(side, d, kernel.Vectors(l))
	z := 1.959963984540054
	means := make([]float64, runs)
	cell := stream.Open(stream.Key{Seed: 11, Cell: "coverage/" + name})
	var lanes stream.Lanes
	cell.Block(&lanes, uint64(d))
	// A run is 8 matrices: one alone is too skewed at small d.
	const matrices = 8
	for i := range means {
		squares := 0.0
		for range matrices {
			_, q := m.draw(&lanes)
			squares += q
		}
		means[i] = squares / matrices / m.scores()
		if math.Abs(means[i]-float64(d)) <= z*g.VarianceSE(matrices*int64(m.scores())) {
			held++
		}
	}
	return held, moments.Of(means, 4)
}

// Over 10⁴ replications the exact error covers: the 99.9 % binomial interval of
// the share does not lie below 95 %, and the scatter of the estimates is the
// formula's within 4.5 of its own errors.
func TestGramErrorCovers(t *testing.T) {
	const runs = 10_000
	for _, c := range []struct {
		law  string
		d    int
		skip bool // of coverage: too skewed for a normal interval
	}{{"normal", 4, false}, {"normal", 16, false}, {"uniform", 4, false}, {"rademacher", 4, false}, {"laplace", 16, true}} {
		if testing.Short() && c.law != "uniform" {
			continue
		}
		const side = kernel.TileKeys
		held, values := gramCoverage(t, c.law, c.d, side, runs)
		_, hi := theory.ClopperPearson(held, runs, 0.0005)
		if hi < 0.95 && !c.skip {
			t.Errorf("%s, d = %d: %d of %d intervals hold the truth", c.law, c.d, held, runs)
		}
		l, _ := law.Parse(c.law, experiment.Number)
		want := theory.NewGram(l, c.d, side, side).VarianceSE(8 * side * side)
		got := math.Sqrt(values.Variance())
		own := got * math.Sqrt((values.Standard(4)-1)/runs) / 2
		if math.Abs(got-want) > 4.5*own {
			t.Errorf("%s, d = %d: the estimates scatter by %v ± %v, want %v", c.law, c.d, got, own, want)
		}
		skew := theory.NewGram(l, c.d, side, side).VarianceSkew() / math.Sqrt(8*side*side)
		if off := values.Standard(3) - skew; math.Abs(off) > 0.3*max(1, math.Abs(skew)) {
			t.Errorf("%s, d = %d: skewness %v, want %v", c.law, c.d, values.Standard(3), skew)
		}
	}
}
