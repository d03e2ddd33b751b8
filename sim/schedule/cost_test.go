package schedule

import (
	"math"
	"reflect"
	"testing"
	"time"

	"mcsim/sim/experiment"
	"mcsim/sim/plan"
)

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]time.Duration{0: 0, 1.5: 1500 * time.Millisecond, 1e10: math.MaxInt64, 1e300: math.MaxInt64} {
		if got := duration(seconds); got != want {
			t.Errorf("%v s: %d, want %d", seconds, got, want)
		}
	}
}

// How fast a machine draws is seen by a block of a second at most, whatever a plan asks for: of the same experiment, law and
// names, and the cell itself where its blocks are short.
func TestSmaller(t *testing.T) {
	p, err := plan.Parse("plan.yaml", []byte(`experiments:
  - {experiment: training, d_k: 4096, steps: 10000, optimiser: adam, variant: two-layers, exponent: 1/2, octave: 3}
  - {experiment: depth, tokens: 128, width: 512, layers: 64, residual: yes, samples: 16}
  - {experiment: init, init: orthogonal, d_model: 32768, d_k: 1024, samples: 1}
  - {experiment: softmax, law: laplace, d_k: 1048576, keys: 4096, samples: 16, gate: false}
  - {experiment: calibration, law: uniform, d_k: 1048576, pairs: 1048576, samples: 1, gate: false}
  - {experiment: variance, law: normal, d_k: [64, 1048576], samples: 16, gate: false}
`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range s.Works {
		c := *w.Cell
		got := smaller(c)
		if blockCost(got) > mostTimed || blockCost(got) < mostTimed/64 && got.ID != c.ID {
			t.Errorf("%s: a block of %s has %.3g components", c.ID, got.ID, blockCost(got))
		}
		if (blockCost(c) <= mostTimed) != (got.ID == c.ID) || got.Experiment != c.Experiment || !reflect.DeepEqual(got.Shared, c.Shared) {
			t.Errorf("%s, whose block has %.3g components, is timed by %s", c.ID, blockCost(c), got.ID)
		}
		for _, a := range c.Experiment.Axes {
			if name := c.Value(a.Name).Name; name != got.Value(a.Name).Name {
				t.Errorf("%s is timed by %s", c.ID, got.ID)
			}
		}
	}
}

// Few blocks tell an unknown error where each is long.
func TestLevelOf(t *testing.T) {
	var words []uint32
	x := madeUp(&words)
	for cost, want := range map[float64]int{1: pilotLevel, mostPilot / 640: pilotLevel, mostPilot / 320: pilotLevel - 1, mostPilot: leastPilot} {
		x.Cost = func(experiment.Cell) float64 { return cost }
		if got := levelOf(experiment.NewCell(x, nil)); got != want {
			t.Errorf("blocks of %v components: level %d, want %d", 10*cost, got, want)
		}
	}
}
