package rows

import (
	"maps"
	"testing"

	"mcsim/sim/result"
)

// The grids of the other experiments are those with the most rows.
func TestOtherGrids(t *testing.T) {
	doc := &result.Document{Schemes: []result.Scheme{{Experiment: "init", Name: "t5", Source: "there"}}}
	add := func(experiment, quantity string, p result.Params) {
		doc.Estimates = append(doc.Estimates, result.Estimate{Experiment: experiment, Quantity: quantity, Params: p, Value: 1})
	}
	add("init", "logit_sd", result.Params{"init": "t5", "d_model": 512.0, "d_k": 64.0})
	for _, name := range []string{"t5", "mup"} {
		add("init", "logit_sd", result.Params{"init": name, "d_model": 768.0, "d_k": 64.0})
	}
	for _, d := range []float64{4, 16} {
		add("alignment", "score_mean_square", result.Params{"law": "laplace", "rho": 0.5, "keys": 8.0, "d_k": d})
	}
	add("alignment", "score_mean_square", result.Params{"law": "laplace", "rho": 0.5, "keys": 2.0, "d_k": 4.0})
	for name, c := range map[string]struct{ got, want result.Params }{
		"init":      {InitGrid(doc), result.Params{"d_model": 768.0, "d_k": 64.0}},
		"alignment": {AlignmentGrid(doc), result.Params{"law": "laplace", "keys": 8.0}},
		"nothing":   {RuleGrid(doc), result.Params{"law": "normal", "keys": nil}},
	} {
		if !maps.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}

// The ends of the correlations stand at the largest d_k that has several; a
// key that is like its query is not the same as it.
func TestEndsOfAlignment(t *testing.T) {
	doc := &result.Document{}
	for _, c := range []struct{ rho, d float64 }{{0, 4}, {0.5, 4}, {1, 4}, {0.5, 16}} {
		doc.Estimates = append(doc.Estimates, result.Estimate{Experiment: "alignment", Quantity: "q", Value: 1, Params: result.Params{"rho": c.rho, "d_k": c.d}})
	}
	low, high, ok := AlignmentEnds(doc, Alignment("q"))
	if !ok || low.Params["rho"] != 0.0 || high.Params["rho"] != 1.0 || low.Params["d_k"] != 4.0 {
		t.Errorf("%v and %v", low.Params, high.Params)
	}
	if e, ok := MostAligned(doc, Alignment("q")); !ok || e.Params["rho"] != 0.5 || e.Params["d_k"] != 16.0 {
		t.Errorf("%v", e.Params)
	}
	for _, rho := range []float64{0, 1, -0.5} {
		if e, ok := MostAligned(doc, Alignment("q").With("rho", rho)); ok {
			t.Errorf("%v is aligned", e.Params)
		}
	}
}
