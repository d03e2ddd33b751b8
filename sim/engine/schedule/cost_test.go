package schedule

import (
	"reflect"
	"testing"

	"mcsim/sim/engine/plan"
)

// TestSizes checks the cells that speeds are measured with: they have the experiment, names and
// scalings of the cell that they represent, each at most half the components of the one before, and
// the last one has few.
func TestSizes(t *testing.T) {
	s := newSchedule(t, `experiments:
  - {experiment: training, d_k: 4096, steps: 10000, optimiser: adam, variant: two-layers, exponent: 1/2, octave: 3}
  - {experiment: depth, tokens: 128, width: 512, layers: 64, residual: yes, samples: 16}
  - {experiment: init, init: orthogonal, d_model: 32768, d_k: 1024, samples: 1}
  - {experiment: softmax, distribution: laplace, d_k: 1048576, keys: 4096, samples: 16, gate: false}
  - {experiment: calibration, distribution: uniform, d_k: 1048576, pairs: 1048576, samples: 1, gate: false}
  - {experiment: variance, distribution: normal, d_k: [64, 1048576], samples: 16, gate: false}
`)
	for _, job := range s.Jobs {
		c := *job.Cell
		cells := smallerCells(c)
		if smallest := blockCost(cells[len(cells)-1]); cells[0].ID != c.ID || smallest > 1<<25 {
			t.Errorf("%s is timed from blocks of %.3g components on", c.ID, smallest)
		}
		for i, got := range cells[1:] {
			if blockCost(got) > blockCost(cells[i])/2 {
				t.Errorf("after %s comes %s", cells[i].ID, got.ID)
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

func newSchedule(t testing.TB, text string) *Schedule {
	t.Helper()
	s, err := New(parsePlan(t, text))
	must(t, err)
	return s
}

func parsePlan(t testing.TB, text string) *plan.Plan {
	t.Helper()
	p, err := plan.Parse("plan.yaml", []byte(text))
	must(t, err)
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
