package synthetic

import (
	"fmt"
	"maps"
	"math"

	"mcsim/sim/result"
)

// alignment makes rows of one aligned key among eight, of the first law.
func (m *maker) alignment(laws []Law) {
	if len(laws) == 0 {
		return
	}
	lead, dims := laws[0], []float64{4, 16, 64, 256}
	for _, rho := range []float64{0, 0.1, 0.5, 1} {
		at := func(d float64, more result.Params) result.Estimate {
			params := result.Params{"law": lead.Name, "rho": rho, "keys": 8.0, "d_k": d}
			maps.Copy(params, more)
			return result.Estimate{Experiment: "alignment", Cell: fmt.Sprintf("alignment/%s/d_k=%v/rho=%v/keys=8", lead.Name, d, rho), Params: params}
		}
		square := func(d float64) float64 { return rho*rho*d*d + d*(1+rho*rho) }
		local := m.curve("alignment", "local_exponent", result.Params{"law": lead.Name, "rho": rho, "keys": 8.0})
		for i, d := range dims {
			m.named(at(d, nil), "score_mean_square", square(d), 0.01*square(d))
			for _, p := range []float64{0.5, 1} {
				lift := math.Exp(rho * math.Pow(d, 1-p))
				e := at(d, result.Params{"exponent": p})
				m.named(e, "aligned_weight", lift/(lift+7), 1e-4*lift/(lift+7))
			}
			local.X, local.Y = append(local.X, result.Number(d)), append(local.Y, result.Number(math.Log(square(d*1.01)/square(d))/(2*math.Log(1.01))))
			if i > 0 {
				slope := math.Log(square(d)/square(dims[i-1])) / (2 * math.Log(d/dims[i-1]))
				m.named(at(math.Sqrt(d*dims[i-1]), nil), "local_exponent", slope, 0.005)
			}
		}
		m.doc.Curves = append(m.doc.Curves, local)
	}
}

// named makes a row of a quantity.
func (m *maker) named(at result.Estimate, quantity string, theory, se float64) {
	at.Quantity = quantity
	m.row(at, theory, se)
}

// curve is a line over d_k without points.
func (m *maker) curve(experiment, quantity string, params result.Params) result.Curve {
	return result.Curve{Experiment: experiment, Quantity: quantity, Params: params, Axis: "d_k", Kind: "exact"}
}

// rules makes rows of a few rules, of the first law.
func (m *maker) rules(laws []Law) {
	if len(laws) == 0 {
		return
	}
	lead := laws[0].Name
	for _, r := range []struct {
		name, formula, source string
		at1, slope            float64
	}{{"power(0)", "S/d_k^p", "Vaswani et al.", 1, 1}, {"power(0.5)", "S/d_k^p", "Vaswani et al.", 1, 0}, {rule, "S/√(d_k/2)", "", 2, 0}, {"cosine(10)", "s·S/(|q||k|)", "Henry et al.", 100, -1}} {
		params := func(more result.Params) result.Params {
			p := result.Params{"law": lead, "keys": 8.0, "rule": r.name}
			maps.Copy(p, more)
			return p
		}
		line := m.curve("rules", "logit_variance", params(nil))
		for d := 1.0; d <= 256; d *= 4 {
			v := r.at1 * math.Pow(d, r.slope)
			m.named(result.Estimate{Experiment: "rules", Cell: fmt.Sprint("rules/", lead, "/d_k=", d), Params: params(result.Params{"d_k": d})}, "logit_variance", v, v/200)
			line.X, line.Y = append(line.X, result.Number(d)), append(line.Y, result.Number(v))
			for _, per := range []string{"pair", "vector"} {
				m.named(result.Estimate{Experiment: "rules", Cell: fmt.Sprint("rules/d_k=", d), Params: result.Params{"d_k": d, "rule": r.name, "per": per}}, "multiplications", d, 0)
			}
		}
		m.doc.Curves = append(m.doc.Curves, line)
		all := result.Estimate{Experiment: "rules", Cell: "rules/" + lead + "/d_k=*", Params: params(nil)}
		m.named(all, "logit_variance_slope", r.slope, 1e-3)
		flat := 0.0
		if r.slope == 0 {
			flat = 1
		}
		m.named(all, "flat", flat, 0)
		m.doc.Schemes = append(m.doc.Schemes, result.Scheme{Experiment: "rules", Name: r.name, Source: r.source, Logit: r.formula})
	}
}

// initialisations makes rows of a few, at one shape.
func (m *maker) initialisations() {
	for _, s := range []struct {
		name      string
		variance  float64
		framework string
	}{{"glorot-uniform", 3.4, "generic"}, {"torch-mha", 0.25, "PyTorch"}, {"he-normal", 4, "generic"}, {"normal-0.02", 0.094, "GPT-2"},
		{"torch-linear", 0.111, "PyTorch"}} {
		at := result.Estimate{Experiment: "init", Cell: "init/" + s.name + "/d_model=768/d_k=64", Params: result.Params{"init": s.name, "d_model": 768.0, "d_k": 64.0}}
		sd := math.Sqrt(s.variance)
		m.named(at, "logit_variance", s.variance, s.variance/400)
		m.named(at, "logit_sd", sd, sd/800)
		m.named(at, "head_variance", s.variance, s.variance/1000)
		m.named(at, "head_spread", 8e-5, 1e-5)
		m.doc.Schemes = append(m.doc.Schemes, result.Scheme{Experiment: "init", Name: s.name, Title: "entries of variance 1/D", Framework: s.framework,
			Source: "a/repository@0123456 file.py:1-2", Entry: "1/D", Query: "1", Key: "1", Scale: "1/√d", Logit: "(2D/(D+d))²"})
	}
}

// mismatch makes rows of components that are not as usual, of the first law.
func (m *maker) mismatch(laws []Law) {
	if len(laws) == 0 {
		return
	}
	for i, differ := range []result.Params{{}, {"k_mean": 0.5}, {"q_sd": 2.0, "k_correlation": 0.1}} {
		params := result.Params{"law": laws[0].Name, "d_k": 64.0}
		maps.Copy(params, differ)
		at := result.Estimate{Experiment: "mismatch", Cell: fmt.Sprint("mismatch/", i), Params: params}
		v := 64 * float64(i+1)
		m.named(at, "score_variance", v, v/400)
		m.named(at, "key_variance", 64, 64.0/400)
		scaled := maps.Clone(params)
		scaled["exponent"] = 0.5
		at.Params = scaled
		m.named(at, "scaled_variance", v/64, v/64/400)
	}
}
