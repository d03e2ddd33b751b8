package scores

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/stream"
	"mcsim/sim/theory"
)

func gramCell(law string, d int) experiment.Cell {
	c := experiment.NewCell(Variance, map[string]experiment.Value{"law": {Name: law}, "d_k": {Number: float64(d)}, "estimator": {Name: names.EstimatorGram}})
	c.Tolerance, c.Gated = 0.01, true
	return c
}

// A cell says that it is a Gram's; one that is direct says nothing, as before.
func TestEstimatorInID(t *testing.T) {
	g := gramCell("normal", 64)
	d := experiment.NewCell(Variance, map[string]experiment.Value{"law": {Name: "normal"}, "d_k": {Number: 64}, "estimator": {Name: names.EstimatorDirect}})
	if g.ID != "variance/normal/d_k=64/gram" || g.Params()["estimator"] != names.EstimatorGram {
		t.Errorf("%s %v", g.ID, g.Params())
	}
	if _, said := d.Params()["estimator"]; d.ID != "variance/normal/d_k=64" || said {
		t.Errorf("%s %v", d.ID, d.Params())
	}
}

// The estimate is unbiased and its exact error right for every law: over many
// blocks the mean is within 4.5 errors of d (which one of 16 misses with a
// chance of 10⁻⁴), and so are the mean of the scores and the direct estimate.
func TestGramAgreesWithDirect(t *testing.T) {
	for _, l := range law.Usual() {
		c := experiment.NewCell(Variance, map[string]experiment.Value{"law": {Name: l.String()}, "d_k": {Number: 8}})
		if !c.Law().Independent() || math.IsInf(c.Law().Moment(6), 1) {
			continue
		}
		for _, d := range []int{3, 300} { // less than, and more than a chunk
			g := gramCell(c.Law().String(), d)
			blocks := max(8, 200/d)
			f := gramRows(g, experimenttest.Drawn(g, blocks))
			for _, r := range f.Rows[:2] {
				if z := float64((r.Value - r.Theory) / r.SE); !(math.Abs(z) < 4.5) || r.Estimator != names.EstimatorGram {
					t.Errorf("%s: %s is %v ± %v, want %v (%s)", g.ID, r.Quantity, r.Value, r.SE, r.Theory, r.Estimator)
				}
			}
			same := experiment.NewCell(Variance, map[string]experiment.Value{"law": {Name: c.Law().String()}, "d_k": {Number: float64(d)}})
			e := VarianceRows(same, experimenttest.Drawn(same, blocks)).Rows[1]
			if z := float64((e.Value-f.Rows[1].Value)/e.SE) / math.Hypot(1, float64(f.Rows[1].SE/e.SE)); !(math.Abs(z) < 4.5) {
				t.Errorf("%s: direct gives %v ± %v, gram %v ± %v", g.ID, e.Value, e.SE, f.Rows[1].Value, f.Rows[1].SE)
			}
		}
	}
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

// The bits of the estimator, by whatever kernel: the start of a SHA-256 over
// nodes at dimensions below, at and above a chunk.
func TestGramBits(t *testing.T) {
	h := sha256.New()
	for _, name := range []string{"normal", "rademacher", "student-t(10)"} {
		for _, d := range []int{1, 64, 255, 256, 257, 600} {
			h.Write(moments.AppendNode(nil, experimenttest.Drawn(gramCell(name, d), 1)))
		}
	}
	const pinned = "c3a4ab9711ebf9d7d7684249"
	if got := hex.EncodeToString(h.Sum(nil)[:12]); got != pinned {
		t.Errorf("%s by %s, want %s", got, kernel.Name(), pinned)
	}
}

// The sphere's components are not independent, and the formula is not theirs.
func TestGramRefusesTheSphere(t *testing.T) {
	if err := Variance.Refuse(gramCell("sphere", 64), false); err == nil {
		t.Error("a Gram of the sphere is not refused")
	}
}

// The scatter of the matrices has an error only where there are enough of them, and no
// row where the squares of the scores are all 1.
func TestGramScatter(t *testing.T) {
	for _, c := range []struct {
		law       string
		d, blocks int
		want      bool
	}{
		{"normal", 4096, 15, false},
		{"normal", 4096, 24, true},
		{"rademacher", 1, 64, false},
		{"rademacher", 2, 64, true},
	} {
		if testing.Short() && c.d == 4096 {
			continue
		}
		cell := gramCell(c.law, c.d)
		f := gramRows(cell, experimenttest.Drawn(cell, c.blocks))
		found := false
		for _, r := range f.Rows {
			found = found || r.Quantity == "score_variance_se_blocks" && r.SE > 0
			if !r.SE.Present() && r.Quantity != "score_variance_se_blocks" {
				t.Errorf("%s: %s has no error", cell.ID, r.Quantity)
			}
		}
		noted := slices.ContainsFunc(f.Warnings, func(w result.Warning) bool {
			return strings.Contains(w.Text, "left out") || strings.Contains(w.Text, "degrees of freedom")
		})
		if found != c.want || noted == c.want {
			t.Errorf("%s, %d blocks: an error is there: %v, said to be missing: %v", cell.ID, c.blocks, found, noted)
		}
	}
}

// The side is near the best: with the cost and the error of its formula, no
// other whole number of tiles up to the largest does better by more than 5 %.
func TestGramSide(t *testing.T) {
	for _, name := range []string{"normal", "uniform", "laplace", "student-t(10)", "bernoulli-gaussian(0.1)"} {
		for _, d := range []int{16, 64, 512, 4096, 65536} {
			c := gramCell(name, d)
			cost := func(side int) float64 {
				g := theory.NewGram(c.Law(), d, side, side)
				return (2*drawTime[c.Law().Name()]/float64(side) + productTime) * g.RelativeVariance()
			}
			chosen, best := cost(gramSide(c)), math.Inf(1)
			for tiles := 1; tiles <= 8; tiles++ {
				best = min(best, cost(tiles*kernel.TileKeys))
			}
			if chosen > 1.05*best {
				t.Errorf("%s: a side of %d costs %.2f times the best", c.ID, gramSide(c), chosen/best)
			}
		}
	}
}

// Two estimators at one dimension determine no slope, and no gate asks for one.
func TestSlopeWantsTwoDimensions(t *testing.T) {
	var s experiment.Slope
	s.Add(16, 16.1, 0.01, 1000)
	s.Add(16, 15.9, 0.01, 1000)
	if slope, se := s.Fit(); !math.IsNaN(slope) || !math.IsNaN(se) || s.Determined() {
		t.Errorf("slope %v ± %v", slope, se)
	}
	cells := []experiment.Cell{gramCell("normal", 16), experiment.NewCell(Variance, map[string]experiment.Value{"law": {Name: "normal"}, "d_k": {Number: 16}})}
	for i := range cells {
		cells[i].Shared = map[string][]experiment.Value{"exponent": {{Number: 0}}}
	}
	if _, gated := slopeCheck(cells, cells[0].Law()); gated {
		t.Error("a slope over one dimension is gated")
	}
}
