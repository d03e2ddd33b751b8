package trust

import (
	"math"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// repeatOf is the cell of one repeat.
func repeatOf(t *testing.T, repeat, d string) experiment.Cell {
	t.Helper()
	return experimenttest.PointOf(t, Repeats, map[string]string{"law": "normal", "d_k": d, "repeat": repeat})
}

// The rows of a repeat, of sums that are known, by hand: Var(q·k), over d_k, and the
// weighted line through ln s².
func TestRepeatRowsByHand(t *testing.T) {
	const n = 1 << 16
	column := func(variance float64) moments.Moments {
		m := moments.Moments{N: n, Order: 2}
		m.Sum[2] = variance * (n - 1)
		return m
	}
	c := repeatOf(t, "1", "8")
	rows := repeatRows(c, moments.Node{Moments: []moments.Moments{column(8.2), column(3.9), column(2.02)}}).Rows
	want := map[string]float64{names.ScoreVariance: 8.2, names.ScaledVariance: 8.2 / 8}
	// Weights 1/Var(ln s²) with Var = 2/(N−1) + (6/d)/N; ln s² corrected by half of it.
	var w, wx, wy, wxx, wxy float64
	for d, s := range map[float64]float64{8: 8.2, 4: 3.9, 2: 2.02} {
		v := 2./(n-1) + 6/d/n
		x, y := math.Log(d), math.Log(s)+v/2
		w, wx, wy, wxx, wxy = w+1/v, wx+x/v, wy+y/v, wxx+x*x/v, wxy+x*y/v
	}
	slope, se := (w*wxy-wx*wy)/(w*wxx-wx*wx), math.Sqrt(w/(w*wxx-wx*wx))
	want[names.VarianceSlope], want[names.FlatExponent] = slope, slope/2
	errors := map[string]float64{names.ScoreVariance: 8 * math.Sqrt(2./(n-1)+0.75/n), names.ScaledVariance: math.Sqrt(2./(n-1) + 0.75/n), names.VarianceSlope: se, names.FlatExponent: se / 2}
	theories := map[string]float64{names.ScoreVariance: 8, names.ScaledVariance: 1, names.VarianceSlope: 1, names.FlatExponent: 0.5}
	if len(rows) != len(want) {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		if math.Abs(float64(r.Value)-want[r.Quantity]) > 1e-12 || math.Abs(float64(r.SE)/errors[r.Quantity]-1) > 1e-12 || math.Abs(float64(r.Theory)-theories[r.Quantity]) > 1e-15 || !r.Lo.Present() {
			t.Errorf("%s: %v ± %v beside %v, want %v ± %v", r.Quantity, r.Value, r.SE, r.Theory, want[r.Quantity], errors[r.Quantity])
		}
	}
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
			doc.Estimates = append(doc.Estimates, experiment.Interval(experiment.Exact(c.Row(names.VarianceSlope, 100, value, 0.1, names.ParamExponent, 0.0), 1)))
		}
	}
	before := len(doc.Estimates)
	joinRepeats(cells, doc)
	got := doc.Estimates[before:]
	if len(got) != 2 || got[0].Value != 1 || got[0].N != 5 || got[1].Value != 0.8 || got[1].Cell != "repeats/normal/d_k=8/repeat=*" || got[1].Params[names.ParamOfQuantity] != names.VarianceSlope {
		t.Fatalf("%+v", got)
	}
	if lo, hi := float64(got[1].Lo), float64(got[1].Hi); math.Abs(lo-0.2836) > 1e-4 || math.Abs(hi-0.9949) > 1e-4 { // Clopper and Pearson, 4 of 5
		t.Errorf("[%v, %v]", lo, hi)
	}
}
