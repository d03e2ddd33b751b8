package selection

import (
	"slices"
	"testing"

	"mcsim/sim/result"
)

func document() *result.Document {
	estimate := func(q string, v, theory float64, p result.Params) result.Estimate {
		return result.Estimate{Experiment: "e", Quantity: q, Params: p, Value: result.Number(v),
			SE: 2, Lo: result.Number(v - 4), Hi: result.Number(v + 4), Theory: result.Number(theory)}
	}
	return &result.Document{Estimates: []result.Estimate{
		estimate("v", 66, 64, result.Params{"distribution": "uniform", "d_k": 64.0}),
		estimate("v", 9, 8, result.Params{"distribution": "uniform", "d_k": 8.0}),
		estimate("v", 7, 8, result.Params{"distribution": "laplace", "d_k": 8.0, "rule": "r"}),
		estimate("w", 1, 0, result.Params{"distribution": "uniform"}),
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
		{f, 3}, // one estimate has no value
		{f.Fix("distribution", "uniform"), 2},
		{f.Fix("distribution", "uniform").Fix("d_k", 8.0), 1},
		{Filter{Experiment: "e", Quantity: "v", Excluded: []string{"rule"}}, 2},
		{Filter{Experiment: "e", Quantity: "v", Required: []string{"rule"}}, 1},
		{Filter{Experiment: "x", Quantity: "v"}, 0},
	} {
		if got := len(Estimates(doc, c.f)); got != c.want {
			t.Errorf("%+v: %d estimates, want %d", c.f, got, c.want)
		}
	}
}

func TestParamValues(t *testing.T) {
	es := Estimates(document(), Filter{Experiment: "e", Quantity: "v"})
	if got := NumericValues(es, "d_k"); !slices.Equal(got, []float64{8, 64}) {
		t.Errorf("the numeric values of d_k are %v, want 8 and 64", got)
	}
	if got := ParamValues(es, "distribution"); !slices.Equal(got, []any{"uniform", "laplace"}) {
		t.Errorf("the values of distribution are %v, want uniform and laplace", got)
	}
	if got := mainDistribution(es); got != "uniform" {
		t.Errorf("the main distribution is %q, want the first, uniform", got)
	}
}

func TestDivideByTheory(t *testing.T) {
	e, _ := FindEstimate(document(), Filter{Experiment: "e", Quantity: "v"})
	ratio, ok := DivideByTheory(e)
	if !ok || ratio.Value != 66.0/64 || ratio.SE != 2.0/64 || ratio.Lo != 62.0/64 || ratio.Hi != 70.0/64 {
		t.Errorf("an estimate divided by its theory of 64 is %+v, ok %v", ratio, ok)
	}
	if _, ok := DivideByTheory(result.Estimate{Value: 1, Theory: 0}); ok {
		t.Error("an estimate with a theory of 0 has a ratio")
	}
}
