package scores

import (
	"math"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

func newCell(e *experiment.Experiment, distribution string, d float64, exponents ...float64) experiment.Cell {
	c := experiment.NewCell(e, map[string]experiment.AxisValue{"distribution": {Name: distribution},
		"d_k": {Number: d}})
	c.ID, c.Tolerance, c.Gated = experiment.NewCell(Variance,
		map[string]experiment.AxisValue{"distribution": {Name: distribution}, "d_k": {Number: d}}).ID, 0.05, true
	c.Shared = map[string][]experiment.AxisValue{"rule": {{Name: names.RuleHalfRoot}}}
	for _, p := range exponents {
		c.Shared["exponent"] = append(c.Shared["exponent"], experiment.AxisValue{Number: p})
	}
	return c
}

// TestJoinExponents checks that the slopes of all exponents are one slope shifted by 2p, with the
// same standard error.
func TestJoinExponents(t *testing.T) {
	cells := []experiment.Cell{newCell(Exponents, "normal", 2, 0, 0.5, 1), newCell(Exponents, "normal", 8, 0, 0.5, 1)}
	doc := &result.Document{Estimates: []result.Estimate{newEstimate("normal", 2, 2.2, 0.02),
		newEstimate("normal", 8, 7.9, 0.08)}}
	experimenttest.Finish(t, finishExponents, experiment.SampledCells{Cells: cells}, doc)
	slope := math.Log(7.9/2.2) / math.Log(4) // both corrections are half of 0.01²
	se := 0.01 * math.Sqrt2 / math.Log(4)
	wantSlopes := map[any]float64{0.0: slope, 0.5: slope - 1, 1.0: slope - 2}
	seen := 0
	for _, r := range doc.Estimates[2:] {
		want, wantSE := slope/2, se/2
		if r.Quantity == "variance_slope" {
			want, wantSE = wantSlopes[r.Params["exponent"]], se
		}
		if math.Abs(float64(r.Value)-want) > 1e-14 || math.Abs(float64(r.SE)/wantSE-1) > 1e-12 ||
			r.Cell != "variance/normal/d_k=*" {
			t.Errorf("%s at %v of %s: %v ± %v, want %v ± %v", r.Quantity, r.Params, r.Cell, r.Value, r.SE, want, wantSE)
		}
		seen++
	}
	if seen != 4 {
		t.Errorf("%d estimates, want three slopes and a flat exponent", seen)
	}
	// A single dimension has no slope but a warning.
	oneCell := &result.Document{Estimates: doc.Estimates[:1]}
	experimenttest.Finish(t, finishExponents, experiment.SampledCells{Cells: cells[:1]}, oneCell)
	if len(oneCell.Estimates) != 1 || len(oneCell.Warnings) != 1 {
		t.Errorf("one dimension: %d estimates, %d warnings", len(oneCell.Estimates), len(oneCell.Warnings))
	}
}
