package all

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/experiment/replay"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// at returns the cell of an experiment at pairs of an axis and a value.
func at(t *testing.T, name string, pairs ...string) experiment.Cell {
	t.Helper()
	e, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	return experimenttest.NewCell(t, e, values)
}

// What cannot be run, or not with gates, is refused with the reason and the range.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		cell  experiment.Cell
		gated bool
		part  string // empty if it is not refused
	}{
		{at(t, "mismatch", "distribution", "sphere", "d_k", "4"), false, "take another distribution"},
		{at(t, "mismatch", "distribution", "student-t(5)", "d_k", "4"), true, "gate: false"},
		{at(t, "mismatch", "distribution", "student-t(5)", "d_k", "4"), false, ""},
		{at(t, "mismatch", "distribution", "student-t(10)", "d_k", "4"), true, "not worked out"},
		{at(t, "alignment", "distribution", "student-t(10)", "d_k", "4", "rho", "1/2"), true, "gate: false"},
		{at(t, "alignment", "distribution", "student-t(10)", "d_k", "4", "rho", "0"), true, "gate: false"},
		{at(t, "alignment", "distribution", "student-t(10)", "d_k", "4", "rho", "0"), false, ""},
		{at(t, "alignment", "distribution", "laplace", "d_k", "4", "rho", "1/2"), true, ""},
		{at(t, "alignment", "distribution", "sphere", "d_k", "65536", "rho", "0"), false, "2^18"},
		{at(t, "rules", "distribution", "student-t(10)", "d_k", "4"), true, "not worked out"},
		{at(t, "rules", "distribution", "student-t(10)", "d_k", "4"), false, ""},
		{at(t, "rules", "distribution", "normal", "d_k", "32768"), false, "2^14"},
		{at(t, "rules", "distribution", "normal", "d_k", "32768", "rule", "cosine"), false, ""},
		{at(t, "rules", "distribution", "normal", "d_k", "8192", "rule", "additive"), false, "2^24"},
		{at(t, "variance", "distribution", "student-t(6)", "d_k", "4"), true, "no skewness"},
		{at(t, "variance", "distribution", "student-t(6.5)", "d_k", "4"), true, ""},
		{at(t, "variance", "distribution", "sphere", "d_k", "64", "estimator", "gram"), false, "independent"},
		{at(t, "softmax", "distribution", "normal", "d_k", "512", "keys", "512", "shared_keys", "yes"), false, ""},
		{at(t, "softmax", "distribution", "normal", "d_k", "513", "keys", "512", "shared_keys", "yes"), false,
			"at most 2^18"},
		{at(t, "softmax", "distribution", "sphere", "d_k", "4096", "keys", "64"), false, ""},
		{at(t, "softmax", "distribution", "sphere", "d_k", "4096", "keys", "65"), false, "at most 2^18"},
		{at(t, "softmax", "distribution", "normal", "d_k", "1048576", "keys", "4096"), false, ""},
		{at(t, "ranks", "distribution", "sphere", "d_k", "8192", "keys", "64"), false, "at most 2^18"},
		{at(t, "precision", "distribution", "uniform", "d_k", "4"), false, "requires the distribution normal"},
		{at(t, "precision", "distribution", "normal", "d_k", "65536", "keys", "8"), false, ""},
		{at(t, "precision", "distribution", "normal", "d_k", "131072", "keys", "8"), false, "at most 2^19"},
		{at(t, "depth", "tokens", "256", "width", "256", "layers", "1"), false, ""},
		{at(t, "depth", "tokens", "129", "width", "512", "layers", "1"), false, "4..65536"},
		{at(t, "init", "init", "orthogonal", "d_model", "64", "d_k", "64"), true, ""},
		{at(t, "init", "init", "torch-mha", "d_model", "512", "d_k", "100"), true, "it must be a multiple, such as 500"},
		{at(t, "init", "init", "flax", "d_model", "64", "d_k", "128"), true, "it must be a multiple, such as 128"},
		{at(t, "init", "init", "orthogonal", "d_model", "64", "d_k", "128"), true, "d_k is at most d_model"},
		{at(t, "health", "distribution", "sphere"), false, "independent"},
		{at(t, "health", "distribution", "student-t(6)"), true, "gate: false"},
		{at(t, "health", "distribution", "student-t(6)"), false, ""},
	} {
		err := c.cell.Refuse(c.gated)
		if (err == nil) != (c.part == "") || err != nil && !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s, gated: %v: %v, want %q", c.cell.ID, c.gated, err, c.part)
		}
	}
	one := at(t, "softmax", "distribution", "normal", "d_k", "4", "keys", "2")
	for _, c := range []struct {
		cell experiment.Cell
		row  int64
		part string
	}{{at(t, "softmax", "distribution", "normal", "d_k", "131072", "keys", "8"), 0,
		"at most 131072"}, {at(t, "freezing", "keys", "8"), 0, "has no rows of queries"}, {one, -1, "count from 0"}} {
		if _, err := replay.Ask(replay.Question{Cell: c.cell, Row: c.row, Components: replay.Standard}); err == nil ||
			!strings.Contains(err.Error(), c.part) {
			t.Errorf("%s, row %d: %v, want %q", c.cell.ID, c.row, err, c.part)
		}
	}
}

// An id is built from the drawn values, never from the shared ones, and what goes without
// saying is neither in it nor among the params; what a node holds is in its key.
func TestIDs(t *testing.T) {
	for want, c := range map[string]experiment.Cell{
		"variance/normal/d_k=1048576": at(t, "variance", "distribution", "normal", "d_k",
			"1048576", "estimator", "direct"),
		"variance/normal/d_k=64/gram": at(t, "variance", "distribution", "normal", "d_k", "64",
			"estimator", "gram"),
		"variance/student-t(10)/d_k=1": at(t, "variance", "distribution", "student-t", "d_k", "1"),
		"softmax/normal/d_k=64/keys=8": at(t, "softmax", "distribution", "normal", "d_k", "64",
			"keys", "8", "exponent", "0 1"),
		"softmax/normal/d_k=64/keys=8/shared_keys": at(t, "softmax", "distribution", "normal", "d_k", "64",
			"keys", "8", "shared_keys", "yes"),
		"freezing/keys=8": at(t, "freezing", "keys", "8", "sigma", "1 2"),
		"mismatch/normal/d_k=4/q_sd=2/k_mean=-0.5": at(t, "mismatch", "distribution", "normal", "d_k", "4",
			"q_sd", "2", "k_mean", "-1/2"),
		"alignment/normal/d_k=4/rho=0/keys=8": at(t, "alignment", "distribution", "normal", "d_k", "4",
			"rho", "0"),
		"depth/tokens=16/width=32/layers=12/sqrt(d_k)/norm": at(t, "depth", "tokens", "16", "width", "32", "layers",
			"12", "scale", "sqrt(d_k)", "norm", "yes", "residual", "no"),
		"init/torch-mha/d_model=768/d_k=64": at(t, "init", "init", "torch-mha", "d_model", "768", "d_k",
			"64"),
	} {
		if c.ID != want || len(c.Params()) != strings.Count(want, "/") && c.Experiment.Name != names.ExperimentDepth {
			t.Errorf("%s with %v, want %s", c.ID, c.Params(), want)
		}
	}
	c := at(t, "variance", "distribution", "normal", "d_k", "64")
	if p := c.Params(result.Params{"exponent": 0.5}); !maps.Equal(p,
		map[string]any{"distribution": "normal", "d_k": 64.0, "exponent": 0.5}) {
		t.Errorf("params %v", p)
	}
	a, b := at(t, "softmax", "distribution", "normal", "d_k", "64", "exponent", "0 1/2"),
		at(t, "softmax", "distribution", "normal", "d_k", "64", "exponent", "1/2 0")
	if a.ID != b.ID || a.StoreID() == b.StoreID() || a.StoreID().Contents == "" {
		t.Errorf("%q and %q, kept as %v and %v", a.ID, b.ID, a.StoreID(), b.StoreID())
	}
}

// The table of names knows which values rows leave out: those that the axes do, of the
// experiments that have these.
func TestOmittedValues(t *testing.T) {
	for _, e := range Table {
		omitted := map[string]string{}
		for _, a := range e.Axes {
			if a.OmittedValue != "" {
				omitted[a.Name] = a.OmittedValue
			}
		}
		said := map[string]string{}
		for _, n := range names.OmittedParams(e.Name) {
			said[n.Name] = n.Omitted
		}
		if !maps.Equal(omitted, said) {
			t.Errorf("rows of %s leave out %v, and the table of names says %v", e.Name, omitted, said)
		}
	}
}

// The values of an axis are read as people write them, a range as its doublings, and what is
// no value is refused with what may be written.
func TestAxes(t *testing.T) {
	for _, c := range []struct {
		experiment, axis, text string
		want                   string // values, or behind ! a part of the error
	}{
		{"variance", "d_k", "64", "64"}, {"variance", "d_k", "1..8", "1 2 4 8"}, {"variance", "d_k", "1..7", "1 2 4"},
		{"variance", "d_k", "3..24", "3 6 12 24"},
		{"variance", "d_k", "5..5", "5"}, {"variance", "d_k", "2^3..2^5", "8 16 32"},
		{"exponents", "exponent", "1/3", "0.3333333333333333"},
		{"exponents", "exponent", "-4", "-4"}, {"exponents", "exponent", "1/4..1", "0.25 0.5 1"},
		{"variance", "distribution", "student-t", "student-t(10)"},
		{"variance", "distribution", "student-t:1e1", "student-t(10)"},
		{"variance", "distribution", "bernoulli-gaussian(10%)", "bernoulli-gaussian(0.1)"},
		{"exponents", "rule", "sqrt(d_k/2)", "sqrt(d_k/2)"}, {"softmax", "rule", "log-n", "log-n(1)"},
		{"softmax", "temperature", ".inf", "infinite"},
		{"variance", "d_k", "0", "!not in 1..1048576"}, {"variance", "d_k", "1048577", "!not in 1..1048576"},
		{"variance", "d_k", "1.5", "!not a whole number"},
		{"variance", "d_k", "", "!not a number"}, {"variance", "d_k", "nan", "!not a finite number"},
		{"variance", "d_k", "8..4", "!not a range of doublings"},
		{"variance", "d_k", "..4", "!not a number"}, {"variance", "d_k", "1..", "!not a number"},
		{"variance", "d_k", "1..2..4", "!not a number"},
		{"variance", "d_k", "1..2000000", "!not in 1..1048576"}, {"exponents", "exponent", "4.1", "!not in -4..4"},
		{"exponents", "exponent", "1/0", "!not a finite number"},
		{"exponents", "exponent", "-1..1", "!not a range of doublings"},
		{"exponents", "rule", "sqrt(d_k)", "!did you mean sqrt(d_k/2)?"},
		{"variance", "distribution", "norml", "!did you mean normal?"}, {"variance", "distribution", "gausian",
			"!did you mean gaussian?"}, {"variance", "distribution", "student-t(1)", "!not in (2, 1000000)"},
		{"variance", "distribution", "normal..sphere", "!unknown distribution"},
		{"variance", "distribution", "qqqqqqqqqqqqqqqqqq", "!it is one of normal, uniform"},
		{"init", "init", "glorot", "!did you mean glorot-uniform or glorot-normal or glorot-fused?"},
		{"init", "init", "e", "!it is one of glorot-uniform, "},
		{"softmax", "keys", "4097", "!not in 2..4096"}, {"ranks", "keys", "65", "!65 is not in 2..64"},
		{"softmax", "temperature", "1e31", "!not 0, 1e-30..1e+30 or infinite"},
		{"freezing", "sigma", "1e7", "!not in 0..1e+06"}, {"softmax", "shared_keys", "maybe", "!yes"},
		{"softmax", "rule", "cosine", "!unknown rule"},
		{"rules", "rule", "cosin", "!did you mean cosine?"}, {"rules", "rule", "power(9)", "!not in -4..4"},
		{"precision", "format", "float64", "!unknown format"},
		{"alignment", "rho", "1.1", "!not in -1..1"}, {"mismatch", "q_sd", "0", "!not in 0.001..1000"},
		{"mismatch", "k_mean", "1e4", "!not in -1000..1000"},
		{"depth", "tokens", "257", "!not in 2..256"}, {"depth", "scale", "sqrt", "!sqrt(d_k)"},
		{"depth", "norm", "layer", "!yes"},
	} {
		e, err := Lookup(c.experiment)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Axis(c.axis).ParseAll(c.text)
		part, refused := strings.CutPrefix(c.want, "!")
		if refused && (err == nil || !strings.Contains(err.Error(), part)) {
			t.Errorf("%s %q of %s: %v, want an error that has %q", c.axis, c.text, c.experiment, err, part)
		}
		var texts []string
		for _, v := range got {
			texts = append(texts, v.String())
		}
		if !refused && (err != nil || !slices.Equal(texts, strings.Fields(c.want))) {
			t.Errorf("%s %q of %s: %v (%v), want %s", c.axis, c.text, c.experiment, texts, err, c.want)
		}
	}
}
