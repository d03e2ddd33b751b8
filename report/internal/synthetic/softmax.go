package synthetic

import (
	"fmt"
	"math"

	"mcsim/sim/result"
)

// rowsOfCell is the number of rows of every cell of softmax.
const rowsOfCell = 1 << 18

// softmax makes a grid of the first law over d_k and the exponents, one over
// temperatures, one cell with shared keys, and one of each other law.
func (m *maker) softmax(laws []Law) {
	if len(laws) == 0 {
		return
	}
	lead := laws[0]
	at := func(law Law, d, keys float64, scale string, value any) result.Params {
		return result.Params{"law": law.Name, "d_k": d, "keys": keys, scale: value}
	}
	exponents := []float64{0, 0.25, 0.5, 0.75, 1}
	for d := min(2, lead.Max); d <= min(lead.Max, 256); d *= 2 {
		for _, p := range exponents {
			m.rows(at(lead, float64(d), 8, "exponent", p), math.Pow(float64(d), 0.5-p), true)
		}
	}
	d := float64(min(lead.Max, 64))
	for _, t := range []float64{0.5, 2, 8, 32} {
		m.rows(at(lead, d, 64, "temperature", t), math.Sqrt(d)/t, true)
	}
	m.limit(at(lead, d, 64, "temperature", 0.0), 1, 0)
	m.limit(at(lead, d, 64, "temperature", "infinite"), 1.0/64, 1)
	for _, p := range []float64{0, 0.5, 1} {
		shared := at(lead, d, 8, "exponent", p)
		shared["shared_keys"] = "yes"
		m.rows(shared, math.Pow(d, 0.5-p), true)
		for _, law := range laws[1:] {
			e := float64(min(law.Max, 64))
			m.rows(at(law, e, 8, "exponent", p), math.Pow(e, 0.5-p), false)
		}
	}
	m.freezing()
	m.softmaxCurves(lead, exponents)
}

func (m *maker) freezing() {
	for _, keys := range []float64{2, 8, 64} {
		for _, sigma := range []float64{0.125, 0.5, 1, 2, 4, 16} {
			m.rows(result.Params{"keys": keys, "sigma": sigma}, sigma, true)
		}
	}
	m.rows(result.Params{"keys": 16.0, "sigma": 1.0}, 1, true) // as in a plan with two grids
	c := result.Curve{Experiment: "freezing", Quantity: "freezing_sigma", Params: result.Params{}, Axis: "keys", Kind: "limit"}
	for _, keys := range []float64{2, 64, 8} {
		c.X, c.Y = append(c.X, result.Number(keys)), append(c.Y, result.Number(math.Sqrt(2*math.Log(keys))))
	}
	m.doc.Curves = append(m.doc.Curves, c)
}

// made are invented means of rows with logits of a standard deviation.
func made(sigma, keys float64) (weight, survival, gradient float64) {
	weight = (1/keys + sigma) / (1 + sigma)
	return weight, 1 / (1 + sigma), sigma / (1 + sigma/3)
}

// rows makes the rows of one cell under one scale; known says whether its
// means have a theory.
func (m *maker) rows(params result.Params, sigma float64, known bool) {
	experiment := "softmax"
	if _, ok := params["sigma"]; ok {
		experiment = "freezing"
	}
	keys, _ := params.Number("keys")
	weight, survival, gradient := made(sigma, keys)
	at := result.Estimate{Experiment: experiment, Cell: fmt.Sprint(experiment, "/", params), Params: params}
	mean := func(q string, theory float64) {
		at.Quantity = q
		m.row(at, theory, 1e-4*theory)
		last := &m.doc.Estimates[len(m.doc.Estimates)-1]
		last.N, last.TheoryKind = rowsOfCell, "quadrature"
		if !known {
			last.Theory, last.TheoryKind = result.Absent(), "none"
		}
	}
	mean("max_weight", weight)
	mean("entropy_ratio", 1-weight/2)
	mean("gradient_survival", survival)
	if experiment == "softmax" {
		mean("key_gradient", gradient)
	}
	m.ranks(at, "gradient_survival", math.Exp(-sigma*sigma/16), survival)
	m.ranks(at, "key_gradient", gradient*math.Exp(-sigma*sigma/16), gradient)
	dead := 1 - math.Exp(-sigma/8)
	for _, s := range []struct {
		name  string
		share float64
	}{{"dead", dead}, {"dying", 0.2 * (1 - dead)}, {"fading", 0.3 * (1 - dead)}, {"healthy", 0.5 * (1 - dead)}} {
		m.unknown(at, s.name+"_share", s.share, 1e-3)
	}
	m.unknown(at, "max_weight_above_90_percent", dead, 1e-3)
	m.unknown(at, "max_weight_above_99_percent", dead/2, 1e-3)
}

// ranks makes the quantiles of a quantity around its median.
func (m *maker) ranks(at result.Estimate, quantity string, median, most float64) {
	for _, q := range []struct {
		name  string
		value float64
	}{{"q05", median * median * 0.2}, {"q25", median * 0.7}, {"q50", median}, {"q75", (median + most) / 2}, {"q95", max(median, most)}} {
		m.unknown(at, quantity+"_"+q.name, q.value, 1e-3*q.value)
	}
}

// unknown makes a row that no theory knows.
func (m *maker) unknown(at result.Estimate, quantity string, value, se float64) {
	e := at
	e.Quantity, e.N, e.Estimator, e.Level = quantity, rowsOfCell, "direct", 0.95
	e.Value, e.SE = result.Number(value), result.Number(se)
	e.Lo, e.Hi = e.Value-1.96*e.SE, e.Value+1.96*e.SE
	e.Theory, e.TheoryKind = result.Absent(), "none"
	m.doc.Estimates = append(m.doc.Estimates, e)
}

// limit makes the rows of a temperature that leaves nothing to chance.
func (m *maker) limit(params result.Params, weight, survival float64) {
	for _, q := range []struct {
		name  string
		value float64
	}{{"max_weight", weight}, {"entropy_ratio", survival}, {"gradient_survival", survival}, {"gradient_survival_q50", survival}} {
		v := result.Number(q.value)
		m.doc.Estimates = append(m.doc.Estimates, result.Estimate{Experiment: "softmax", Cell: fmt.Sprint("softmax/", params), Params: params, Quantity: q.name,
			Estimator: "direct", N: rowsOfCell, Value: v, Lo: v, Hi: v, Level: 0.95, Theory: v, TheoryKind: "quadrature"})
	}
}

func (m *maker) softmaxCurves(lead Law, exponents []float64) {
	for _, p := range exponents {
		c := result.Curve{Experiment: "softmax", Quantity: "key_gradient", Params: result.Params{"keys": 8.0, "exponent": p}, Axis: "d_k", Kind: "quadrature"}
		for d := min(2, lead.Max); d <= min(lead.Max, 256); d *= 2 {
			_, _, gradient := made(math.Pow(float64(d), 0.5-p), 8)
			c.X, c.Y = append(c.X, result.Number(d)), append(c.Y, result.Number(gradient))
		}
		m.doc.Curves = append(m.doc.Curves, c)
	}
}
