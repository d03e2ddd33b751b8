package all

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
)

// Every default parses, and every axis says what it is.
func TestConformanceAxes(t *testing.T) {
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
	var unknown names.UnknownError
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), "did you mean variance?") {
		t.Errorf("varience: %v", err)
	}
}

// Every row of the table has what it must have, and stands there once.
func TestConformanceExperiments(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Table {
		for _, what := range lacks(e) {
			t.Error(what)
		}
		if seen[e.Name] {
			t.Errorf("the table has %s twice", e.Name)
		}
		seen[e.Name] = true
		if e.Sampler == nil && !slices.ContainsFunc(Table,
			func(o *experiment.Experiment) bool { return o.Name == e.ReadsFrom && o.Sampler != nil }) {
			t.Errorf("%s reads %s, which draws nothing", e.Name, e.ReadsFrom)
		}
		if e.Sampler != nil && e.Probeable && e.ProbeFlag == "" {
			for i := range e.Axes {
				if a := &e.Axes[i]; a.Probe == "" && !a.Shared {
					t.Errorf("%s answers a probe, and its axis %s has no value for one", e.Name, a.Name)
				}
			}
		}
	}
}

// lacks says what an experiment is without and must have besides what [experiment.New] requires, a
// sentence each.
func lacks(e *experiment.Experiment) (out []string) {
	want := func(has bool, what string) {
		if !has {
			out = append(out, fmt.Sprintf("the experiment %q lacks %s", e.Name, what))
		}
	}
	_, named := names.Lookup(names.GroupExperiment, e.Name)
	want(named, "an entry in the table of names")
	for _, a := range e.Axes {
		_, named := names.Lookup(names.GroupParameter, a.Name)
		want(named, fmt.Sprintf("an entry of its axis %q in the table of names", a.Name))
	}
	want(e.ProbeFlag == "" || e.Axis(e.ProbeFlag) != nil, "the axis of its probe flag")
	return out
}

// drawsAsItSays says what is wrong with what an experiment draws, reads and judges at
// several points: blocks as its columns lay them out, rows of named quantities, the
// headline among them, within their errors of theory, lines of theory through that of the
// rows, and gates on the theory of a row. One that panics is said too.
func drawsAsItSays(t *testing.T, e *experiment.Experiment) (out []string) {
	at := "its axes"
	fault := func(format string, args ...any) {
		out = append(out, fmt.Sprintf("the experiment %q "+format, append([]any{e.Name}, args...)...))
	}
	defer func() {
		if why := recover(); why != nil {
			fault("panics at %s: %v", at, why)
		}
	}()
	drawn := e
	if e.ReadsFrom != "" {
		var err error
		if drawn, err = Lookup(e.ReadsFrom); err != nil {
			t.Fatal(err)
		}
	}
	sampled := experiment.SampledCells{Seed: 7}
	var nodes []moments.Node
	sampled.Node = func(i int) (moments.Node, error) { return nodes[i], nil }
	doc := &result.Document{}
	for i, c := range points(t, drawn) {
		at = c.ID
		if err := c.Refuse(false); err != nil {
			if i == 0 {
				fault("refuses the point that stands for it, %s: %v", c.ID, err)
			}
			continue
		}
		n := blocksAsItSays(fault, &c)
		if len(out) > 0 {
			return out
		}
		if windows := slices.ContainsFunc(n.Histograms,
			func(h moments.Histogram) bool { return len(h.Windows) > 0 }); windows != drawn.Sampler.HasFineBins {
			fault("says %v of whether its nodes have windows", drawn.Sampler.HasFineBins)
		}
		c.Tolerance, c.Gated = 0.01, c.Refuse(true) == nil
		if e.ReadsFrom != "" {
			c.Experiment, c.Shared = e, probed(t, e).Shared
		}
		rows := e.Reader.Estimates(c, n).Estimates
		rowsAsItSays(fault, e, c, rows)
		if i == 0 && e.Sampler != nil &&
			!slices.ContainsFunc(rows, func(r result.Estimate) bool { return r.Quantity == e.Sampler.Headline }) {
			fault("has no row of its headline %s at %s", e.Sampler.Headline, c.ID)
		}
		sampled.Cells, nodes = append(sampled.Cells, c), append(nodes, n)
		doc.Estimates = append(doc.Estimates, rows...)
	}
	at = "all points together"
	if e.Reader.Finish != nil {
		if err := e.Reader.Finish(sampled, doc); err != nil {
			fault("cannot finish: %v", err)
		}
	}
	for _, line := range doc.Curves {
		linesAsTheySay(fault, e, line)
		if line.Kind != names.CurveDrawn {
			lineMeetsRows(fault, line, doc.Estimates)
		}
	}
	for _, k := range e.Gates(sampled.Cells) {
		gateAsItSays(fault, k, doc.Estimates)
	}
	return out
}

// conformingBudget is how many components are drawn of a point, where a block has fewer.
const conformingBudget = 1 << 26

// blocksAsItSays draws blocks of a cell, for which it is taught, and says what is wrong
// with them.
func blocksAsItSays(fault func(string, ...any), c *experiment.Cell) moments.Node {
	units, cost := c.BlockUnits(), c.UnitCost()
	if units < 1 || !(cost > 0) {
		fault("has blocks of %d units, each of the cost %v, at %s", units, cost, c.ID)
	}
	blocks := int64(min(max(conformingBudget/(cost*float64(units)), 2), 64))
	if c.HasPilot() {
		*c = experimenttest.WithPilot(*c, blocks*units)
	}
	n := experimenttest.SampleCell(*c, int(blocks))
	if columns := c.Experiment.Sampler.Columns(*c); len(n.Moments) != len(columns) {
		fault("draws %d columns and says that there are %d, at %s", len(n.Moments), len(columns), c.ID)
	}
	return n
}

// withinErrors is how many standard errors a row may be from theory: of 10,000 normal ones,
// one is with a chance of 0.6 %. The seeds are fixed.
const withinErrors = 5

// rowsAsItSays says what is wrong with the rows of a cell.
func rowsAsItSays(fault func(string, ...any), e *experiment.Experiment, c experiment.Cell, rows []result.Estimate) {
	if len(rows) == 0 {
		fault("has no rows at %s", c.ID)
	}
	for _, r := range rows {
		if _, named := names.Lookup(names.GroupQuantity, r.Quantity); !named {
			fault("has rows of %q, which has no entry in the table of names", r.Quantity)
		}
		if r.Experiment != e.Name || r.Cell != c.ID || r.N < 1 {
			fault("has a row of %s that is of the experiment %q, the cell %q and %d units", r.Quantity, r.Experiment,
				r.Cell, r.N)
		}
		if z := math.Abs(float64((r.Value - r.Theory) / r.SE)); r.Level.Present() && r.SE > 0 &&
			r.TheoryKind != names.TheoryLimit && z > withinErrors {
			fault("has at %s a %s %v of %v ± %v, %.1f errors from the theory %v", c.ID, r.Quantity, r.Params, r.Value,
				r.SE, z, r.Theory)
		}
	}
}

// linesAsTheySay says what is wrong with a line, of what was drawn or of theory.
func linesAsTheySay(fault func(string, ...any), e *experiment.Experiment, line result.Curve) {
	if _, named := names.Lookup(names.GroupQuantity, line.Quantity); !named {
		fault("has a line of %q, which has no entry in the table of names", line.Quantity)
	}
	if _, named := names.Lookup(names.GroupParameter, line.Axis); !named {
		fault("has a line over %q, which has no entry in the table of names", line.Axis)
	}
	if line.Experiment != e.Name || len(line.X) != len(line.Y) || len(line.X) == 0 {
		fault("has a line of %s with %d and %d numbers that is of the experiment %q", line.Quantity, len(line.X),
			len(line.Y), line.Experiment)
	}
}

// lineMeetsRows says where a line of theory misses the theory of a row that it goes through.
func lineMeetsRows(fault func(string, ...any), line result.Curve, rows []result.Estimate) {
	for _, r := range rows {
		at, numbered := r.Params.Number(line.Axis)
		i := slices.Index(line.X, result.Number(at))
		if !numbered || i < 0 || r.Experiment != line.Experiment || r.Quantity != line.Quantity ||
			r.TheoryKind != line.Kind || !isOn(line, r) {
			continue
		}
		if off := math.Abs(float64(line.Y[i] - r.Theory)); off > 1e-9*math.Abs(float64(r.Theory)) {
			fault("has a line of %s %v that is at %v, and not at %v as the row of %s %v", line.Quantity, line.Params,
				line.Y[i], r.Theory, r.Cell, r.Params)
		}
	}
}

// isOn reports whether a row is a point of a line: its params are those of the line, the axis
// and a distribution. Rows between two cells are on none.
func isOn(line result.Curve, r result.Estimate) bool {
	rest := maps.Clone(r.Params)
	delete(rest, line.Axis)
	if _, said := line.Params[names.ParamDistribution]; !said {
		delete(rest, names.ParamDistribution)
	}
	return maps.Equal(rest, line.Params) && !strings.Contains(r.Cell, "..")
}

// gateAsItSays says what is wrong with a gate: that it has no row, or another theory.
func gateAsItSays(fault func(string, ...any), k gate.Check, rows []result.Estimate) {
	i := slices.IndexFunc(rows, func(r result.Estimate) bool {
		return r.Experiment == k.Experiment && r.Cell == k.Cell && r.Quantity == k.Quantity &&
			maps.Equal(r.Params, k.Params)
	})
	if i < 0 {
		fault("has a gate %q on %s of %s, of which there is no row", k.Name, k.Quantity, k.Cell)
		return
	}
	want, _, _ := k.Expected(rows[i].N)
	if off := math.Abs(float64(rows[i].Theory) - want); off > 1e-9*max(1, math.Abs(want)) {
		fault("has a gate %q at %s that wants %v, where the theory of the row is %v", k.Name, k.Cell, want,
			rows[i].Theory)
	}
}

// least is the lower end of an axis's range.
var least = regexp.MustCompile(`(-?[0-9.]+)\.\.[0-9]`)

// points returns those that an experiment is held at: the one that stands for it, and beside
// it others along each drawn axis.
func points(t *testing.T, e *experiment.Experiment) []experiment.Cell {
	t.Helper()
	all := []experiment.Cell{probed(t, e)}
	for i := range e.Axes {
		a := &e.Axes[i]
		if a.Shared {
			continue
		}
		for _, text := range values(a) {
			c := pointAt(t, e, a.Name, text)
			if !slices.ContainsFunc(all, func(o experiment.Cell) bool { return o.ID == c.ID }) {
				all = append(all, c)
			}
		}
	}
	return all
}

// values returns the defaults of an axis, and all of its names, or the least number and twice
// that of a probe.
func values(a *experiment.Axis) []string {
	texts := slices.Clone(a.Default)
	if a.Names != nil {
		texts = append(texts, a.Names()...)
	}
	if low := least.FindStringSubmatch(a.Range); low != nil {
		texts = append(texts, low[1])
	}
	if usual, err := experiment.Number(a.Probe); err == nil {
		texts = append(texts, fmt.Sprint(2*usual))
	}
	return slices.DeleteFunc(texts, func(text string) bool {
		_, err := a.Parse(text)
		return err != nil // beyond its range
	})
}

// probed returns the point of an experiment that stands for it: at its defaults, and where
// there are none at the values of a probe.
func probed(t *testing.T, e *experiment.Experiment) experiment.Cell {
	t.Helper()
	return pointAt(t, e, "", "")
}

// pointAt returns that point with another value of an axis.
func pointAt(t *testing.T, e *experiment.Experiment, axis, value string) experiment.Cell {
	t.Helper()
	values := map[string]string{}
	for i := range e.Axes {
		if a := &e.Axes[i]; len(a.Default) == 0 && a.Probe != "" {
			values[a.Name] = a.Probe
		}
	}
	if axis != "" {
		values[axis] = value
	}
	return experimenttest.NewCell(t, e, values)
}

func TestConformanceDraws(t *testing.T) {
	if testing.Short() {
		t.Skip("draws of every experiment")
	}
	for _, e := range Table {
		t.Run(e.Name, func(t *testing.T) {
			for _, what := range drawsAsItSays(t, e) {
				t.Error(what)
			}
		})
	}
}
