package related

import (
	"math"
	"slices"
	"testing"

	"mcsim/sim/attention/rule"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/kernel"
	"mcsim/sim/result"
)

// TestAdditiveSampler compares the mean square of the logits of each set of weights with a direct
// computation in float64 from the same random numbers.
func TestAdditiveSampler(t *testing.T) {
	c := experimenttest.NewCell(t, Rules, map[string]string{"distribution": "laplace", "d_k": "5"})
	r, err := rule.Parse("additive(7)", experiment.Number)
	if err != nil {
		t.Fatal(err)
	}
	var lanes stream.Lanes
	stream.Open(stream.ID{Seed: 3, Cell: "plain"}).Block(&lanes, 0)
	lanesAgain := lanes // for the direct computation
	got := newAdditiveSampler(c, r).sample(&lanes)

	uniform := experimenttest.NewCell(t, scores.Variance,
		map[string]string{"distribution": "uniform", "d_k": "5"}).Distribution()
	sample := func(fill func(*stream.Lanes, [][kernel.Width]float32), n int) [][kernel.Width]float32 {
		x := make([][kernel.Width]float32, n)
		fill(&lanesAgain, x)
		return x
	}
	var q, k, wq, wk [][][kernel.Width]float32
	for range pairsPerWeights {
		q = append(q, sample(kernel.Vectors(c.Distribution()), 5))
		k = append(k, sample(kernel.Vectors(c.Distribution()), 5))
	}
	w := sample(kernel.Vectors(uniform), 7)
	for range w {
		wq = append(wq, sample(kernel.Vectors(uniform), 5))
		wk = append(wk, sample(kernel.Vectors(uniform), 5))
	}
	for lane := range got {
		var want float64
		for i := range q {
			var logit float64
			for a := range w {
				var hidden float64
				for j := range q[i] {
					hidden += float64(wq[a][j][lane])*float64(q[i][j][lane]) +
						float64(wk[a][j][lane])*float64(k[i][j][lane])
				}
				logit += float64(w[a][lane]) * math.Sqrt(2./8) * math.Tanh(math.Sqrt(2./12)*hidden)
			}
			want += logit * logit / pairsPerWeights
		}
		if math.Abs(got[lane]-want) > 1e-5*want {
			t.Errorf("lane %d: mean square: got %v, want %v", lane, got[lane], want)
		}
	}
}

// TestRulesJoin checks which rules are flat by their estimated slopes, and that each rule has a
// curve of theory.
func TestRulesJoin(t *testing.T) {
	var cells []experiment.Cell
	doc := &result.Document{}
	for _, d := range []string{"1", "4", "32", "256"} {
		c := experimenttest.NewCell(t, Rules, map[string]string{"distribution": "normal", "d_k": d})
		cells = append(cells, c)
		doc.Estimates = append(doc.Estimates, Rules.Reader.Estimates(c, experimenttest.SampleCell(c, 24)).Estimates...)
	}
	experimenttest.Finish(t, finishRules, experiment.SampledCells{Cells: cells}, doc)
	flat := map[string]float64{}
	for _, r := range doc.Estimates {
		name, _ := r.Params.Text("rule")
		if r.Quantity == "flat" {
			flat[name] = float64(r.Value)
		}
	}
	for name, want := range map[string]float64{
		"power(0)": 0, "power(0.5)": 1, "power(1)": 0, "sqrt(d_k/2)": 1, "temperature(8)": 0, "learned(2)": 1,
		"log-n(1)": 1, "rope": 1, "yarn(32)": 1, "cosine(10)": 0, "key-normalised": 1, "qk-norm(1)": 1,
		"soft-cap(50)": 1,
	} {
		got, ok := flat[name]
		switch {
		case !ok:
			t.Errorf("there is no estimate of flat for %s", name)
		case got != want:
			t.Errorf("flat for %s: got %v, want %v", name, got, want)
		}
	}
	if got, want := len(doc.Curves), len(cellRules(cells[0])); got != want {
		t.Errorf("got %d curves, want one for each of %d rules", got, want)
	}
}

// TestRulesChecks checks that one slope has a gate for each kind of number that rules multiply.
// There must be no gate if the theory of the slope is only a limit, or if only one d_k is at least
// 2.
func TestRulesChecks(t *testing.T) {
	newCells := func(distribution string, dimensions ...string) (cells []experiment.Cell) {
		for _, d := range dimensions {
			c := experimenttest.NewCell(t, Rules, map[string]string{"distribution": distribution, "d_k": d})
			c.Gated = true
			cells = append(cells, c)
		}
		return cells
	}
	for _, c := range []struct {
		cells []experiment.Cell
		want  []string // rules whose slopes have gates
	}{
		{newCells("normal", "1", "2", "64"), []string{"power(0)", "rope", "cosine(10)", "key-normalised"}},
		{newCells("bernoulli-gaussian(0.1)", "2", "64"), []string{"power(0)"}},
		{newCells("normal", "1", "64"), nil},
	} {
		var got []string
		for _, check := range newSlopeChecks(c.cells) {
			name, _ := check.Params.Text("rule")
			got = append(got, name)
			if expected, _, band := check.Expected(1); expected <= band[0] || expected >= band[1] {
				t.Errorf("gate on %s: the expected value %v is not inside the band %v", name, expected, band)
			}
			if se := check.JoinedSE([]int64{1e6, 1e6}); !(se > 0) {
				t.Errorf("gate on %s: got the standard error %v, want a positive one", name, se)
			}
			if want := lineAggregate(c.cells[0]).ID; check.Cell != want {
				t.Errorf("gate on %s: got the cell %s, want %s", name, check.Cell, want)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("got gates on %v, want %v", got, c.want)
		}
	}
}
