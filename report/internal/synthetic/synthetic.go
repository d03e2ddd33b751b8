// Package synthetic makes result documents for tests: normal draws around the
// theory, with a fixed seed. Nothing in it was measured.
package synthetic

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"mcsim/sim/result"
)

// Plan says what the document shall hold.
type Plan struct {
	Laws []Law
	Name string
}

// Law is a law and the dimensions on which it stands.
type Law struct {
	Name  string
	Kappa float64
	Max   int // largest d_k
}

// Laws are those of the default plan.
var Laws = []Law{
	{"normal", 3, 4096}, {"uniform", 1.8, 4096}, {"rademacher", 1, 4096},
	{"laplace", 6, 512}, {"triangular", 2.4, 512}, {"truncated-normal", 2.36554, 512},
	{"student-t(10)", 4, 512}, {"bernoulli-gaussian(0.1)", 30, 512}, {"sphere", 3, 512},
}

// Exponents are those of the default plan.
var Exponents = []float64{0, 0.25, 0.3333333333333333, 0.5, 0.6666666666666666, 1}

const rule = "sqrt(d_k/2)"

// n is the number of pairs of every cell, half of the relative standard error.
const n = 2 << 20

type maker struct {
	doc *result.Document
	rng *rand.Rand
}

// Document returns a document for the plan.
func Document(p Plan) *result.Document {
	m := &maker{
		doc: &result.Document{Schema: result.Schema, Digest: "sha256:5ca1ab1e", Kernel: 1, Seed: 7},
		rng: rand.New(rand.NewPCG(7, 11)),
	}
	raw, err := json.Marshal(map[string]any{"name": p.Name, "seed": 7, "tolerance": 0.01, "alpha": 1e-6, "beta": 1e-6})
	if err != nil {
		panic(err)
	}
	m.doc.Plan = raw
	for _, law := range p.Laws {
		for d := 1; d <= law.Max; d *= 2 {
			m.cell(law, d)
		}
		m.slopes(law)
		m.health(law)
	}
	m.softmax(p.Laws)
	m.alignment(p.Laws)
	m.rules(p.Laws)
	m.initialisations()
	m.mismatch(p.Laws)
	m.depth()
	m.curves(p.Laws)
	m.judge()
	return m.doc
}

// Default returns a document like that of the default plan.
func Default() *result.Document { return Document(Plan{Laws: Laws, Name: "default"}) }

func (m *maker) row(e result.Estimate, theory, se float64) result.Estimate {
	e.Value = result.Number(theory + se*m.rng.NormFloat64())
	e.SE, e.Theory, e.Level = result.Number(se), result.Number(theory), 0.95
	e.Lo, e.Hi = e.Value-1.96*e.SE, e.Value+1.96*e.SE
	e.N, e.Estimator, e.TheoryKind = n, "direct", "exact"
	m.doc.Estimates = append(m.doc.Estimates, e)
	return e
}

func id(law Law, d int) string { return fmt.Sprintf("variance/%s/d_k=%d", law.Name, d) }

func (m *maker) cell(law Law, dim int) {
	d := float64(dim)
	m.doc.Cells = append(m.doc.Cells, result.Cell{ID: id(law, dim), Unit: "pair", N: n, Blocks: 8192})
	gamma := (law.Kappa*law.Kappa - 3) / d
	if law.Name == "sphere" {
		gamma = -6 / (d + 2)
	}
	rel := math.Sqrt(max(2+gamma, 1e-9) / n)
	at := func(q string) result.Estimate {
		return result.Estimate{Experiment: "variance", Cell: id(law, dim), Quantity: q,
			Params: result.Params{"law": law.Name, "d_k": d}}
	}
	m.row(at("score_mean"), 0, math.Sqrt(d/n))
	v := m.row(at("score_variance"), d, d*rel)
	m.row(at("score_variance_se"), d*rel, d*rel*0.002)
	m.row(at("score_variance_se_blocks"), d*rel, d*rel*0.01)
	m.row(at("score_skewness"), 0, math.Sqrt(6.0/n))
	k := m.row(at("score_excess_kurtosis"), gamma, math.Sqrt((24+gamma*gamma)/n))
	if law.Name == "bernoulli-gaussian(0.1)" && dim < 8 {
		last := &m.doc.Estimates[len(m.doc.Estimates)-1]
		last.SE, last.Lo, last.Hi = result.Absent(), result.Absent(), result.Absent()
		m.doc.Warnings = append(m.doc.Warnings, result.Warning{Cell: k.Cell, Quantity: k.Quantity,
			Text: "the error of the kurtosis needs moments that this sample does not settle; no interval is given"})
	}
	m.distance(at("normal_ks"), law, d)
	m.scaled(law, dim, v)
	if dim > 1 {
		u := at("unit_exponent")
		u.Experiment = "exponents"
		m.row(u, 0.5, rel/(2*math.Log(d)))
	}
}

// distance is that of the score from a normal law, by the first term of
// Edgeworth's expansion; of the normal law alone it has a theory.
func (m *maker) distance(e result.Estimate, law Law, d float64) {
	const first = 0.1376 // max |x³ − 3x| φ(x) · 6/24
	m.row(e, first/d, 3e-4)
	last := &m.doc.Estimates[len(m.doc.Estimates)-1]
	last.TheoryKind = "quadrature"
	if law.Name != "normal" {
		last.Theory, last.TheoryKind = result.Absent(), "none"
	}
}

// scaled rows are the variance in other units: one error for all.
func (m *maker) scaled(law Law, dim int, v result.Estimate) {
	d := float64(dim)
	add := func(p result.Params, factor float64) {
		p["law"], p["d_k"] = law.Name, d
		e := v
		f := result.Number(factor)
		e.Experiment, e.Quantity, e.Params = "exponents", "scaled_variance", p
		e.Value, e.SE, e.Lo, e.Hi, e.Theory = v.Value*f, v.SE*f, v.Lo*f, v.Hi*f, v.Theory*f
		m.doc.Estimates = append(m.doc.Estimates, e)
	}
	for _, p := range Exponents {
		add(result.Params{"exponent": p}, math.Pow(d, -2*p))
	}
	add(result.Params{"rule": rule}, 2/d)
}

func (m *maker) slopes(law Law) {
	at := result.Estimate{Experiment: "exponents", Cell: "variance/" + law.Name + "/d_k=*", Quantity: "variance_slope"}
	at.Params = result.Params{"law": law.Name, "exponent": 0.0}
	s := m.row(at, 1, 2.6e-4)
	for _, p := range Exponents[1:] {
		e, shift := s, result.Number(2*p)
		e.Params = result.Params{"law": law.Name, "exponent": p}
		e.Value, e.Lo, e.Hi, e.Theory = s.Value-shift, s.Lo-shift, s.Hi-shift, s.Theory-shift
		m.doc.Estimates = append(m.doc.Estimates, e)
	}
	flat := s
	flat.Quantity, flat.Params = "flat_exponent", result.Params{"law": law.Name}
	flat.Value, flat.SE, flat.Lo, flat.Hi, flat.Theory = s.Value/2, s.SE/2, s.Lo/2, s.Hi/2, 0.5
	m.doc.Estimates = append(m.doc.Estimates, flat)
}

func (m *maker) health(law Law) {
	for _, q := range []struct {
		name       string
		theory, se float64
	}{
		{"component_mean", 0, 2e-4}, {"component_variance", 1, 3e-4 * math.Sqrt(law.Kappa)}, {"component_kurtosis", law.Kappa, 2e-3 * law.Kappa},
		{"lag_correlation", 0, 2e-4}, {"qk_correlation", 0, 2e-4}, {"lane_correlation", 0, 8e-4},
	} {
		m.row(result.Estimate{Experiment: "health", Cell: "health/" + law.Name, Quantity: q.name,
			Params: result.Params{"law": law.Name}}, q.theory, q.se)
	}
}

func (m *maker) curves(laws []Law) {
	most := 1
	for _, l := range laws {
		most = max(most, l.Max)
	}
	line := func(experiment, quantity, axis string, p result.Params, y func(float64) float64, xs []float64) {
		c := result.Curve{Experiment: experiment, Quantity: quantity, Params: p, Axis: axis, Kind: "exact"}
		for _, x := range xs {
			c.X, c.Y = append(c.X, result.Number(x)), append(c.Y, result.Number(y(x)))
		}
		m.doc.Curves = append(m.doc.Curves, c)
	}
	var dims []float64
	for d := 1; d <= most; d *= 2 {
		dims = append(dims, float64(d))
	}
	line("variance", "score_variance", "d_k", result.Params{}, func(d float64) float64 { return d }, dims)
	for _, p := range Exponents {
		line("exponents", "scaled_variance", "d_k", result.Params{"exponent": p}, func(d float64) float64 { return math.Pow(d, 1-2*p) }, dims)
	}
	line("exponents", "scaled_variance", "d_k", result.Params{"rule": rule}, func(float64) float64 { return 2 }, dims)
	line("exponents", "variance_slope", "exponent", result.Params{}, func(p float64) float64 { return 1 - 2*p }, Exponents)
}

// Without returns the default document without the rows that are dropped, and
// Without their gates.
func Without(drop func(experiment string, p result.Params) bool) *result.Document {
	doc := Default()
	doc.Estimates = slices.DeleteFunc(doc.Estimates, func(e result.Estimate) bool { return drop(e.Experiment, e.Params) })
	doc.Gates = slices.DeleteFunc(doc.Gates, func(g result.Gate) bool { return drop(g.Experiment, g.Params) })
	return doc
}
