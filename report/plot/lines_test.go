package plot

import (
	"slices"
	"testing"

	"mcsim/report/selection"
	"mcsim/sim/result"
)

// TestPanelOfOnlyLines checks that a panel without points gives its lines the styles of series,
// and its axes show them completely.
func TestPanelOfOnlyLines(t *testing.T) {
	curve := func(part string, y ...result.Number) result.Curve {
		return result.Curve{
			Experiment: "e", Quantity: "q", Params: result.Params{"part": part},
			Axis: "n", X: []result.Number{1, 2, 4}, Y: y,
		}
	}
	doc := &result.Document{Curves: []result.Curve{curve("one", 1, 2, 4), curve("two", 1, 4, 16)}}
	f := selection.Filter{Experiment: "e", Quantity: "q"}
	p := Panel{
		X:     Axis{Param: "n", Label: "n", Log: true},
		Y:     Axis{Label: "q", Log: true},
		Lines: []Lines{{Curves: f, SeriesParam: "part"}},
	}
	ids := SeriesIDs([]Panel{p}, doc)
	if want := []SeriesID{{Param: "part", Value: "one"}, {Param: "part", Value: "two"}}; !slices.Equal(ids, want) {
		t.Fatalf("series %v", ids)
	}
	d := Data{Panel: p}
	d.SelectData(doc, ids)
	if !d.FitScales() || len(d.Curves) != 2 || !slices.Equal(d.Xs, []float64{1, 4}) {
		t.Fatalf("%+v", d)
	}
	if !d.ScaleX.Contains(4) || !d.ScaleY.Contains(16) || !d.ScaleY.Contains(1) {
		t.Fatalf("%+v", d)
	}
	if a, b := d.Curves[0].Style, d.Curves[1].Style; a.Colour == b.Colour {
		t.Error("two lines have one colour")
	}
}
