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

// newCell returns a cell of the named experiment. The other arguments are pairs of an axis and its
// value.
func newCell(t *testing.T, name string, pairs ...string) experiment.Cell {
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

// TestRefusals checks which cells are refused because they cannot be run, or because they cannot
// have gates, and that the error says why or what is possible. It also checks which rows are
// refused by replay.Ask.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		cell    experiment.Cell
		gated   bool
		message string // part of the error; empty if the cell is not refused
	}{
		{newCell(t, "mismatch", "distribution", "sphere", "d_k", "4"), false, "take another distribution"},
		{newCell(t, "mismatch", "distribution", "student-t(5)", "d_k", "4"), true, "gate: false"},
		{newCell(t, "mismatch", "distribution", "student-t(5)", "d_k", "4"), false, ""},
		{newCell(t, "mismatch", "distribution", "student-t(10)", "d_k", "4"), true,
			"known only for the experiment variance"},
		{newCell(t, "alignment", "distribution", "student-t(10)", "d_k", "4", "rho", "1/2"), true, "gate: false"},
		{newCell(t, "alignment", "distribution", "student-t(10)", "d_k", "4", "rho", "0"), true, "gate: false"},
		{newCell(t, "alignment", "distribution", "student-t(10)", "d_k", "4", "rho", "0"), false, ""},
		{newCell(t, "alignment", "distribution", "laplace", "d_k", "4", "rho", "1/2"), true, ""},
		{newCell(t, "alignment", "distribution", "sphere", "d_k", "65536", "rho", "0"), false, "2^18"},
		{newCell(t, "rules", "distribution", "student-t(10)", "d_k", "4"), true,
			"known only for the experiment variance"},
		{newCell(t, "rules", "distribution", "student-t(10)", "d_k", "4"), false, ""},
		{newCell(t, "rules", "distribution", "normal", "d_k", "32768"), false, "2^14"},
		{newCell(t, "rules", "distribution", "normal", "d_k", "32768", "rule", "cosine"), false, ""},
		{newCell(t, "rules", "distribution", "normal", "d_k", "8192", "rule", "additive"), false, "2^24"},
		{newCell(t, "variance", "distribution", "student-t(6)", "d_k", "4"), true, "no skewness"},
		{newCell(t, "variance", "distribution", "student-t(6.5)", "d_k", "4"), true, ""},
		{newCell(t, "variance", "distribution", "sphere", "d_k", "64", "estimator", "gram"), false, "independent"},
		{newCell(t, "softmax", "distribution", "normal", "d_k", "512", "keys", "512", "shared_keys", "yes"), false, ""},
		{newCell(t, "softmax", "distribution", "normal", "d_k", "513", "keys", "512", "shared_keys", "yes"), false,
			"at most 2^18"},
		{newCell(t, "softmax", "distribution", "sphere", "d_k", "4096", "keys", "64"), false, ""},
		{newCell(t, "softmax", "distribution", "sphere", "d_k", "4096", "keys", "65"), false, "at most 2^18"},
		{newCell(t, "softmax", "distribution", "normal", "d_k", "1048576", "keys", "4096"), false, ""},
		{newCell(t, "ranks", "distribution", "sphere", "d_k", "8192", "keys", "64"), false, "at most 2^18"},
		{newCell(t, "precision", "distribution", "uniform", "d_k", "4"), false, "requires the distribution normal"},
		{newCell(t, "precision", "distribution", "normal", "d_k", "65536", "keys", "8"), false, ""},
		{newCell(t, "precision", "distribution", "normal", "d_k", "131072", "keys", "8"), false, "at most 2^19"},
		{newCell(t, "depth", "tokens", "256", "width", "256", "layers", "1"), false, ""},
		{newCell(t, "depth", "tokens", "129", "width", "512", "layers", "1"), false, "4..65536"},
		{newCell(t, "init", "init", "orthogonal", "d_model", "64", "d_k", "64"), true, ""},
		{newCell(t, "init", "init", "torch-mha", "d_model", "512", "d_k", "100"), true,
			"it must be a multiple, such as 500"},
		{newCell(t, "init", "init", "flax", "d_model", "64", "d_k", "128"), true, "it must be a multiple, such as 128"},
		{newCell(t, "init", "init", "orthogonal", "d_model", "64", "d_k", "128"), true, "d_k is at most d_model"},
		{newCell(t, "health", "distribution", "sphere"), false, "independent"},
		{newCell(t, "health", "distribution", "student-t(6)"), true, "gate: false"},
		{newCell(t, "health", "distribution", "student-t(6)"), false, ""},
	} {
		err := c.cell.Refuse(c.gated)
		switch {
		case c.message == "":
			if err != nil {
				t.Errorf("%s, gated %v: got the error %q, want none", c.cell.ID, c.gated, err)
			}
		case err == nil || !strings.Contains(err.Error(), c.message):
			t.Errorf("%s, gated %v: got the error %v, want one that contains %q", c.cell.ID, c.gated, err, c.message)
		}
	}
	for _, c := range []struct {
		cell    experiment.Cell
		row     int64
		message string
	}{
		{newCell(t, "softmax", "distribution", "normal", "d_k", "131072", "keys", "8"), 0, "at most 131072"},
		{newCell(t, "freezing", "keys", "8"), 0, "has no rows of queries"},
		{newCell(t, "softmax", "distribution", "normal", "d_k", "4", "keys", "2"), -1, "count from 0"},
	} {
		_, err := replay.Ask(replay.Question{Cell: c.cell, Row: c.row, Components: replay.Standard})
		if err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s, row %d: got the error %v, want one that contains %q", c.cell.ID, c.row, err, c.message)
		}
	}
}

// TestIDs checks that the ID of a cell consists of the values of the sampled axes except omitted
// values, and that the cell has a param for each part of the ID. It also checks that the store ID
// depends on the shared values.
func TestIDs(t *testing.T) {
	for want, c := range map[string]experiment.Cell{
		"variance/normal/d_k=1048576": newCell(t, "variance", "distribution", "normal", "d_k",
			"1048576", "estimator", "direct"),
		"variance/normal/d_k=64/gram": newCell(t, "variance", "distribution", "normal", "d_k", "64",
			"estimator", "gram"),
		"variance/student-t(10)/d_k=1": newCell(t, "variance", "distribution", "student-t", "d_k", "1"),
		"softmax/normal/d_k=64/keys=8": newCell(t, "softmax", "distribution", "normal", "d_k", "64",
			"keys", "8", "exponent", "0 1"),
		"softmax/normal/d_k=64/keys=8/shared_keys": newCell(t, "softmax", "distribution", "normal", "d_k", "64",
			"keys", "8", "shared_keys", "yes"),
		"freezing/keys=8": newCell(t, "freezing", "keys", "8", "sigma", "1 2"),
		"mismatch/normal/d_k=4/q_sd=2/k_mean=-0.5": newCell(t, "mismatch", "distribution", "normal", "d_k", "4",
			"q_sd", "2", "k_mean", "-1/2"),
		"alignment/normal/d_k=4/rho=0/keys=8": newCell(t, "alignment", "distribution", "normal", "d_k", "4",
			"rho", "0"),
		"depth/tokens=16/width=32/layers=12/sqrt(d_k)/norm": newCell(t, "depth", "tokens", "16", "width", "32",
			"layers", "12", "scale", "sqrt(d_k)", "norm", "yes", "residual", "no"),
		"init/torch-mha/d_model=768/d_k=64": newCell(t, "init", "init", "torch-mha", "d_model", "768", "d_k",
			"64"),
	} {
		if c.ID != want {
			t.Errorf("got the ID %s, want %s", c.ID, want)
		}
		if got, wantCount := len(c.Params()), strings.Count(want, "/"); got != wantCount {
			t.Errorf("%s has the params %v, want %d of them", c.ID, c.Params(), wantCount)
		}
	}
	c := newCell(t, "variance", "distribution", "normal", "d_k", "64")
	got, want := c.Params(result.Params{"exponent": 0.5}),
		result.Params{"distribution": "normal", "d_k": 64.0, "exponent": 0.5}
	if !maps.Equal(got, want) {
		t.Errorf("params with an extra one: got %v, want %v", got, want)
	}
	a := newCell(t, "softmax", "distribution", "normal", "d_k", "64", "exponent", "0 1/2")
	b := newCell(t, "softmax", "distribution", "normal", "d_k", "64", "exponent", "1/2 0")
	if a.ID != b.ID {
		t.Errorf("cells with the exponents in another order have the IDs %q and %q, want the same", a.ID, b.ID)
	}
	if a.StoreID() == b.StoreID() {
		t.Errorf("cells with the exponents in another order have the same store ID %v", a.StoreID())
	}
	if a.StoreID().Contents == "" {
		t.Errorf("the store ID %v has no contents, although it depends on shared values", a.StoreID())
	}
}

// TestOmittedValues compares the omitted values of the axes with the omitted values of parameters
// in the table of names.
func TestOmittedValues(t *testing.T) {
	for _, e := range Table {
		omitted := map[string]string{}
		for _, a := range e.Axes {
			if a.OmittedValue != "" {
				omitted[a.Name] = a.OmittedValue
			}
		}
		documented := map[string]string{}
		for _, n := range names.OmittedParams(e.Name) {
			documented[n.Name] = n.Omitted
		}
		if !maps.Equal(omitted, documented) {
			t.Errorf("%s: the axes omit %v, but the table of names says %v", e.Name, omitted, documented)
		}
	}
}

// TestAxes checks how the values of axes are parsed, a range as its doublings, and that errors
// about other texts list the accepted values or their range.
func TestAxes(t *testing.T) {
	for _, c := range []struct {
		experiment, axis, text string
		want                   string // the values, or ! and a part of the error
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
		{"variance", "distribution", "norml", "!did you mean normal?"},
		{"variance", "distribution", "gausian", "!did you mean gaussian?"},
		{"variance", "distribution", "student-t(1)", "!not in (2, 1000000)"},
		{"variance", "distribution", "normal..sphere", "!unknown distribution"},
		{"variance", "distribution", "qqqqqqqqqqqqqqqqqq", "!choose from normal, uniform"},
		{"init", "init", "glorot", "!did you mean glorot-uniform or glorot-normal or glorot-fused?"},
		{"init", "init", "e", "!choose from glorot-uniform, "},
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
		if message, isRefused := strings.CutPrefix(c.want, "!"); isRefused {
			if err == nil || !strings.Contains(err.Error(), message) {
				t.Errorf("%s %q of %s: got the error %v, want one that contains %q", c.axis, c.text, c.experiment, err,
					message)
			}
			continue
		}
		texts := names.Map(got, experiment.AxisValue.String)
		if err != nil || !slices.Equal(texts, strings.Fields(c.want)) {
			t.Errorf("%s %q of %s: got %v and the error %v, want %s", c.axis, c.text, c.experiment, texts, err, c.want)
		}
	}
}
