package all

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/experiment/related"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/experiment/rules"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/experiment/softmax"
)

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		cell  experiment.Cell
		gated bool
		part  string // empty if it is not refused
	}{
		{experimenttest.PointOf(t, related.Mismatch, map[string]string{"law": "sphere", "d_k": "4"}), false, "take another law"},
		{experimenttest.PointOf(t, related.Mismatch, map[string]string{"law": "student-t(5)", "d_k": "4"}), true, "gate: false"},
		{experimenttest.PointOf(t, related.Mismatch, map[string]string{"law": "student-t(5)", "d_k": "4"}), false, ""},
		{experimenttest.PointOf(t, related.Alignment, map[string]string{"law": "student-t(10)", "d_k": "4", "rho": "1/2"}), true, "gate: false"},
		{experimenttest.PointOf(t, related.Alignment, map[string]string{"law": "student-t(10)", "d_k": "4", "rho": "0"}), true, "gate: false"},
		{experimenttest.PointOf(t, related.Alignment, map[string]string{"law": "student-t(10)", "d_k": "4", "rho": "0"}), false, ""},
		{experimenttest.PointOf(t, related.Alignment, map[string]string{"law": "laplace", "d_k": "4", "rho": "1/2"}), true, ""},
		{experimenttest.PointOf(t, related.Mismatch, map[string]string{"law": "student-t(10)", "d_k": "4"}), true, "not worked out"},
		{experimenttest.PointOf(t, rules.Experiment, map[string]string{"law": "student-t(10)", "d_k": "4"}), true, "not worked out"},
		{experimenttest.PointOf(t, rules.Experiment, map[string]string{"law": "student-t(10)", "d_k": "4"}), false, ""},
		{experimenttest.PointOf(t, scores.Variance, map[string]string{"law": "student-t(6)", "d_k": "4"}), true, "no skewness"},
		{experimenttest.PointOf(t, scores.Variance, map[string]string{"law": "student-t(6.5)", "d_k": "4"}), true, ""},
		{experimenttest.PointOf(t, related.Alignment, map[string]string{"law": "sphere", "d_k": "65536", "rho": "0"}), false, "2^18"},
		{experimenttest.PointOf(t, rules.Experiment, map[string]string{"law": "normal", "d_k": "32768"}), false, "2^14"},
		{experimenttest.PointOf(t, rules.Experiment, map[string]string{"law": "normal", "d_k": "32768", "rule": "cosine"}), false, ""},
		{experimenttest.PointOf(t, rules.Experiment, map[string]string{"law": "normal", "d_k": "8192", "rule": "additive"}), false, "2^24"},
	} {
		err := c.cell.Experiment.Refuse(c.cell, c.gated)
		if (err == nil) != (c.part == "") || err != nil && !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s, gated: %v: %v, want %q", c.cell.ID, c.gated, err, c.part)
		}
	}
}

func TestRuleAxes(t *testing.T) {
	for _, c := range []struct {
		axis       *experiment.Axis
		text, part string
	}{
		{&rows.AllRulesAxis, "cosin", "did you mean cosine?"}, {&rows.AllRulesAxis, "power(9)", "not in -4..4"},
		{&rows.FactorRuleAxis, "cosine", "unknown rule"}, {&rows.FactorRuleAxis, "logn", "did you mean log-n?"},
		{&related.RhoAxis, "1.1", "not in -1..1"}, {&related.QuerySDAxis, "0", "not in 0.001..1000"}, {&related.KeyMeanAxis, "1e4", "not in -1000..1000"},
		{&related.QueryCorrelationAxis, "-0.1", "not in 0..1"},
	} {
		if v, err := c.axis.ParseAll(c.text); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s %q: %v, %v, want an error with %q", c.axis.Name, c.text, v, err, c.part)
		}
	}
	if v, err := rows.FactorRuleAxis.ParseAll("log-n"); err != nil || v[0].Name != "log-n(1)" {
		t.Errorf("%v, %v", v, err)
	}
	// A rule that multiplies by a number is one of softmax's scalings.
	c := experimenttest.PointOf(t, softmax.Experiment, map[string]string{"law": "normal", "d_k": "64", "exponent": "1/2", "rule": "sqrt(d_k/2) learned(3) log-n"})
	want := []float64{1. / 8, 1 / math.Sqrt(32), 3. / 8, math.Log(8) / 8}
	for i, s := range rows.Scalings(c) {
		if math.Abs(s.Factor-want[i]) > 1e-15 {
			t.Errorf("%v multiplies by %v, want %v", s.Value, s.Factor, want[i])
		}
	}
}

// An id is built from the drawn values, never from the shared ones.
func TestCellID(t *testing.T) {
	for _, c := range []struct {
		law  string
		d    float64
		want string
	}{
		{"normal", 64, "variance/normal/d_k=64"},
		{"student-t(10)", 1, "variance/student-t(10)/d_k=1"},
		{"normal", 1 << 20, "variance/normal/d_k=1048576"},
	} {
		cell := experiment.NewCell(scores.Variance, map[string]experiment.Value{"law": {Name: c.law}, "d_k": {Number: c.d}})
		if cell.ID != c.want || cell.Dimension() != int(c.d) || cell.Law().String() != c.law {
			t.Errorf("%s, want %s", cell.ID, c.want)
		}
		params := cell.Params("exponent", 0.5)
		if fmt.Sprint(params) != fmt.Sprintf("map[d_k:%v exponent:0.5 law:%s]", c.d, c.law) {
			t.Errorf("params %v", params)
		}
	}
}
