package trust

import (
	"math"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// repeatOf is the cell of one repeat.
func repeatOf(t *testing.T, repeat, d string) experiment.Cell {
	t.Helper()
	return experimenttest.PointOf(t, Repeats, map[string]string{"distribution": "normal", "d_k": d, "repeat": repeat})
}

// The count of a point's intervals, of rows that are made to hold theory or miss it.
func TestRepeatsAreCounted(t *testing.T) {
	doc := &result.Document{}
	var cells []experiment.Cell
	for i, repeat := range []string{"1", "2", "3", "4", "5"} {
		for _, d := range []string{"4", "8"} {
			c := repeatOf(t, repeat, d)
			cells = append(cells, c)
			value := 1.0
			if i == 2 && d == "8" {
				value = 7
			}
			doc.Estimates = append(doc.Estimates, experiment.Interval(experiment.Exact(c.Estimate(names.VarianceSlope, 100, value, 0.1, names.ParamExponent, 0.0), 1)))
		}
	}
	before := len(doc.Estimates)
	experimenttest.Finish(t, finishRepeats, experiment.Sampled{Cells: cells}, doc)
	got := doc.Estimates[before:]
	if len(got) != 2 || got[0].Value != 1 || got[0].N != 5 || got[1].Value != 0.8 || got[1].Cell != "repeats/normal/d_k=8/repeat=*" || got[1].Params[names.ParamOfQuantity] != names.VarianceSlope {
		t.Fatalf("%+v", got)
	}
	if lo, hi := float64(got[1].Lo), float64(got[1].Hi); math.Abs(lo-0.2836) > 1e-4 || math.Abs(hi-0.9949) > 1e-4 { // Clopper and Pearson, 4 of 5
		t.Errorf("[%v, %v]", lo, hi)
	}
}
