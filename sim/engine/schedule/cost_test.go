package schedule

import (
	"reflect"
	"testing"

	"mcsim/sim/engine/plan"
)

// How fast a machine draws is seen by blocks of few components, whatever a plan asks for: of cells of the same experiment,
// distribution, names and scalings, each with half the components of a larger one or fewer.
func TestSizes(t *testing.T) {
	s := worked(t, `experiments:
  - {experiment: training, d_k: 4096, steps: 10000, optimiser: adam, variant: two-layers, exponent: 1/2, octave: 3}
  - {experiment: depth, tokens: 128, width: 512, layers: 64, residual: yes, samples: 16}
  - {experiment: init, init: orthogonal, d_model: 32768, d_k: 1024, samples: 1}
  - {experiment: softmax, distribution: laplace, d_k: 1048576, keys: 4096, samples: 16, gate: false}
  - {experiment: calibration, distribution: uniform, d_k: 1048576, pairs: 1048576, samples: 1, gate: false}
  - {experiment: variance, distribution: normal, d_k: [64, 1048576], samples: 16, gate: false}
`)
	for _, w := range s.Jobs {
		c := *w.Cell
		all := smallerCells(c)
		if least := blockCost(all[len(all)-1]); all[0].ID != c.ID || least > 1<<25 {
			t.Errorf("%s is timed from blocks of %.3g components on", c.ID, least)
		}
		for i, got := range all[1:] {
			if blockCost(got) > blockCost(all[i])/2 {
				t.Errorf("behind %s comes %s", all[i].ID, got.ID)
			}
			if got.Experiment != c.Experiment || !reflect.DeepEqual(got.Shared, c.Shared) {
				t.Errorf("%s is timed by %s, of another experiment or other scalings", c.ID, got.ID)
			}
			for _, a := range c.Experiment.Axes {
				if name := c.Value(a.Name).Name; name != got.Value(a.Name).Name {
					t.Errorf("%s is timed by %s", c.ID, got.ID)
				}
			}
		}
	}
}

// worked is the schedule of a text.
func worked(t testing.TB, text string) *Schedule {
	t.Helper()
	s, err := New(planOf(t, text))
	must(t, err)
	return s
}

// planOf is the plan of a text.
func planOf(t testing.TB, text string) *plan.Plan {
	t.Helper()
	p, err := plan.Parse("plan.yaml", []byte(text))
	must(t, err)
	return p
}

// must ends a test that cannot go on.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
