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

// buildReadyPlan returns the document of an embedded plan with as few samples as possible.
func buildReadyPlan(t *testing.T, name string) *result.Document {
	t.Helper()
	text, err := plan.Embedded(name)
	simtest.Must(t, err)
	return buildPlan(t, string(text))
}

// wholePlan has enough samples for the quantities of the whole document, such as
// z_largest_estimate.
const wholePlan = "name: whole\nexperiments:\n" +
	"  - {experiment: variance, distribution: normal, d_k: [64, 128], samples: 4096}\n"

// otherPlan has parameters that no embedded plan has.
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
// quantity and parameter of the table is in the estimates of one of the plans, unless its entry
// says that it is only in curves (Lines).
func TestDocumentsUseNamesOfTheTable(t *testing.T) {
	if testing.Short() {
		t.Skip("samples the default plan")
	}
	quantities, params := map[string]bool{}, map[string]bool{} // names in estimates
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
			// Estimates that combine cells of training have * in their cell. They omit the same
			// parameters as cells.
			isCombined := r.Experiment == names.ExperimentTraining && strings.Contains(r.Cell, "*")
			if len(names.OmittedParams(r.Experiment)) > 0 && !cells[r.Cell] && !isCombined {
				t.Errorf("%s of %s may omit parameters, but the document does not have the cell", r.Quantity, r.Cell)
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
				t.Errorf("%s of %s is %v, want a number from 0 to 1", r.Quantity, r.Cell, r.Value)
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
		var isUsed bool
		switch e.Group {
		case names.GroupQuantity:
			isUsed = quantities[e.Name]
		case names.GroupParameter:
			isUsed = params[e.Name]
		default:
			continue
		}
		if !isUsed && !e.Lines {
			t.Errorf("the %s %s has an entry but is not in the estimates of these plans", e.Group, e.Name)
		}
		if isUsed && e.Lines {
			t.Errorf("the entry of the %s %s says that it is only in curves, but it is in estimates", e.Group, e.Name)
		}
	}
}

// requireColumnEntries checks that every column of estimates.csv has an entry.
func requireColumnEntries(t *testing.T, estimates []result.Estimate) {
	t.Helper()
	var text bytes.Buffer
	simtest.Must(t, result.WriteCSV(&text, estimates))
	columns, err := csv.NewReader(&text).Read()
	simtest.Must(t, err)
	for _, name := range columns {
		_, isColumn := names.Lookup(names.GroupColumn, name)
		_, isParameter := names.Lookup(names.GroupParameter, name)
		if !isColumn && !isParameter {
			t.Errorf("the column %s has no entry", name)
		}
	}
}

// TestConformanceTablesAgree checks that the code has the experiments, distributions, rules and
// initialisations of the table of names, in the same order, and the units of the experiments.
func TestConformanceTablesAgree(t *testing.T) {
	var experiments []string
	for _, e := range all.Table {
		experiments = append(experiments, e.Name)
		if unit := names.EntryOf(names.GroupExperiment, e.Name).Unit; unit != e.Unit {
			t.Errorf("the unit of %s is %q in the code, want %q as in the table", e.Name, e.Unit, unit)
		}
	}
	for _, c := range []struct {
		group string
		code  []string
	}{
		{names.GroupExperiment, experiments}, {names.GroupDistribution, distribution.Names()},
		{names.GroupRule, rule.Names()}, {names.GroupInitialisation, weights.Names()},
	} {
		want := slices.DeleteFunc(names.NamesIn(c.group), func(name string) bool {
			// No plan can have the experiments agreement and cost.
			return c.group == names.GroupExperiment &&
				(name == names.ExperimentAgreement || name == names.ExperimentCost)
		})
		if !slices.Equal(c.code, want) {
			t.Errorf("%ss of the code:\n%s\nwant those of the table:\n%s", c.group, c.code, want)
		}
	}
}

// boundsPattern matches a range of numbers, LOW..HIGH.
var boundsPattern = regexp.MustCompile(`-?[0-9][0-9.e+-]*?\.\.[0-9.e+-]*[0-9]`)

// TestConformanceRangesOfAxes compares the ranges of axes with the ranges in the table. Some axes
// have a smaller range: d_k in init and training, and the keys in ranks and precision.
func TestConformanceRangesOfAxes(t *testing.T) {
	smallerAxisOf := map[string]string{ // by experiment
		names.ExperimentInit: names.ParamDimension, names.ExperimentTraining: names.ParamDimension,
		names.ExperimentRanks: names.ParamKeys, names.ExperimentPrecision: names.ParamKeys,
	}
	for _, e := range all.Table {
		for i := range e.Axes {
			a := &e.Axes[i]
			want := boundsPattern.FindString(names.EntryOf(names.GroupParameter, a.Name).Range)
			got := boundsPattern.FindString(a.Range)
			if want == got || smallerAxisOf[e.Name] == a.Name {
				continue
			}
			if !haveEqualBounds(t, want, got) {
				t.Errorf("%s: the range of %s is %q, want %q as in the table", e.Name, a.Name, got, want)
			}
		}
	}
}

// haveEqualBounds reports whether the texts a and b, LOW..HIGH, have equal numbers.
func haveEqualBounds(t *testing.T, a, b string) bool {
	t.Helper()
	parse := func(text string) [2]float64 {
		low, high, _ := strings.Cut(text, "..")
		return [2]float64{parseNumber(t, low), parseNumber(t, high)}
	}
	return a != "" && b != "" && parse(a) == parse(b)
}

func parseNumber(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	simtest.Must(t, err)
	return x
}

// TestConformanceRangesOfDistributionsAndRules checks that rules and distributions accept the
// parameters in the range of the table and no others. The bounds of the range belong to it for
// rules and not for distributions.
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
		hasParameter := e.Range != ""
		isOneOfThese := e.Group == names.GroupDistribution || e.Group == names.GroupRule
		if !isOneOfThese || !hasParameter {
			continue
		}
		low, high, _ := strings.Cut(boundsPattern.FindString(e.Range), "..")
		minimum, maximum := parseNumber(t, low), parseNumber(t, high)
		check := func(x float64, want bool) {
			if got := canParse(e, x); got != want {
				t.Errorf("the %s %s with the range %s accepts %v: %v, want %v", e.Group, e.Name, e.Range, x, got, want)
			}
		}
		includesBounds := e.Group == names.GroupRule
		check(minimum, includesBounds)
		check(maximum, includesBounds)
		check(minimum-max(1, -minimum), false)
		check(2*maximum, false)
		if !canParse(e, minimum+1) && !canParse(e, maximum/2) { // one of them is inside of the range
			t.Errorf("the %s %s accepts no number inside of its range %s", e.Group, e.Name, e.Range)
		}
	}
}
