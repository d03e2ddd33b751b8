package inits

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/attention/weights"
	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
)

func newInitCell(scheme string, model, key int) experiment.Cell {
	c := experiment.NewCell(Experiment, map[string]experiment.AxisValue{"init": {Name: scheme},
		"d_model": {Number: float64(model)}, "d_k": {Number: float64(key)}})
	c.Tolerance, c.Gated = 0.02, true
	return c
}

// TestInitWithoutInterval checks that an interval without nominal coverage is omitted, with a
// warning that says why.
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
				t.Errorf("%s of %s has the interval %v to %v", test.quantity, test.cell.ID, r.Lo, r.Hi)
			}
		}
		hasWarning := false
		for _, w := range f.Warnings {
			hasWarning = hasWarning || w.Quantity == test.quantity && strings.Contains(w.Text, test.warning)
		}
		if !hasWarning {
			t.Errorf("%s of %s: no warning says %q: %v", test.quantity, test.cell.ID, test.warning, f.Warnings)
		}
	}
}

// TestInitChecks checks that only schemes with an exact standard error have a gate.
func TestInitChecks(t *testing.T) {
	checks := Experiment.Gates([]experiment.Cell{newInitCell("he-normal", 768, 64), newInitCell("qk-norm", 768, 64),
		newInitCell("mup-zero-query", 768, 64), newInitCell("orthogonal", 768, 64)})
	if len(checks) != 2 || checks[0].Quantity != "head_variance" ||
		checks[1].Cell != "init/orthogonal/d_model=768/d_k=64" {
		t.Fatalf("the gates are %+v", checks)
	}
	// The skewness that corrects the limits is near the skewness of the sample.
	c := newInitCell("he-normal", 32, 4)
	n := sampleHeads(c, 4000)
	skew := initChecks(c)[0].Skew
	if got := n.Standardised(3); math.Abs(got-skew) > 0.3*skew {
		t.Errorf("the skewness over draws is %v, the gate takes %v", got, skew)
	}
}

// sampleHeads returns the moments of the heads' mean squares, up to the fourth.
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
