package inits

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/attention/weights"
	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/result"
)

func newInitCell(scheme string, model, key int) experiment.Cell {
	c := experiment.NewCell(Experiment, map[string]experiment.AxisValue{"init": {Name: scheme},
		"d_model": {Number: float64(model)}, "d_k": {Number: float64(key)}})
	c.Tolerance, c.Gated = 0.02, true
	return c
}

// TestInitWithoutInterval checks that an estimate has no interval but a warning that says why, if
// the coverage of the interval would not be nominal or the quantity is constant.
func TestInitWithoutInterval(t *testing.T) {
	for _, test := range []struct {
		cell     experiment.Cell
		draws    int
		quantity string
		warning  string
	}{
		{newInitCell("mup", 64, 8), 15, "logit_variance", "fewer than 16 draws"},
		{newInitCell("mup", 8, 1), 16, "logit_variance", "it is skewed"},
		{newInitCell("mup", 8, 2), 64, "head_spread", "not normal"},
		{newInitCell("qk-norm", 64, 8), 64, "query_variance", "does not vary"},
	} {
		f := initEstimates(test.cell, experimenttest.SampleCell(test.cell, test.draws))
		for _, r := range f.Estimates {
			if r.Quantity == test.quantity && r.Lo.Present() {
				t.Errorf("%s of %s: got the interval [%v, %v], want none", test.quantity, test.cell.ID, r.Lo, r.Hi)
			}
		}
		hasWarning := slices.ContainsFunc(f.Warnings, func(w result.Warning) bool {
			return w.Quantity == test.quantity && strings.Contains(w.Text, test.warning)
		})
		if !hasWarning {
			t.Errorf("%s of %s: no warning contains %q: %v", test.quantity, test.cell.ID, test.warning, f.Warnings)
		}
	}
}

// TestInitChecks checks that only schemes with an exact standard error have a gate, and that the
// skewness of the gate is within 30 % of the skewness of a sample.
func TestInitChecks(t *testing.T) {
	checks := Experiment.Gates([]experiment.Cell{newInitCell("he-normal", 768, 64), newInitCell("qk-norm", 768, 64),
		newInitCell("mup-zero-query", 768, 64), newInitCell("orthogonal", 768, 64)})
	if len(checks) != 2 {
		t.Fatalf("got %d gates, want 2: %+v", len(checks), checks)
	}
	if got, want := checks[0].Quantity, "head_variance"; got != want {
		t.Errorf("the first gate is on the quantity %s, want %s", got, want)
	}
	if got, want := checks[1].Cell, "init/orthogonal/d_model=768/d_k=64"; got != want {
		t.Errorf("the second gate is on the cell %s, want %s", got, want)
	}
	c := newInitCell("he-normal", 32, 4)
	n := sampleHeads(c, 4000)
	want := initChecks(c)[0].Skew
	if got := n.Standardised(3); math.Abs(got-want) > 0.3*want {
		t.Errorf("skewness over draws: got %v, want %v ± 30 %% as in the gate", got, want)
	}
}

// sampleHeads returns the moments of the mean squares of sampled heads, up to the fourth.
func sampleHeads(c experiment.Cell, draws int) moments.Moments {
	sampler := weights.NewSampler(cellHead(c))
	cellStream := stream.Open(stream.ID{Seed: 6, Cell: c.ID})
	var values []float64
	for i := range draws {
		var lanes stream.Lanes
		cellStream.Block(&lanes, uint64(i))
		values = append(values, sampler.Sample(&lanes).WeightsSquare)
	}
	return moments.New(values, 4)
}
