package schedule

import (
	"reflect"
	"testing"

	"mcsim/sim/engine/plan"
)

// TestSmallerCells checks the cells with which the speed of a cell is measured. They have the
// experiment, the names on axes and the scalings of the cell. Each has at most half the components
// of the previous one, and the last has at most 2^25.
func TestSmallerCells(t *testing.T) {
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
		if cells[0].ID != c.ID {
			t.Errorf("the first cell of %s is %s, want the cell itself", c.ID, cells[0].ID)
		}
		if smallest := blockCost(cells[len(cells)-1]); smallest > 1<<25 {
			t.Errorf("the smallest block of %s has %.3g components, want at most 2^25", c.ID, smallest)
		}
		for i, got := range cells[1:] {
			if blockCost(got) > blockCost(cells[i])/2 {
				t.Errorf("%s has more than half the components of %s", got.ID, cells[i].ID)
			}
			if got.Experiment != c.Experiment || !reflect.DeepEqual(got.Shared, c.Shared) {
				t.Errorf("%s stands for %s, but has another experiment or other scalings", got.ID, c.ID)
			}
			for _, a := range c.Experiment.Axes {
				if name := c.Value(a.Name).Name; name != got.Value(a.Name).Name {
					t.Errorf("%s stands for %s, but has another %s", got.ID, c.ID, a.Name)
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
