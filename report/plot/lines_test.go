package plot

import (
	"slices"
	"testing"

	"mcsim/report/selection"
	"mcsim/sim/result"
)

// TestPanelOfOnlyLines checks that a panel without points gives its lines the styles of series, and
// that its axes show the lines completely.
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
		Lines: []LinesSpec{{Curves: f, SeriesParam: "part"}},
	}
	ids := SeriesIDs([]Panel{p}, doc)
	if want := []SeriesID{{Param: "part", Value: "one"}, {Param: "part", Value: "two"}}; !slices.Equal(ids, want) {
		t.Fatalf("got the series %v, want %v", ids, want)
	}
	d := Data{Panel: p}
	d.SelectData(doc, ids)
	if !d.FitScales() || len(d.Curves) != 2 {
		t.Fatalf("got %d lines, want 2 that both axes can show: %+v", len(d.Curves), d)
	}
	if want := []float64{1, 4}; !slices.Equal(d.Xs, want) {
		t.Fatalf("the x values for ticks are %v, want the ends of the lines %v", d.Xs, want)
	}
	if !d.ScaleX.Contains(4) || !d.ScaleY.Contains(16) || !d.ScaleY.Contains(1) {
		t.Fatalf("the scales %+v and %+v do not contain the lines", d.ScaleX, d.ScaleY)
	}
	if a, b := d.Curves[0].Style, d.Curves[1].Style; a.Colour == b.Colour {
		t.Error("the two lines have the same colour, want different colours")
	}
}
