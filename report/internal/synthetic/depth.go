package synthetic

import (
	"fmt"
	"math"

	"mcsim/sim/result"
)

// depth makes the rows of stacks of three layers, built in every way.
func (m *maker) depth() {
	for _, way := range []result.Params{{"residual": "yes", "norm": "yes"}, {"residual": "yes"}, {"norm": "yes"}, {}} {
		m.stack(way, "sqrt(d_k)", 1)
		m.stack(way, "unscaled", 32)
	}
}

func (m *maker) stack(way result.Params, scale string, variance float64) {
	for layer := 1.0; layer <= 3; layer++ {
		params := result.Params{"tokens": 16.0, "width": 32.0, "layers": 3.0, "scale": scale, "layer": layer}
		for name, value := range way {
			params[name] = value
		}
		at := result.Estimate{Experiment: "depth", Cell: fmt.Sprint("depth/", scale, way), Params: params}
		v := variance / layer
		m.unknown(at, "score_variance", v, v/200)
		m.unknown(at, "gradient_survival", 1/(1+math.Sqrt(v)/5), 1e-3)
		m.unknown(at, "max_weight", 0.2, 1e-3)
		m.unknown(at, "token_variance", layer, 1e-2)
		m.unknown(at, "token_cosine", 1-1/layer, 1e-2)
	}
}
