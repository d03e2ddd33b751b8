package synthetic

import "mcsim/sim/result"

// tests are the gates of the default plan: a quantity, and how far from its
// theory it may be, in units of the theory or, where that is zero, in errors.
var tests = []struct {
	name, expect, experiment, quantity string
	relative, errors                   float64
}{
	{"zero mean", "inside", "variance", "score_mean", 0, 8},
	{"unit variance", "inside", "variance", "score_variance", 0.01, 0},
	{"standard error", "inside", "variance", "score_variance_se", 0.05, 0},
	{"slope", "inside", "exponents", "variance_slope", 0, 8},
	{"component mean", "inside", "health", "component_mean", 0, 8},
	{"component variance", "inside", "health", "component_variance", 0.01, 0},
	{"component kurtosis", "inside", "health", "component_kurtosis", 0.05, 0},
	{"softmax by quadrature", "inside", "softmax", "max_weight", 0.01, 0},
	{"softmax by quadrature", "inside", "softmax", "gradient_survival", 0.01, 0},
	{"logit variance", "inside", "init", "head_variance", 0.02, 0},
}

func (m *maker) judge() {
	for _, t := range tests {
		for _, e := range m.doc.Estimates {
			if e.Experiment != t.experiment || e.Quantity != t.quantity || !e.Theory.Present() {
				continue
			}
			if p, ok := e.Params.Number("exponent"); ok && p != 0 {
				continue
			}
			half := result.Number(t.relative)*e.Theory + result.Number(t.errors)*e.SE
			m.gate(t.name, t.expect, e, e.Theory-half, e.Theory+half)
		}
	}
	for _, e := range m.doc.Estimates {
		p, ok := e.Params.Number("exponent")
		d, _ := e.Params.Number("d_k")
		if e.Quantity == "scaled_variance" && ok && p != 0.5 && d >= 2 {
			m.gate("not unit variance", "outside", e, 0.99, 1.01)
		}
	}
	m.doc.Budget = result.Budget{Alpha: 1e-6, Beta: 1e-6, Gates: len(m.doc.Gates), Verdict: result.Pass}
}

func (m *maker) gate(name, expect string, e result.Estimate, lo, hi result.Number) {
	m.doc.Gates = append(m.doc.Gates, result.Gate{Name: name, Expect: expect, Experiment: e.Experiment, Cell: e.Cell,
		Params: e.Params, Quantity: e.Quantity, Value: e.Value, SE: e.SE,
		Lo: e.Value - 4.75*e.SE, Hi: e.Value + 4.75*e.SE, Band: [2]result.Number{lo, hi}, Verdict: result.Pass})
}

// Break turns the i-th gate over: what a failing document looks like.
func Break(doc *result.Document, i int, v result.Verdict) {
	doc.Gates[i].Verdict = v
	if v == result.Undecided {
		n := int64(40_000_000)
		doc.Gates[i].NToDecide = &n
	}
	doc.Budget.Verdict = v
}
