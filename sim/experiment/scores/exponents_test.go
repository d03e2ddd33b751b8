package scores

import (
	"math"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// newCell returns a cell of Variance or Exponents. A cell of Exponents has the id of the cell of
// Variance that it reads.
func newCell(e *experiment.Experiment, distribution string, d float64, exponents ...float64) experiment.Cell {
	values := map[string]experiment.AxisValue{"distribution": {Name: distribution}, "d_k": {Number: d}}
	c := experiment.NewCell(e, values)
	c.ID = experiment.NewCell(Variance, values).ID
	c.Tolerance, c.Gated = 0.05, true
	c.Shared = map[string][]experiment.AxisValue{"rule": {{Name: names.RuleHalfRoot}}}
	for _, p := range exponents {
		c.Shared["exponent"] = append(c.Shared["exponent"], experiment.AxisValue{Number: p})
	}
	return c
}

// TestJoinExponents checks that the slope of each exponent p is the same fit minus 2p, with the
// same standard error, and that the flat exponent is half of the slope without an exponent.
func TestJoinExponents(t *testing.T) {
	cells := []experiment.Cell{newCell(Exponents, "normal", 2, 0, 0.5, 1), newCell(Exponents, "normal", 8, 0, 0.5, 1)}
	doc := &result.Document{Estimates: []result.Estimate{newEstimate("normal", 2, 2.2, 0.02),
		newEstimate("normal", 8, 7.9, 0.08)}}
	experimenttest.Finish(t, finishExponents, experiment.SampledCells{Cells: cells}, doc)
	slope := math.Log(7.9/2.2) / math.Log(4) // both points have the same correction of bias, half of 0.01²
	se := 0.01 * math.Sqrt2 / math.Log(4)
	wantSlopeAt := map[any]float64{0.0: slope, 0.5: slope - 1, 1.0: slope - 2}
	seen := 0
	for _, r := range doc.Estimates[2:] {
		want, wantSE := slope/2, se/2
		if r.Quantity == "variance_slope" {
			want, wantSE = wantSlopeAt[r.Params["exponent"]], se
		}
		if math.Abs(float64(r.Value)-want) > 1e-14 || math.Abs(float64(r.SE)/wantSE-1) > 1e-12 {
			t.Errorf("%s at %v: got %v ± %v, want %v ± %v", r.Quantity, r.Params, r.Value, r.SE, want, wantSE)
		}
		if want := "variance/normal/d_k=*"; r.Cell != want {
			t.Errorf("%s at %v: got cell %s, want %s", r.Quantity, r.Params, r.Cell, want)
		}
		seen++
	}
	if seen != 4 {
		t.Errorf("got %d estimates, want 4: three slopes and a flat exponent", seen)
	}
	// Cells of a single dimension have no slope but a warning.
	oneCell := &result.Document{Estimates: doc.Estimates[:1]}
	experimenttest.Finish(t, finishExponents, experiment.SampledCells{Cells: cells[:1]}, oneCell)
	if len(oneCell.Estimates) != 1 || len(oneCell.Warnings) != 1 {
		t.Errorf("one dimension: got %d new estimates and %d warnings, want 0 and 1", len(oneCell.Estimates)-1,
			len(oneCell.Warnings))
	}
}
