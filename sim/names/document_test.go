package names_test

import (
	"bytes"
	"encoding/csv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/attention/rule"
	"mcsim/sim/attention/weights"
	"mcsim/sim/base/distribution"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// buildReadyPlan returns the document of a ready plan with as few samples as possible.
func buildReadyPlan(t *testing.T, name string) *result.Document {
	t.Helper()
	text, err := plan.Embedded(name)
	simtest.Must(t, err)
	return buildPlan(t, string(text))
}

// wholePlan has enough samples for the quantities that describe the document as a whole.
const wholePlan = "name: whole\nexperiments:\n" +
	"  - {experiment: variance, distribution: normal, d_k: [64, 128], samples: 4096}\n"

// otherPlan has parameters that no ready plan has.
const otherPlan = "name: others\nexperiments:\n" +
	"  - {experiment: mismatch, distribution: normal, d_k: 64, k_sd: 2, q_mean: 1}\n" +
	"  - {experiment: training, variant: [plain, copying, two-layers, qk-norm, additive-scores, half-root, mup]," +
	" d_k: 16, exponent: 1/2, trained: [queries-keys, all-weights], octave: 0, steps: 10}\n" +
	"  - {experiment: training, d_k: 16, exponent: 1/2, gain: 1/4, octave: 0, steps: 10}\n" +
	"  - {experiment: training, d_k: 256, exponent: [0, 1/2, 1], octave: 0, steps: 10}\n"

// buildPlan returns the document of a plan with as few samples as possible.
func buildPlan(t *testing.T, text string) *result.Document {
	t.Helper()
	p, err := plan.Parse("plan", []byte(text))
	simtest.Must(t, err)
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.Experiment.ReadsFrom != "" {
			continue
		}
		e.Samples, e.RelativeSE, e.Rates = 1, 0, nil
		isStudentT := func(v experiment.AxisValue) bool {
			return strings.HasPrefix(v.Name, names.DistributionStudentT)
		}
		if slices.ContainsFunc(e.Values[names.ParamDistribution], isStudentT) {
			e.Gated = false // its gates need more samples
		}
	}
	s, err := schedule.New(p)
	simtest.Must(t, err)
	return simtest.BuildDocument(t, s)
}

// TestDocumentsUseNamesOfTheTable checks that every name in a document has an entry, and that every
// quantity and parameter is in the rows of one of the plans, unless its entry says that it is only
// in curves.
func TestDocumentsUseNamesOfTheTable(t *testing.T) {
	if testing.Short() {
		t.Skip("plans and draws the default plan")
	}
	quantities, params := map[string]bool{}, map[string]bool{} // in rows
	documents := []*result.Document{
		buildReadyPlan(t, "default"), buildReadyPlan(t, "controls"),
		simtest.SampleDocument(t, wholePlan), buildPlan(t, otherPlan),
	}
	for _, doc := range documents {
		requireEntry := func(group, name string) {
			if _, ok := names.Lookup(group, name); !ok {
				t.Errorf("the %s %q has no entry", group, name)
			}
		}
		requireEntries := func(p result.Params) {
			for name := range p {
				requireEntry(names.GroupParameter, name)
			}
		}
		cells := map[string]bool{}
		for _, c := range doc.Cells {
			cells[c.ID] = true
		}
		for _, r := range doc.Estimates {
			// Points of training, with * in their cell, omit what cells omit.
			isPoint := r.Experiment == names.ExperimentTraining && strings.Contains(r.Cell, "*")
			if len(names.OmittedParams(r.Experiment)) > 0 && !cells[r.Cell] && !isPoint {
				t.Errorf("%s of %s has no cell, so that nobody knows which params it omits", r.Quantity, r.Cell)
			}
			quantities[r.Quantity] = true
			requireEntry(names.GroupExperiment, r.Experiment)
			requireEntry(names.GroupQuantity, r.Quantity)
			requireEntry(names.GroupValue, r.TheoryKind)
			for _, estimator := range strings.Split(r.Estimator, "+") {
				requireEntry(names.GroupValue, estimator)
			}
			requireEntries(r.Params)
			for name := range r.Params {
				params[name] = true
			}
			e, _ := names.Lookup(names.GroupQuantity, r.Quantity)
			if e.IsFraction() && r.Value.Present() && (r.Value < -1e-9 || r.Value > 1+1e-9) {
				t.Errorf("%s of %s is %v, outside of its range", r.Quantity, r.Cell, r.Value)
			}
		}
		for _, c := range doc.Curves {
			requireEntry(names.GroupExperiment, c.Experiment)
			requireEntry(names.GroupQuantity, c.Quantity)
			requireEntry(names.GroupParameter, c.Axis)
			requireEntries(c.Params)
			if part, ok := c.Params.Text(names.ParamPart); ok {
				requireEntry(names.GroupValue, part)
			}
		}
		for _, g := range doc.Gates {
			requireEntry(names.GroupQuantity, g.Quantity)
			requireEntry(names.GroupValue, string(g.Verdict))
			requireEntry(names.GroupValue, g.Expect)
			requireEntries(g.Params)
		}
		for _, c := range doc.Cells {
			requireEntry(names.GroupValue, c.Unit)
		}
		requireColumnEntries(t, doc.Estimates)
	}
	for _, e := range names.Entries() {
		namesInRows := map[string]map[string]bool{names.GroupQuantity: quantities,
			names.GroupParameter: params}[e.Group]
		switch {
		case namesInRows == nil:
		case !namesInRows[e.Name] && !e.Lines:
			t.Errorf("the %s %s has an entry, but no row of these plans", e.Group, e.Name)
		case namesInRows[e.Name] && e.Lines:
			t.Errorf("the %s %s has rows after all", e.Group, e.Name)
		}
	}
}

func requireColumnEntries(t *testing.T, rows []result.Estimate) {
	var text bytes.Buffer
	simtest.Must(t, result.WriteCSV(&text, rows))
	columns, err := csv.NewReader(&text).Read()
	simtest.Must(t, err)
	for _, name := range columns {
		_, column := names.Lookup(names.GroupColumn, name)
		_, param := names.Lookup(names.GroupParameter, name)
		if !column && !param {
			t.Errorf("the column %s has no entry", name)
		}
	}
}

// TestConformanceTablesAgree compares the experiments, distributions, rules and initialisations of
// the code with those of the table of names, and their order.
func TestConformanceTablesAgree(t *testing.T) {
	inGroup := func(group string) string {
		var groupNames []string
		for _, e := range names.Entries() {
			if e.Group == group {
				groupNames = append(groupNames, e.Name)
			}
		}
		return strings.Join(groupNames, " ")
	}
	var experiments []string
	for _, e := range all.Table {
		experiments = append(experiments, e.Name)
		if unit := names.EntryOf(names.GroupExperiment, e.Name).Unit; unit != e.Unit {
			t.Errorf("%s counts %ss, the table has %ss", e.Name, e.Unit, unit)
		}
	}
	for _, c := range []struct {
		group string
		code  []string
	}{
		{names.GroupExperiment, experiments}, {names.GroupDistribution, distribution.Names()},
		{names.GroupRule, rule.Names()}, {names.GroupInitialisation, weights.Names()},
	} {
		// No plan has the experiments agreement and cost.
		unplanned := strings.NewReplacer(" "+names.ExperimentAgreement, "", " "+names.ExperimentCost, "")
		listed := unplanned.Replace(inGroup(c.group))
		if code := strings.Join(c.code, " "); code != listed {
			t.Errorf("%ss:\n%s\nin the table:\n%s", c.group, code, listed)
		}
	}
}

// boundsPattern matches a range of numbers, LOW..HIGH.
var boundsPattern = regexp.MustCompile(`-?[0-9][0-9.e+-]*?\.\.[0-9.e+-]*[0-9]`)

// TestConformanceRangesOfAxes compares the ranges of axes with those of the table. Some axes take
// fewer numbers: d_k in init and training, and the keys in ranks and precision.
func TestConformanceRangesOfAxes(t *testing.T) {
	for _, e := range all.Table {
		for i := range e.Axes {
			a := &e.Axes[i]
			want := boundsPattern.FindString(names.EntryOf(names.GroupParameter, a.Name).Range)
			got := boundsPattern.FindString(a.Range)
			axesWithFewerNumbers := map[string]string{
				names.ExperimentInit: names.ParamDimension, names.ExperimentTraining: names.ParamDimension,
				names.ExperimentRanks: names.ParamKeys, names.ExperimentPrecision: names.ParamKeys,
			}
			if want == got || axesWithFewerNumbers[e.Name] == a.Name {
				continue
			}
			if !sameBounds(t, want, got) {
				t.Errorf("%s: %s is in %s, the table has %s", e.Name, a.Name, got, want)
			}
		}
	}
}

func sameBounds(t *testing.T, a, b string) bool {
	read := func(text string) [2]float64 {
		low, high, _ := strings.Cut(text, "..")
		return [2]float64{parseNumber(t, low), parseNumber(t, high)}
	}
	return a != "" && b != "" && read(a) == read(b)
}

func parseNumber(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	simtest.Must(t, err)
	return x
}

// TestConformanceRangesOfDistributionsAndRules checks that rules accept the range of the table with
// its bounds, and distributions without them.
func TestConformanceRangesOfDistributionsAndRules(t *testing.T) {
	parse := func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }
	canParse := func(e names.Entry, x float64) bool {
		text := e.Name + "(" + strconv.FormatFloat(x, 'f', -1, 64) + ")"
		_, err := rule.Parse(text, parse)
		if e.Group == names.GroupDistribution {
			_, err = distribution.Parse(text, parse)
		}
		return err == nil
	}
	for _, e := range names.Entries() {
		if e.Group != names.GroupDistribution && e.Group != names.GroupRule || e.Range == "" {
			continue
		}
		low, high, _ := strings.Cut(boundsPattern.FindString(e.Range), "..")
		minimum, maximum := parseNumber(t, low), parseNumber(t, high)
		includesBounds := e.Group == names.GroupRule
		boundsDiffer := canParse(e, minimum) != includesBounds || canParse(e, maximum) != includesBounds
		canParseOutside := canParse(e, minimum-max(1, -minimum)) || canParse(e, 2*maximum)
		canParseInside := canParse(e, minimum+1) || canParse(e, maximum/2)
		if boundsDiffer || canParseOutside || !canParseInside {
			t.Errorf("the %s %s does not take what the table says, %s", e.Group, e.Name, e.Range)
		}
	}
}
