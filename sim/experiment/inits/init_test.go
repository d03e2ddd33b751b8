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

func initCell(scheme string, model, key int) experiment.Cell {
	c := experiment.NewCell(Experiment, map[string]experiment.AxisValue{"init": {Name: scheme},
		"d_model": {Number: float64(model)}, "d_k": {Number: float64(key)}})
	c.Tolerance, c.Gated = 0.02, true
	return c
}

// Where an interval would not be honest there is none, and a warning says why.
func TestInitWithoutInterval(t *testing.T) {
	for _, x := range []struct {
		cell     experiment.Cell
		draws    int
		quantity string
		why      string
	}{
		{initCell("mup", 64, 8), 15, "logit_variance", "fewer than 16 draws"},
		{initCell("mup", 8, 1), 16, "logit_variance", "it is skewed"},
		{initCell("mup", 8, 2), 64, "head_spread", "not normal"},
		{initCell("qk-norm", 64, 8), 64, "query_variance", "does not vary"},
	} {
		f := initEstimates(x.cell, experimenttest.SampleCell(x.cell, x.draws))
		for _, r := range f.Estimates {
			if r.Quantity == x.quantity && r.Lo.Present() {
				t.Errorf("%s of %s has the interval %v to %v", x.quantity, x.cell.ID, r.Lo, r.Hi)
			}
		}
		said := false
		for _, w := range f.Warnings {
			said = said || w.Quantity == x.quantity && strings.Contains(w.Text, x.why)
		}
		if !said {
			t.Errorf("%s of %s: no warning says %q: %v", x.quantity, x.cell.ID, x.why, f.Warnings)
		}
	}
}

// A gate rests on the closed form of its error; what has none has no gate.
func TestInitChecks(t *testing.T) {
	checks := Experiment.Gates([]experiment.Cell{initCell("he-normal", 768, 64), initCell("qk-norm", 768, 64),
		initCell("mup-zero-query", 768, 64), initCell("orthogonal", 768, 64)})
	if len(checks) != 2 || checks[0].Quantity != "head_variance" ||
		checks[1].Cell != "init/orthogonal/d_model=768/d_k=64" {
		t.Fatalf("the gates are %+v", checks)
	}
	// The skewness that the limits are corrected by is about the sample's.
	c := initCell("he-normal", 32, 4)
	n := drawnHeads(c, 4000)
	skew := initChecks(c)[0].Skew
	if got := n.Standardised(3); math.Abs(got-skew) > 0.3*skew {
		t.Errorf("the skewness over draws is %v, the gate takes %v", got, skew)
	}
}

// drawnHeads returns the moments of the heads' mean squares, to the fourth.
func drawnHeads(c experiment.Cell, draws int) moments.Moments {
	drawer := weights.NewSampler(head(c))
	open := stream.Open(stream.ID{Seed: 6, Cell: c.ID})
	var values []float64
	for i := range draws {
		var lanes stream.Lanes
		open.Block(&lanes, uint64(i))
		values = append(values, drawer.Sample(&lanes).WeightsSquare)
	}
	return moments.New(values, 4)
}
