package softmax

import (
	"slices"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// A line of theory goes through the theory of each of its cells: one exponent
// is another factor at another d_k.
func TestSoftmaxLinesMeetTheirCells(t *testing.T) {
	var cells []experiment.Cell
	for _, d := range []float64{4, 64} {
		c := experiment.NewCell(Experiment, map[string]experiment.Value{"law": {Name: "normal"}, "d_k": {Number: d}, "keys": {Number: 8}, "shared_keys": {Name: names.No}})
		c.Shared = map[string][]experiment.Value{"exponent": {{Number: 0}, {Number: 0.5}, {Number: 1}}}
		cells = append(cells, c)
	}
	var doc result.Document
	joinSoftmax(cells, &doc)
	lines := 0
	for _, curve := range doc.Curves {
		if curve.Quantity != "max_weight" {
			continue
		}
		lines++
		for _, c := range cells {
			at := slices.Index(curve.X, result.Number(c.Dimension()))
			for _, s := range rows.Scalings(c) {
				want, _ := rows.Quadrature(c, s)
				if s.Value.Any() == curve.Params["exponent"] && (at < 0 || float64(curve.Y[at]) != want.MaxWeight) {
					t.Errorf("p = %v, d_k = %d: the line %v is not at %v", s.Value, c.Dimension(), curve, want.MaxWeight)
				}
			}
		}
	}
	if lines != 3 {
		t.Errorf("%d lines", lines)
	}
}

// A cell of temperatures has a curve over those that are no limits, which goes through
// the theory of each.
func TestTemperatureCurvesMeetTheirRows(t *testing.T) {
	c := experiment.NewCell(Experiment, map[string]experiment.Value{"law": {Name: "normal"}, "d_k": {Number: 64}, "keys": {Number: 8}, "shared_keys": {Name: names.No}})
	c.Shared = map[string][]experiment.Value{"temperature": {{Number: 0}, {Number: 2}, {Number: 8}, {Name: names.TemperatureInfinite}}}
	var doc result.Document
	joinSoftmax([]experiment.Cell{c}, &doc)
	found := 0
	for _, curve := range doc.Curves {
		if curve.Quantity != "entropy_ratio" || curve.Axis != "temperature" {
			continue
		}
		found++
		if len(curve.X) < 5 || curve.X[0] != 2 || curve.X[len(curve.X)-1] != 8 || !slices.IsSorted(curve.X) {
			t.Errorf("the curve goes through %v", curve.X)
		}
		for _, s := range rows.Scalings(c) {
			want, _ := rows.Quadrature(c, s)
			if at := slices.Index(curve.X, result.Number(s.Value.Number)); !s.IsLimit() && (at < 0 || float64(curve.Y[at]) != want.EntropyRatio()) {
				t.Errorf("T = %v: the curve %v is not at %v", s.Value, curve, want.EntropyRatio())
			}
		}
	}
	if found != 1 {
		t.Errorf("%d curves", found)
	}
}
