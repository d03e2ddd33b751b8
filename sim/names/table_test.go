package names_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"mcsim/sim/names"
	"mcsim/sim/names/formats"
)

// wants says what an entry of each group must have beside a title and a definition.
var wants = map[string]struct{ formula, unit, values, source bool }{
	names.GroupExperiment:     {unit: true},
	names.GroupQuantity:       {unit: true, values: true, source: true},
	names.GroupParameter:      {values: true},
	names.GroupValue:          {},
	names.GroupGate:           {},
	names.GroupControl:        {source: true},
	names.GroupLaw:            {formula: true, source: true},
	names.GroupRule:           {formula: true, source: true},
	names.GroupInitialisation: {formula: true, source: true},
	names.GroupLabel:          {values: true, source: true},
	names.GroupColumn:         {},
	names.GroupTerm:           {},
	names.GroupExample:        {},
	names.GroupStep:           {},
	names.GroupClaim:          {},
}

func TestConformanceEntries(t *testing.T) {
	for _, e := range names.All() {
		want, ok := wants[e.Group]
		if !ok {
			t.Errorf("%s is in the group %q", e.Name, e.Group)
		}
		lacks := func(missing bool, what string) {
			if missing {
				t.Errorf("the %s %s lacks %s", e.Group, e.Name, what)
			}
		}
		first, _ := utf8.DecodeRuneInString(e.Definition)
		lacks(e.Title == "" || strings.HasSuffix(e.Title, "."), "a title without a full stop")
		lacks(!strings.HasSuffix(e.Definition, "."), "a definition that ends with a full stop")
		lacks(!unicode.IsUpper(first) && !unicode.IsDigit(first) && e.Group != names.GroupParameter && e.Group != names.GroupInitialisation, "a definition that begins as a sentence")
		lacks(strings.Contains(e.Definition, "..") || strings.Contains(e.Definition, "  "), "a definition without slips")
		lacks(want.formula && e.Formula == "", "a formula")
		lacks(want.unit && e.Unit == "", "a unit")
		lacks(want.values && e.Range == "", "a range")
		lacks(want.source && e.Source == "", "a source")
		if place, ok := strings.CutPrefix(e.Source, "mcsim, "); ok {
			if _, err := os.Stat(filepath.Join(root, place)); err != nil {
				t.Errorf("the source of the %s %s: %v", e.Group, e.Name, err)
			}
		}
	}
}

// A title says what something is in other words than its name.
func TestConformanceTitles(t *testing.T) {
	plain := strings.NewReplacer("-", " ", "_", " ")
	for _, e := range names.All() {
		if strings.EqualFold(plain.Replace(e.Title), plain.Replace(e.Name)) {
			t.Errorf("the title of the %s %s is its name", e.Group, e.Name)
		}
	}
}

func TestConformanceEntriesAreUnique(t *testing.T) {
	seen := map[[2]string]bool{}
	for _, e := range names.All() {
		if seen[[2]string{e.Group, e.Name}] {
			t.Errorf("the %s %s has two entries", e.Group, e.Name)
		}
		seen[[2]string{e.Group, e.Name}] = true
		if got, ok := names.Lookup(e.Group, e.Name); !ok || got.Definition != e.Definition {
			t.Errorf("the %s %s is looked up as %+v", e.Group, e.Name, got)
		}
	}
}

// groupOf is the group of a constant, by its own name; empty for what is no name.
func groupOf(constant string) string {
	for prefix, group := range map[string]string{
		"Experiment": names.GroupExperiment, "Param": names.GroupParameter, "Law": names.GroupLaw, "Rule": names.GroupRule,
		"Init": names.GroupInitialisation, "Label": names.GroupLabel, "Column": names.GroupColumn, "Group": "", "Alias": "", "Compared": names.GroupValue, "Draws": names.GroupValue, "Basis": names.GroupValue,
		"Estimator": names.GroupValue, "Temperature": names.GroupValue, "Theory": names.GroupValue, "Limit": names.GroupValue,
		"Per": names.GroupValue, "Edge": names.GroupValue, "Expect": names.GroupValue, "Verdict": names.GroupValue,
		"Part": names.GroupValue, "Unit": names.GroupValue, "Curve": names.GroupValue, "Gate": names.GroupGate, "Control": names.GroupControl, "Test": names.GroupValue, "Covered": names.GroupValue, "Variant": names.GroupValue, "Optimiser": names.GroupValue, "Trained": names.GroupValue, "Chosen": names.GroupValue,
		"Term": names.GroupTerm, "Example": names.GroupExample, "Step": names.GroupStep, "Printed": names.GroupValue, "Source": names.GroupValue,
	} {
		rest, ok := strings.CutPrefix(constant, prefix)
		if next, _ := utf8.DecodeRuneInString(rest); ok && (unicode.IsUpper(next) || unicode.IsDigit(next)) && constant != "UnitExponent" {
			return group
		}
	}
	switch constant {
	case "Yes", "No", "ScaleRoot", "ScaleUnscaled":
		return names.GroupValue
	}
	return names.GroupQuantity
}

// Every constant has an entry, and every entry that is not composed a constant.
func TestConformanceConstants(t *testing.T) {
	said, ofLedgers := map[[2]string]bool{}, false
	own, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range formats.Values { // their constants stand beside them
		said[[2]string{names.GroupValue, l.Name}] = true
	}
	inspect := func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !spec.Names[0].IsExported() {
			return true
		}
		l, ok := spec.Values[0].(*ast.BasicLit)
		group := groupOf(spec.Names[0].Name)
		if !ok || group == "" || l.Kind != token.STRING { // a number is the bound of a label
			return true
		}
		name, err := strconv.Unquote(l.Value)
		if err != nil {
			t.Fatal(err)
		}
		if ofLedgers {
			group = names.GroupClaim
		}
		if strings.HasPrefix(spec.Names[0].Name, "Key") && ofLedgers { // which the schema of ledgers explains
			return true
		}
		said[[2]string{group, name}] = true
		if _, ok := names.Lookup(group, name); !ok {
			t.Errorf("%s: there is no %s %q in the table", spec.Names[0].Name, group, name)
		}
		return true
	}
	ledgers, err := filepath.Glob("ledger/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(own, ledgers...) {
		ofLedgers = strings.HasPrefix(file, "ledger")
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, inspect)
	}
	for _, e := range names.All() {
		composed := strings.HasSuffix(e.Name, "_share") || strings.HasSuffix(e.Name, "_percent")
		if !said[[2]string{e.Group, e.Name}] && !composed {
			t.Errorf("the %s %q has no constant", e.Group, e.Name)
		}
	}
}

// A quantile has the entry of its quantity, but of one row.
func TestComposedEntries(t *testing.T) {
	base := names.Of(names.GroupQuantity, names.GradientSurvival)
	e := names.Of(names.GroupQuantity, names.Quantile(names.GradientSurvival, 0.5))
	if e.Name != "gradient_survival_q50" || e.Title != "median over rows of the "+base.Title || e.Range != base.Range || e.Unit != base.Unit ||
		!strings.HasPrefix(e.Definition, "The median over rows of the "+base.Title+": 50 % of them have no more. Of one row it is this: What softmax lets through") ||
		strings.Contains(e.Definition, " mean over rows") {
		t.Errorf("the median of R: %+v", e)
	}
	if e := names.Of(names.GroupQuantity, names.KeysAbove(7)); e.Formula != "E #{α > 0.07}" || e.Unit != "key" {
		t.Errorf("keys above 7 %%: %+v", e)
	}
	if e := names.Of(names.GroupQuantity, names.MaxWeightAbove(50)); !e.Fraction() {
		t.Errorf("rows with a weight above 50 %%: %+v", e)
	}
	if _, ok := names.Lookup(names.GroupQuantity, "gradient_survival_q05"); !ok {
		t.Error("a quantile has no entry")
	}
	if _, ok := names.Lookup(names.GroupParameter, "gradient_survival_q05"); ok {
		t.Error("a quantile is a parameter")
	}
	for _, name := range []string{"", "entropy_q50_q50", "score_mean_q50", "healthy_share_q05", "keys_above_0_percent", "nothing_q50", "max_weight_q00"} {
		if found, ok := names.Lookup(names.GroupQuantity, name); ok {
			t.Errorf("%q is found as %+v", name, found)
		}
	}
	if e := names.Of(names.GroupLaw, "cauchy"); e != (names.Entry{Group: names.GroupLaw, Name: "cauchy", Title: "cauchy"}) {
		t.Errorf("a name without an entry has %+v", e)
	}
}
