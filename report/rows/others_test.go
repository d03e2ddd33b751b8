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
