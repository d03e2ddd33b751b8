package selection

import (
	"slices"
	"testing"

	"mcsim/sim/result"
)

func document() *result.Document {
	row := func(q string, v, theory float64, p result.Params) result.Estimate {
		return result.Estimate{Experiment: "e", Quantity: q, Params: p, Value: result.Number(v),
			SE: 2, Lo: result.Number(v - 4), Hi: result.Number(v + 4), Theory: result.Number(theory)}
	}
	return &result.Document{Estimates: []result.Estimate{
		row("v", 66, 64, result.Params{"distribution": "uniform", "d_k": 64.0}),
		row("v", 9, 8, result.Params{"distribution": "uniform", "d_k": 8.0}),
		row("v", 7, 8, result.Params{"distribution": "laplace", "d_k": 8.0, "rule": "r"}),
		row("w", 1, 0, result.Params{"distribution": "uniform"}),
		{Experiment: "e", Quantity: "v", Params: result.Params{"distribution": "sphere"}, Value: result.Absent()},
	}}
}

func TestFilter(t *testing.T) {
	doc := document()
	f := Filter{Experiment: "e", Quantity: "v"}
	for _, c := range []struct {
		f    Filter
		want int
	}{
		{f, 3}, // the row without a value is not a row
		{f.With("distribution", "uniform"), 2},
		{f.With("distribution", "uniform").With("d_k", 8.0), 1},
		{Filter{Experiment: "e", Quantity: "v", Lacks: []string{"rule"}}, 2},
		{Filter{Experiment: "e", Quantity: "v", Has: []string{"rule"}}, 1},
		{Filter{Experiment: "x", Quantity: "v"}, 0},
	} {
		if got := len(Estimates(doc, c.f)); got != c.want {
			t.Errorf("%+v: %d rows, want %d", c.f, got, c.want)
		}
	}
}

func TestAxes(t *testing.T) {
	es := Estimates(document(), Filter{Experiment: "e", Quantity: "v"})
	if got := Numbers(es, "d_k"); !slices.Equal(got, []float64{8, 64}) {
		t.Errorf("Numbers = %v", got)
	}
	if got := Values(es, "distribution"); !slices.Equal(got, []any{"uniform", "laplace"}) {
		t.Errorf("Values = %v", got)
	}
	if got := mainDistribution(es); got != "uniform" {
		t.Errorf("the default distribution is %q", got)
	}
}

func TestUnits(t *testing.T) {
	e, _ := One(document(), Filter{Experiment: "e", Quantity: "v"})
	over, ok := OverTheory(e)
	if !ok || over.Value != 66.0/64 || over.SE != 2.0/64 || over.Lo != 62.0/64 || over.Hi != 70.0/64 {
		t.Errorf("OverTheory = %+v, %v", over, ok)
	}
	if _, ok := OverTheory(result.Estimate{Value: 1, Theory: 0}); ok {
		t.Error("a ratio to zero")
	}
}
