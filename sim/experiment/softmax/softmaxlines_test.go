package softmax

import (
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
		for i, c := range cells {
			for _, s := range rows.Scalings(c) {
				want, _ := softmaxTheory(c, s)
				if s.Value.Any() == curve.Params["exponent"] && float64(curve.Y[i]) != want.MaxWeight {
					t.Errorf("p = %v, d_k = %d: the line is at %v, theory at %v", s.Value, c.Dimension(), curve.Y[i], want.MaxWeight)
				}
			}
		}
	}
	if lines != 3 {
		t.Errorf("%d lines", lines)
	}
}
