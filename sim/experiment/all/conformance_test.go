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

// TestConformanceAxes checks that every axis is complete, that its default values and its value in
// a probe parse, and that axes and experiments are found by their names.
func TestConformanceAxes(t *testing.T) {
	for _, e := range Table {
		for i := range e.Axes {
			a := &e.Axes[i]
			checkAxis(t, e, a)
			if e.Axis(a.Name) != a {
				t.Errorf("%s: Axis(%q) returns another axis", e.Name, a.Name)
			}
		}
		if got := e.Axis("no such axis"); got != nil {
			t.Errorf("%s: Axis of an unknown name returns the axis %s, want nil", e.Name, got.Name)
		}
		if found, err := Lookup(e.Name); err != nil || found != e {
			t.Errorf("Lookup(%q) = %v, %v; want the experiment", e.Name, found, err)
		}
	}
	_, err := Lookup("varience")
	var unknown names.UnknownError
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), "did you mean variance?") {
		t.Errorf(`Lookup("varience"): got the error %v, want one that suggests variance`, err)
	}
}

// checkAxis checks an axis of an experiment by itself.
func checkAxis(t *testing.T, e *experiment.Experiment, a *experiment.Axis) {
	t.Helper()
	if a.Parse == nil {
		t.Fatalf("%s: axis %s has no Parse", e.Name, a.Name)
	}
	if a.Doc() == "" {
		t.Errorf("%s: axis %s has no documentation", e.Name, a.Name)
	}
	if strings.Contains(a.Flag(), "_") {
		t.Errorf("%s: the flag %s of axis %s contains an underscore", e.Name, a.Flag(), a.Name)
	}
	texts := slices.Clone(a.Default)
	mayOmitProbe := len(a.Default) > 0 || a.Shared || e.Name == names.ExperimentHealth
	if a.Probe != "" || !mayOmitProbe {
		texts = append(texts, a.Probe)
	}
	for _, text := range texts {
		if _, err := a.ParseAll(text); err != nil {
			t.Errorf("%s: axis %s: default %q: %v", e.Name, a.Name, text, err)
		}
	}
}

// TestConformanceExperiments checks that every experiment of the table is complete and is listed
// once, that it can sample or read its cells, and that its axes have values for a probe.
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
		isSource := func(other *experiment.Experiment) bool { return other.Name == e.ReadsFrom && other.Sampler != nil }
		if e.Sampler == nil && !slices.ContainsFunc(Table, isSource) {
			t.Errorf("%s reads the cells of %s, which has no sampler", e.Name, e.ReadsFrom)
		}
		if e.Sampler != nil && e.Probeable && e.ProbeFlag == "" {
			for i := range e.Axes {
				if a := &e.Axes[i]; a.Probe == "" && !a.Shared {
					t.Errorf("%s is run by every probe, but its axis %s has no value in a probe", e.Name, a.Name)
				}
			}
		}
	}
}

// listMissing returns a sentence for each missing part of an experiment that [experiment.New] does
// not check.
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

// checkExperiment returns the problems of an experiment at newTestCells. Its nodes must have its
// columns. Its estimates must have named quantities, include the headline, and agree with theory
// within their standard errors. Its curves and gates must have the same theory as the estimates. A
// panic is a problem too.
func checkExperiment(t *testing.T, e *experiment.Experiment) (problems []string) {
	current := "its axes" // the checked part, for the message about a panic
	report := func(format string, args ...any) {
		problems = append(problems, fmt.Sprintf("the experiment %q "+format, append([]any{e.Name}, args...)...))
	}
	defer func() {
		if cause := recover(); cause != nil {
			report("panics at %s: %v", current, cause)
		}
	}()
	sampledExperiment := e
	if e.ReadsFrom != "" {
		source, err := Lookup(e.ReadsFrom)
		if err != nil {
			t.Fatal(err)
		}
		sampledExperiment = source
	}
	sampled := experiment.SampledCells{Seed: 7}
	var nodes []moments.Node
	sampled.Node = func(i int) (moments.Node, error) { return nodes[i], nil }
	doc := &result.Document{}
	for i, c := range newTestCells(t, sampledExperiment) {
		current = c.ID
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
			report("has nodes with windows of fine bins: got %v, want %v as HasFineBins", hasWindows, want)
		}
		c.Tolerance, c.Gated = 0.01, c.Refuse(true) == nil
		if e.ReadsFrom != "" {
			c.Experiment, c.Shared = e, newProbeCell(t, e).Shared
		}
		estimates := e.Reader.Estimates(c, n).Estimates
		checkEstimates(report, e, c, estimates)
		isHeadline := func(r result.Estimate) bool { return r.Quantity == e.Sampler.Headline }
		if i == 0 && e.Sampler != nil && !slices.ContainsFunc(estimates, isHeadline) {
			report("has no estimate of its headline %s at %s", e.Sampler.Headline, c.ID)
		}
		sampled.Cells, nodes = append(sampled.Cells, c), append(nodes, n)
		doc.Estimates = append(doc.Estimates, estimates...)
	}
	current = "all cells together"
	if e.Reader.Finish != nil {
		if err := e.Reader.Finish(sampled, doc); err != nil {
			report("fails in Finish: %v", err)
		}
	}
	for _, curve := range doc.Curves {
		checkCurve(report, e, curve)
		if curve.Kind != names.CurveDrawn {
			checkCurveTheory(report, curve, doc.Estimates)
		}
	}
	for _, check := range e.Gates(sampled.Cells) {
		checkGate(report, check, doc.Estimates)
	}
	return problems
}

// sampleBudget is the cost, in sampled components, up to which sampleBlocks samples a cell.
const sampleBudget = 1 << 26

// sampleBlocks samples 2 to 64 blocks of a cell, after setting its pilot, and returns the merged
// node. It reports problems of the block and of the node.
func sampleBlocks(report func(string, ...any), c *experiment.Cell) moments.Node {
	units, cost := c.BlockUnits(), c.UnitCost()
	if units < 1 || !(cost > 0) {
		report("has blocks of %d units with the cost %v at %s; both must be positive", units, cost, c.ID)
	}
	blocks := int64(min(max(sampleBudget/(cost*float64(units)), 2), 64))
	if c.HasPilot() {
		*c = experimenttest.WithPilot(*c, blocks*units)
	}
	n := experimenttest.SampleCell(*c, int(blocks))
	if columns := c.Experiment.Sampler.Columns(*c); len(n.Moments) != len(columns) {
		report("samples nodes with %d columns at %s, but declares %d", len(n.Moments), c.ID, len(columns))
	}
	return n
}

// maxZ is the largest accepted distance of an estimate from theory, in standard errors. The
// probability that one of 10,000 normal numbers exceeds it is 0.6 %. The seeds are fixed.
const maxZ = 5

// checkEstimates reports problems of the estimates of a cell.
func checkEstimates(report func(string, ...any), e *experiment.Experiment, c experiment.Cell,
	estimates []result.Estimate) {
	if len(estimates) == 0 {
		report("has no estimates at %s", c.ID)
	}
	for _, r := range estimates {
		if _, isNamed := names.Lookup(names.GroupQuantity, r.Quantity); !isNamed {
			report("has estimates of %q, which has no entry in the table of names", r.Quantity)
		}
		if r.Experiment != e.Name || r.Cell != c.ID {
			report("has at %s an estimate of %s whose experiment is %q and whose cell is %q", c.ID, r.Quantity,
				r.Experiment, r.Cell)
		}
		if r.N < 1 {
			report("has at %s an estimate of %s from %d units", c.ID, r.Quantity, r.N)
		}
		isComparable := r.Level.Present() && r.SE > 0 && r.TheoryKind != names.TheoryLimit
		if z := math.Abs(float64((r.Value - r.Theory) / r.SE)); isComparable && z > maxZ {
			report("has at %s %s %v = %v ± %v, which is %.1f standard errors from theory, %v", c.ID, r.Quantity,
				r.Params, r.Value, r.SE, z, r.Theory)
		}
	}
}

// checkCurve reports problems of a curve.
func checkCurve(report func(string, ...any), e *experiment.Experiment, curve result.Curve) {
	if _, isNamed := names.Lookup(names.GroupQuantity, curve.Quantity); !isNamed {
		report("has a curve of %q, which has no entry in the table of names", curve.Quantity)
	}
	if _, isNamed := names.Lookup(names.GroupParameter, curve.Axis); !isNamed {
		report("has a curve over the axis %q, which has no entry in the table of names", curve.Axis)
	}
	if curve.Experiment != e.Name {
		report("has a curve of %s whose experiment is %q", curve.Quantity, curve.Experiment)
	}
	if len(curve.X) != len(curve.Y) || len(curve.X) == 0 {
		report("has a curve of %s with %d numbers x and %d numbers y", curve.Quantity, len(curve.X), len(curve.Y))
	}
}

// checkCurveTheory reports differences between a curve of theory and the theory of estimates on it.
func checkCurveTheory(report func(string, ...any), curve result.Curve, estimates []result.Estimate) {
	for _, r := range estimates {
		if !isOnCurve(curve, r) || r.TheoryKind != curve.Kind {
			continue
		}
		x, hasNumber := r.Params.Number(curve.Axis)
		i := slices.Index(curve.X, result.Number(x))
		if !hasNumber || i < 0 {
			continue
		}
		if difference := math.Abs(float64(curve.Y[i] - r.Theory)); difference > 1e-9*math.Abs(float64(r.Theory)) {
			report("has a curve of %s %v with y = %v, but the theory of the estimate of %s %v is %v", curve.Quantity,
				curve.Params, curve.Y[i], r.Cell, r.Params, r.Theory)
		}
	}
}

// isOnCurve reports whether an estimate can be a point of a curve: it has the same experiment,
// quantity and params, except the axis, and except a distribution that the curve does not have.
// Estimates between two cells, whose ids contain "..", are not on a curve.
func isOnCurve(curve result.Curve, r result.Estimate) bool {
	params := maps.Clone(r.Params)
	delete(params, curve.Axis)
	if _, hasDistribution := curve.Params[names.ParamDistribution]; !hasDistribution {
		delete(params, names.ParamDistribution)
	}
	return r.Experiment == curve.Experiment && r.Quantity == curve.Quantity && maps.Equal(params, curve.Params) &&
		!strings.Contains(r.Cell, "..")
}

// checkGate reports a gate without an estimate, or whose expected value is not the theory of the
// estimate.
func checkGate(report func(string, ...any), check gate.Check, estimates []result.Estimate) {
	i := slices.IndexFunc(estimates, func(r result.Estimate) bool {
		return r.Experiment == check.Experiment && r.Cell == check.Cell && r.Quantity == check.Quantity &&
			maps.Equal(r.Params, check.Params)
	})
	if i < 0 {
		report("has a gate %q on %s of %s, but no such estimate", check.Name, check.Quantity, check.Cell)
		return
	}
	expected, _, _ := check.Expected(estimates[i].N)
	if difference := math.Abs(float64(estimates[i].Theory) - expected); difference > 1e-9*max(1, math.Abs(expected)) {
		report("has a gate %q at %s with the expected value %v, but the theory of the estimate is %v", check.Name,
			check.Cell, expected, estimates[i].Theory)
	}
}

// rangePattern matches the range of an axis; the group is the lower end of the range.
var rangePattern = regexp.MustCompile(`(-?[0-9.]+)\.\.[0-9]`)

// newTestCells returns the cells at which an experiment is checked: the probe cell, and the cells
// that differ from it in one of the testValues of one sampled axis.
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

// testValues returns the defaults of an axis, all its names, the lower end of its range, and twice
// its value in a probe.
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
		return err != nil // for example above the range
	})
}

// newProbeCell returns the cell with the first default of each sampled axis, or with its value in a
// probe if the axis has no defaults.
func newProbeCell(t *testing.T, e *experiment.Experiment) experiment.Cell {
	t.Helper()
	return newProbeCellWith(t, e, "", "")
}

// newProbeCellWith returns the probe cell with the given value of one axis.
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

// TestConformanceSamples runs checkExperiment for every experiment.
func TestConformanceSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("samples cells of every experiment")
	}
	for _, e := range Table {
		t.Run(e.Name, func(t *testing.T) {
			for _, problem := range checkExperiment(t, e) {
				t.Error(problem)
			}
		})
	}
}
