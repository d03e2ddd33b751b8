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

// documentOf is the document of a ready plan that draws as little as it can.
func documentOf(t *testing.T, name string) *result.Document {
	t.Helper()
	text, err := plan.Embedded(name)
	simtest.Must(t, err)
	return drawn(t, string(text))
}

// whole is a plan of whose rows some are good enough to judge its document as a whole.
const whole = "name: whole\nexperiments:\n  - {experiment: variance, distribution: normal, d_k: [64, 128], samples: 4096}\n"

// others is a plan of parameters that no ready plan has.
const others = "name: others\nexperiments:\n  - {experiment: mismatch, distribution: normal, d_k: 64, k_sd: 2, q_mean: 1}\n" +
	"  - {experiment: training, variant: [plain, copying, two-layers, qk-norm, additive-scores, half-root, mup], d_k: 16, exponent: 1/2, trained: [queries-keys, all-weights], octave: 0, steps: 10}\n" +
	"  - {experiment: training, d_k: 16, exponent: 1/2, gain: 1/4, octave: 0, steps: 10}\n" +
	"  - {experiment: training, d_k: 256, exponent: [0, 1/2, 1], octave: 0, steps: 10}\n"

// drawn is the document of a plan that draws as little as it can.
func drawn(t *testing.T, text string) *result.Document {
	t.Helper()
	p, err := plan.Parse("plan", []byte(text))
	simtest.Must(t, err)
	for i := range p.Entries {
		if e := &p.Entries[i]; e.Experiment.ReadsFrom == "" {
			e.Samples, e.RelativeSE, e.Rates = 1, 0, nil
			e.Gated = e.Gated && !slices.ContainsFunc(e.Values[names.ParamDistribution], func(v experiment.AxisValue) bool {
				return strings.HasPrefix(v.Name, names.DistributionStudentT) // whose gates so few would not do for
			})
		}
	}
	s, err := schedule.New(p)
	simtest.Must(t, err)
	return simtest.BuildDocument(t, s)
}

// Whatever stands in a document has an entry, and every quantity and parameter stands in rows
// of a ready plan or of these two, but for those that are said to stand in lines alone.
func TestDocumentsSayNamesOfTheTable(t *testing.T) {
	if testing.Short() {
		t.Skip("plans and draws the default plan")
	}
	seen, params := map[string]bool{}, map[string]bool{} // in rows
	for _, doc := range []*result.Document{documentOf(t, "default"), documentOf(t, "controls"), simtest.SampleDocument(t, whole), drawn(t, others)} {
		known := func(group, name string) {
			if _, ok := names.Lookup(group, name); !ok {
				t.Errorf("the %s %q has no entry", group, name)
			}
		}
		hold := func(p result.Params) {
			for name := range p {
				known(names.GroupParameter, name)
			}
		}
		cells := map[string]bool{}
		for _, c := range doc.Cells {
			cells[c.ID] = true
		}
		for _, r := range doc.Estimates {
			if len(names.Omitted(r.Experiment)) > 0 && !cells[r.Cell] && !(r.Experiment == names.ExperimentTraining && strings.Contains(r.Cell, "*")) { // of training, points leave out what cells do
				t.Errorf("%s of %s is of no cell, so that nobody knows what its params leave out", r.Quantity, r.Cell)
			}
			seen[r.Quantity] = true
			known(names.GroupExperiment, r.Experiment)
			known(names.GroupQuantity, r.Quantity)
			known(names.GroupValue, r.TheoryKind)
			for _, estimator := range strings.Split(r.Estimator, "+") {
				known(names.GroupValue, estimator)
			}
			hold(r.Params)
			for name := range r.Params {
				params[name] = true
			}
			if e, _ := names.Lookup(names.GroupQuantity, r.Quantity); e.Fraction() && r.Value.Present() && (r.Value < -1e-9 || r.Value > 1+1e-9) {
				t.Errorf("%s of %s is %v, outside of its range", r.Quantity, r.Cell, r.Value)
			}
		}
		for _, c := range doc.Curves {
			known(names.GroupExperiment, c.Experiment)
			known(names.GroupQuantity, c.Quantity)
			known(names.GroupParameter, c.Axis)
			hold(c.Params)
			if part, ok := c.Params.Text(names.ParamPart); ok {
				known(names.GroupValue, part)
			}
		}
		for _, g := range doc.Gates {
			known(names.GroupQuantity, g.Quantity)
			known(names.GroupValue, string(g.Verdict))
			known(names.GroupValue, g.Expect)
			hold(g.Params)
		}
		for _, c := range doc.Cells {
			known(names.GroupValue, c.Unit)
		}
		columnsAreKnown(t, doc.Estimates)
	}
	for _, e := range names.Entries() {
		in := map[string]map[string]bool{names.GroupQuantity: seen, names.GroupParameter: params}[e.Group]
		switch {
		case in == nil:
		case !in[e.Name] && !e.Lines:
			t.Errorf("the %s %s has an entry, but no row of these plans", e.Group, e.Name)
		case in[e.Name] && e.Lines:
			t.Errorf("the %s %s has rows after all", e.Group, e.Name)
		}
	}
}

// columnsAreKnown wants an entry for each column of the table of estimates.
func columnsAreKnown(t *testing.T, rows []result.Estimate) {
	var text bytes.Buffer
	simtest.Must(t, result.WriteCSV(&text, rows))
	head, err := csv.NewReader(&text).Read()
	simtest.Must(t, err)
	for _, name := range head {
		_, column := names.Lookup(names.GroupColumn, name)
		_, param := names.Lookup(names.GroupParameter, name)
		if !column && !param {
			t.Errorf("the column %s has no entry", name)
		}
	}
}

// Experiments, axes, distributions, rules and initialisations are those of the table, and in
// its order.
func TestConformanceTablesAgree(t *testing.T) {
	inGroup := func(group string) string {
		var all []string
		for _, e := range names.Entries() {
			if e.Group == group {
				all = append(all, e.Name)
			}
		}
		return strings.Join(all, " ")
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
		listed := strings.NewReplacer(" "+names.ExperimentAgreement, "", " "+names.ExperimentCost, "").Replace(inGroup(c.group)) // which no plan has
		if code := strings.Join(c.code, " "); code != listed {
			t.Errorf("%ss:\n%s\nin the table:\n%s", c.group, code, listed)
		}
	}
}

// bounds is a range of numbers at the end or the beginning of a text.
var bounds = regexp.MustCompile(`-?[0-9][0-9.e+-]*?\.\.[0-9.e+-]*[0-9]`)

// An axis takes the numbers that the table says, where it has a range; d_k of a head at
// initialisation or in training, and the keys that ranks tells apart or precision adds up alone
// take fewer.
func TestConformanceRangesOfAxes(t *testing.T) {
	for _, e := range all.Table {
		for i := range e.Axes {
			a := &e.Axes[i]
			want, found := bounds.FindString(names.EntryOf(names.GroupParameter, a.Name).Range), bounds.FindString(a.Range)
			fewer := map[string]string{names.ExperimentInit: names.ParamDimension, names.ExperimentRanks: names.ParamKeys, names.ExperimentPrecision: names.ParamKeys,
				names.ExperimentTraining: names.ParamDimension}
			if want == found || fewer[e.Name] == a.Name {
				continue
			}
			if !sameBounds(t, want, found) {
				t.Errorf("%s: %s is in %s, the table has %s", e.Name, a.Name, found, want)
			}
		}
	}
}

func sameBounds(t *testing.T, a, b string) bool {
	read := func(text string) [2]float64 {
		low, high, _ := strings.Cut(text, "..")
		return [2]float64{numberOf(t, low), numberOf(t, high)}
	}
	return a != "" && b != "" && read(a) == read(b)
}

func numberOf(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	simtest.Must(t, err)
	return x
}

// Rules take parameters within the range of the table, distributions within it but for its
// ends.
func TestConformanceRangesOfDistributionsAndRules(t *testing.T) {
	number := func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }
	takes := func(e names.Entry, x float64) bool {
		text := e.Name + "(" + strconv.FormatFloat(x, 'f', -1, 64) + ")"
		_, err := rule.Parse(text, number)
		if e.Group == names.GroupDistribution {
			_, err = distribution.Parse(text, number)
		}
		return err == nil
	}
	for _, e := range names.Entries() {
		if e.Group != names.GroupDistribution && e.Group != names.GroupRule || e.Range == "" {
			continue
		}
		low, high, _ := strings.Cut(bounds.FindString(e.Range), "..")
		from, to := numberOf(t, low), numberOf(t, high)
		ends := e.Group == names.GroupRule
		if takes(e, from) != ends || takes(e, to) != ends || takes(e, from-max(1, -from)) || takes(e, 2*to) || !takes(e, from+1) && !takes(e, to/2) {
			t.Errorf("the %s %s does not take what the table says, %s", e.Group, e.Name, e.Range)
		}
	}
}
