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

// TestAdditivePlainly compares with the logits of sets of weights computed directly in float64.
func TestAdditivePlainly(t *testing.T) {
	c := experimenttest.NewCell(t, Rules, map[string]string{"distribution": "laplace", "d_k": "5"})
	r, err := rule.Parse("additive(7)", experiment.Number)
	if err != nil {
		t.Fatal(err)
	}
	var lanes, laneCopy stream.Lanes
	stream.Open(stream.ID{Seed: 3, Cell: "plain"}).Block(&lanes, 0)
	laneCopy = lanes
	got := newAdditiveSampler(c, r).sample(&lanes)

	uniform := experimenttest.NewCell(t, scores.Variance,
		map[string]string{"distribution": "uniform", "d_k": "5"}).Distribution()
	sample := func(fill func(*stream.Lanes, [][kernel.Width]float32), n int) [][kernel.Width]float32 {
		x := make([][kernel.Width]float32, n)
		fill(&laneCopy, x)
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
			t.Errorf("lane %d: %v, want %v", lane, got[lane], want)
		}
	}
}

// TestRulesJoin checks which rules are flat by their slopes, and that each has a curve of theory.
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
	for name, want := range map[string]float64{"power(0)": 0, "power(0.5)": 1, "power(1)": 0, "sqrt(d_k/2)": 1,
		"temperature(8)": 0,
		"learned(2)":     1, "log-n(1)": 1, "rope": 1, "yarn(32)": 1, "cosine(10)": 0, "key-normalised": 1,
		"qk-norm(1)": 1, "soft-cap(50)": 1} {
		if got, ok := flat[name]; !ok || got != want {
			t.Errorf("%s is flat: %v, want %v", name, got, want)
		}
	}
	if len(doc.Curves) != len(cellRules(cells[0])) {
		t.Errorf("%d lines for %d rules", len(doc.Curves), len(cellRules(cells[0])))
	}
}

// TestRulesChecks checks that there is one gate for each kind of number that rules have, and none
// if the theory of the slope is a limit or there are too few dimensions.
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
		rules []string
	}{
		{newCells("normal", "1", "2", "64"), []string{"power(0)", "rope", "cosine(10)", "key-normalised"}},
		{newCells("bernoulli-gaussian(0.1)", "2", "64"), []string{"power(0)"}},
		{newCells("normal", "1", "64"), nil},
	} {
		var got []string
		for _, k := range newSlopeChecks(c.cells) {
			name, _ := k.Params.Text("rule")
			got = append(got, name)
			want, _, band := k.Expected(1)
			if want <= band[0] || want >= band[1] || !(k.JoinedSE([]int64{1e6, 1e6}) > 0) ||
				k.Cell != lineAggregate(c.cells[0]).ID {
				t.Errorf("the gate on %s: %v in %v of %s", name, want, band, k.Cell)
			}
		}
		if !slices.Equal(got, c.rules) {
			t.Errorf("gates on %v, want %v", got, c.rules)
		}
	}
}
