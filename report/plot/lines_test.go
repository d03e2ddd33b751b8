package plot

import (
	"slices"
	"testing"

	"mcsim/report/selection"
	"mcsim/sim/result"
)

// steps is a document of two lines of a part each, over n.
func steps() *result.Document {
	line := func(part string, y ...result.Number) result.Curve {
		return result.Curve{Experiment: "e", Quantity: "q", Params: result.Params{"part": part}, Axis: "n", X: []result.Number{1, 2, 4}, Y: y}
	}
	return &result.Document{Curves: []result.Curve{line("one", 1, 2, 4), line("two", 1, 4, 16)}}
}

// A panel of lines alone has series, and axes that hold them all.
func TestLinesAlone(t *testing.T) {
	doc := steps()
	f := selection.Filter{Experiment: "e", Quantity: "q"}
	p := Panel{X: Axis{Param: "n", Label: "n", Log: true}, Y: Axis{Label: "q", Log: true}, Lines: []Lines{{Curves: f, By: "part"}}}
	keys := KeysOf([]Panel{p}, doc)
	if want := []Key{{By: "part", Value: "one"}, {By: "part", Value: "two"}}; !slices.Equal(keys, want) {
		t.Fatalf("series %v", keys)
	}
	d := Data{Panel: p}
	d.Select(doc, keys)
	if !d.Fit() || len(d.Curves) != 2 || !slices.Equal(d.Xs, []float64{1, 4}) || !d.ScaleX.Contains(4) || !d.ScaleY.Contains(16) || !d.ScaleY.Contains(1) {
		t.Fatalf("%+v", d)
	}
	if a, b := d.Curves[0].Style, d.Curves[1].Style; a.Colour == b.Colour {
		t.Error("two lines have one colour")
	}
}
