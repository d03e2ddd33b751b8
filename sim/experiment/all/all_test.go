package all

import (
	"errors"
	"fmt"
	"math"
	"slices"
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
		{experimenttest.PointOf(t, related.Alignment, map[string]string{"law": "student-t(10)", "d_k": "4", "rho": "0"}), true, ""},
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

// Every default parses, and every axis says what it is.
func TestAxes(t *testing.T) {
	for _, e := range Table {
		for i := range e.Axes {
			a := &e.Axes[i]
			for _, text := range append(slices.Clone(a.Default), a.Probe) {
				if text == "" && (len(a.Default) > 0 || a.Shared) { // no value of a shared axis is its default
					continue
				}
				if e.Name == "health" && text == "" {
					continue
				}
				if _, err := a.ParseAll(text); err != nil {
					t.Errorf("%s: %s: default %q: %v", e.Name, a.Name, text, err)
				}
			}
			if a.Doc() == "" || a.Parse == nil || strings.Contains(a.Flag(), "_") || e.Axis(a.Name) != a {
				t.Errorf("%s: axis %s is not complete", e.Name, a.Name)
			}
		}
		if e.Axis("no such axis") != nil {
			t.Errorf("%s has an axis that it has not", e.Name)
		}
		if found, err := Lookup(e.Name); err != nil || found != e {
			t.Errorf("%s is looked up as %v: %v", e.Name, found, err)
		}
	}
	_, err := Lookup("varience")
	var unknown experiment.UnknownError
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), "did you mean variance?") {
		t.Errorf("varience: %v", err)
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

// Every row of the table has what it must have, and stands there once.
func TestNothingIsLacking(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Table {
		for _, what := range e.Lacks() {
			t.Error(what)
		}
		if seen[e.Name] {
			t.Errorf("the table has %s twice", e.Name)
		}
		seen[e.Name] = true
		if e.Of != "" && !slices.ContainsFunc(Table, func(o *experiment.Experiment) bool { return o.Name == e.Of && o.Of == "" }) {
			t.Errorf("%s reads %s, which draws nothing", e.Name, e.Of)
		}
		if e.Of == "" && e.Probed && e.Asked == "" {
			for i := range e.Axes {
				if a := &e.Axes[i]; a.Probe == "" && len(a.Default) == 0 && !a.Shared {
					t.Errorf("%s answers a probe, and its axis %s has no value for one", e.Name, a.Name)
				}
			}
		}
	}
}

// A row without one of the things that it must have is found out, whichever it is;
// one without what may be left out runs.
func TestLacksFindsEach(t *testing.T) {
	for what, drop := range map[string]func(*experiment.Experiment){
		"table of names": func(e *experiment.Experiment) { e.Name = "nobody" },
		"axes":           func(e *experiment.Experiment) { e.Axes = nil },
		"a unit":         func(e *experiment.Experiment) { e.Unit = "" },
		"Rows":           func(e *experiment.Experiment) { e.Rows = nil },
		"asked by":       func(e *experiment.Experiment) { e.Asked = "nobody" },
		"BlockUnits":     func(e *experiment.Experiment) { e.BlockUnits = nil },
		"Cost":           func(e *experiment.Experiment) { e.Cost = nil },
		"Columns":        func(e *experiment.Experiment) { e.Columns = nil },
		"Open":           func(e *experiment.Experiment) { e.Open = nil },
		"a headline":     func(e *experiment.Experiment) { e.Headline = "" },
	} {
		e := *scores.Variance
		drop(&e)
		if found := experiment.New(e).Lacks(); len(found) != 1 || !strings.Contains(found[0], what) {
			t.Errorf("without %s: %q", what, found)
		}
	}
	e := *scores.Variance
	e.Relative, e.Kept, e.Join, e.Refuse, e.Checks = nil, nil, nil, nil, nil
	whole := experiment.New(e)
	c := experimenttest.PointOf(t, whole, map[string]string{"law": "normal", "d_k": "4"})
	whole.Join([]experiment.Cell{c}, nil)
	if v, exact := whole.Relative(c); whole.Lacks() != nil || exact || !math.IsNaN(v) || whole.Refuse(c, true) != nil || whole.Checks(nil) != nil || c.Key() != c.ID {
		t.Error("what may be left out is not filled in")
	}
}
