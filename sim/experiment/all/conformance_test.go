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

// TestConformanceAxes checks that every default parses, and that every axis is complete.
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
			t.Errorf("%s has an axis that does not exist", e.Name)
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

// TestConformanceExperiments checks that every experiment of the table is complete and is listed
// once.
func TestConformanceExperiments(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Table {
		for _, problem := range listMissing(e) {
			t.Error(problem)
		}
		if seen[e.Name] {
			t.Errorf("the table has %s twice", e.Name)
		}
		seen[e.Name] = true
		if e.Sampler == nil && !slices.ContainsFunc(Table,
			func(other *experiment.Experiment) bool { return other.Name == e.ReadsFrom && other.Sampler != nil }) {
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

// listMissing returns a sentence for each thing that an experiment lacks, in addition to the
// checks of [experiment.New].
func listMissing(e *experiment.Experiment) (problems []string) {
	require := func(ok bool, requirement string) {
		if !ok {
			problems = append(problems, fmt.Sprintf("the experiment %q lacks %s", e.Name, requirement))
		}
	}
	_, isNamed := names.Lookup(names.GroupExperiment, e.Name)
	require(isNamed, "an entry in the table of names")
	for _, a := range e.Axes {
		_, isNamed := names.Lookup(names.GroupParameter, a.Name)
		require(isNamed, fmt.Sprintf("an entry of its axis %q in the table of names", a.Name))
	}
	require(e.ProbeFlag == "" || e.Axis(e.ProbeFlag) != nil, "the axis of its probe flag")
	return problems
}

// checkExperiment returns the problems of an experiment at several points: its blocks must have
// its columns; its estimates must have named quantities, include the headline, and agree with
// theory within their errors; its curves and gates must have the theory of the estimates. A panic
// is reported too.
func checkExperiment(t *testing.T, e *experiment.Experiment) (problems []string) {
	position := "its axes"
	report := func(format string, args ...any) {
		problems = append(problems, fmt.Sprintf("the experiment %q "+format, append([]any{e.Name}, args...)...))
	}
	defer func() {
		if cause := recover(); cause != nil {
			report("panics at %s: %v", position, cause)
		}
	}()
	sampledExperiment := e
	if e.ReadsFrom != "" {
		var err error
		if sampledExperiment, err = Lookup(e.ReadsFrom); err != nil {
			t.Fatal(err)
		}
	}
	sampled := experiment.SampledCells{Seed: 7}
	var nodes []moments.Node
	sampled.Node = func(i int) (moments.Node, error) { return nodes[i], nil }
	doc := &result.Document{}
	for i, c := range newTestCells(t, sampledExperiment) {
		position = c.ID
		if err := c.Refuse(false); err != nil {
			if i == 0 {
				report("refuses its probe cell %s: %v", c.ID, err)
			}
			continue
		}
		n := sampleBlocks(report, &c)
		if len(problems) > 0 {
			return problems
		}
		hasWindows := slices.ContainsFunc(n.Histograms,
			func(h moments.Histogram) bool { return len(h.Windows) > 0 })
		if want := sampledExperiment.Sampler.HasFineBins; hasWindows != want {
			report("has nodes with windows: %v, but HasFineBins is %v", hasWindows, want)
		}
		c.Tolerance, c.Gated = 0.01, c.Refuse(true) == nil
		if e.ReadsFrom != "" {
			c.Experiment, c.Shared = e, newProbeCell(t, e).Shared
		}
		estimates := e.Reader.Estimates(c, n).Estimates
		checkEstimates(report, e, c, estimates)
		if i == 0 && e.Sampler != nil &&
			!slices.ContainsFunc(estimates, func(r result.Estimate) bool { return r.Quantity == e.Sampler.Headline }) {
			report("has no estimate of its headline %s at %s", e.Sampler.Headline, c.ID)
		}
		sampled.Cells, nodes = append(sampled.Cells, c), append(nodes, n)
		doc.Estimates = append(doc.Estimates, estimates...)
	}
	position = "all points together"
	if e.Reader.Finish != nil {
		if err := e.Reader.Finish(sampled, doc); err != nil {
			report("cannot finish: %v", err)
		}
	}
	for _, curve := range doc.Curves {
		checkCurve(report, e, curve)
		if curve.Kind != names.CurveDrawn {
			checkCurveTheory(report, curve, doc.Estimates)
		}
	}
	for _, k := range e.Gates(sampled.Cells) {
		checkGate(report, k, doc.Estimates)
	}
	return problems
}

// conformingBudget is the cost of the samples at a point, in components, within 2 to 64 blocks.
const conformingBudget = 1 << 26

// sampleBlocks samples blocks of a cell, after setting its pilot, and reports problems of
// them.
func sampleBlocks(report func(string, ...any), c *experiment.Cell) moments.Node {
	units, cost := c.BlockUnits(), c.UnitCost()
	if units < 1 || !(cost > 0) {
		report("has blocks of %d units, each of the cost %v, at %s", units, cost, c.ID)
	}
	blocks := int64(min(max(conformingBudget/(cost*float64(units)), 2), 64))
	if c.HasPilot() {
		*c = experimenttest.WithPilot(*c, blocks*units)
	}
	n := experimenttest.SampleCell(*c, int(blocks))
	if columns := c.Experiment.Sampler.Columns(*c); len(n.Moments) != len(columns) {
		report("samples %d columns and declares %d, at %s", len(n.Moments), len(columns), c.ID)
	}
	return n
}

// maxSE is the largest accepted distance of an estimate from theory, in standard errors: the
// probability that one of 10,000 normal numbers exceeds it is 0.6 %. The seeds are fixed.
const maxSE = 5

// checkEstimates reports problems of the estimates of a cell.
func checkEstimates(report func(string, ...any), e *experiment.Experiment, c experiment.Cell,
	estimates []result.Estimate) {
	if len(estimates) == 0 {
		report("has no rows at %s", c.ID)
	}
	for _, r := range estimates {
		if _, isNamed := names.Lookup(names.GroupQuantity, r.Quantity); !isNamed {
			report("has rows of %q, which has no entry in the table of names", r.Quantity)
		}
		if r.Experiment != e.Name || r.Cell != c.ID || r.N < 1 {
			report("has a row of %s that is of the experiment %q, the cell %q and %d units", r.Quantity, r.Experiment,
				r.Cell, r.N)
		}
		if z := math.Abs(float64((r.Value - r.Theory) / r.SE)); r.Level.Present() && r.SE > 0 &&
			r.TheoryKind != names.TheoryLimit && z > maxSE {
			report("has at %s a %s %v of %v ± %v, %.1f errors from the theory %v", c.ID, r.Quantity, r.Params, r.Value,
				r.SE, z, r.Theory)
		}
	}
}

// checkCurve reports problems of a curve.
func checkCurve(report func(string, ...any), e *experiment.Experiment, curve result.Curve) {
	if _, isNamed := names.Lookup(names.GroupQuantity, curve.Quantity); !isNamed {
		report("has a line of %q, which has no entry in the table of names", curve.Quantity)
	}
	if _, isNamed := names.Lookup(names.GroupParameter, curve.Axis); !isNamed {
		report("has a line over %q, which has no entry in the table of names", curve.Axis)
	}
	if curve.Experiment != e.Name || len(curve.X) != len(curve.Y) || len(curve.X) == 0 {
		report("has a line of %s with %d and %d numbers that is of the experiment %q", curve.Quantity, len(curve.X),
			len(curve.Y), curve.Experiment)
	}
}

// checkCurveTheory reports where a curve of theory differs from the theory of an estimate on it.
func checkCurveTheory(report func(string, ...any), curve result.Curve, estimates []result.Estimate) {
	for _, r := range estimates {
		x, hasNumber := r.Params.Number(curve.Axis)
		i := slices.Index(curve.X, result.Number(x))
		if !hasNumber || i < 0 || r.Experiment != curve.Experiment || r.Quantity != curve.Quantity ||
			r.TheoryKind != curve.Kind || !isOnCurve(curve, r) {
			continue
		}
		if difference := math.Abs(float64(curve.Y[i] - r.Theory)); difference > 1e-9*math.Abs(float64(r.Theory)) {
			report("has a line of %s %v that is at %v, and not at %v as the row of %s %v", curve.Quantity, curve.Params,
				curve.Y[i], r.Theory, r.Cell, r.Params)
		}
	}
}

// isOnCurve reports whether an estimate is a point of a curve: it has the params of the curve, the
// axis, and possibly a distribution. Estimates between two cells are on no curve.
func isOnCurve(curve result.Curve, r result.Estimate) bool {
	params := maps.Clone(r.Params)
	delete(params, curve.Axis)
	if _, hasDistribution := curve.Params[names.ParamDistribution]; !hasDistribution {
		delete(params, names.ParamDistribution)
	}
	return maps.Equal(params, curve.Params) && !strings.Contains(r.Cell, "..")
}

// checkGate reports a gate without an estimate, or with another theory than its estimate.
func checkGate(report func(string, ...any), k gate.Check, estimates []result.Estimate) {
	i := slices.IndexFunc(estimates, func(r result.Estimate) bool {
		return r.Experiment == k.Experiment && r.Cell == k.Cell && r.Quantity == k.Quantity &&
			maps.Equal(r.Params, k.Params)
	})
	if i < 0 {
		report("has a gate %q on %s of %s, of which there is no row", k.Name, k.Quantity, k.Cell)
		return
	}
	want, _, _ := k.Expected(estimates[i].N)
	if difference := math.Abs(float64(estimates[i].Theory) - want); difference > 1e-9*max(1, math.Abs(want)) {
		report("has a gate %q at %s that wants %v, where the theory of the row is %v", k.Name, k.Cell, want,
			estimates[i].Theory)
	}
}

// rangePattern matches the range of an axis; the group is its lower end.
var rangePattern = regexp.MustCompile(`(-?[0-9.]+)\.\.[0-9]`)

// newTestCells returns the cells at which an experiment is checked: the probe cell, and others
// along each sampled axis.
func newTestCells(t *testing.T, e *experiment.Experiment) []experiment.Cell {
	t.Helper()
	cells := []experiment.Cell{newProbeCell(t, e)}
	for i := range e.Axes {
		a := &e.Axes[i]
		if a.Shared {
			continue
		}
		for _, text := range testValues(a) {
			c := newProbeCellWith(t, e, a.Name, text)
			if !slices.ContainsFunc(cells, func(other experiment.Cell) bool { return other.ID == c.ID }) {
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// testValues returns the defaults of an axis, and all of its names, or the lower end of its range
// and twice the value of a probe.
func testValues(a *experiment.Axis) []string {
	texts := slices.Clone(a.Default)
	if a.Names != nil {
		texts = append(texts, a.Names()...)
	}
	if match := rangePattern.FindStringSubmatch(a.Range); match != nil {
		texts = append(texts, match[1])
	}
	if probe, err := experiment.Number(a.Probe); err == nil {
		texts = append(texts, fmt.Sprint(2*probe))
	}
	return slices.DeleteFunc(texts, func(text string) bool {
		_, err := a.Parse(text)
		return err != nil // beyond its range
	})
}

// newProbeCell returns the cell at the defaults of the axes, or at the values of a probe for axes
// without defaults.
func newProbeCell(t *testing.T, e *experiment.Experiment) experiment.Cell {
	t.Helper()
	return newProbeCellWith(t, e, "", "")
}

// newProbeCellWith returns the probe cell with another value of one axis.
func newProbeCellWith(t *testing.T, e *experiment.Experiment, axis, value string) experiment.Cell {
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
			for _, problem := range checkExperiment(t, e) {
				t.Error(problem)
			}
		})
	}
}
