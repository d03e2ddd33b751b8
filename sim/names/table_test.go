package names_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"mcsim/sim/names"
)

// requiredFields are the fields that an entry must have in addition to a title and a definition.
var requiredFields = map[string]struct{ formula, unit, values, source bool }{
	names.GroupExperiment:     {unit: true},
	names.GroupQuantity:       {unit: true, values: true, source: true},
	names.GroupParameter:      {values: true},
	names.GroupValue:          {},
	names.GroupGate:           {},
	names.GroupControl:        {source: true},
	names.GroupDistribution:   {formula: true, source: true},
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
	plain := strings.NewReplacer("-", " ", "_", " ")
	seen := map[[2]string]bool{}
	for _, e := range names.Entries() {
		if seen[[2]string{e.Group, e.Name}] {
			t.Errorf("the %s %s has two entries", e.Group, e.Name)
		}
		seen[[2]string{e.Group, e.Name}] = true
		want, ok := requiredFields[e.Group]
		if !ok {
			t.Errorf("%s is in the group %q", e.Name, e.Group)
		}
		report := func(isMissing bool, requirement string) {
			if isMissing {
				t.Errorf("the %s %s lacks %s", e.Group, e.Name, requirement)
			}
		}
		first, _ := utf8.DecodeRuneInString(e.Definition)
		report(strings.EqualFold(plain.Replace(e.Title), plain.Replace(e.Name)), "a title of other words")
		report(e.Title == "" || strings.HasSuffix(e.Title, "."), "a title without a full stop")
		report(!strings.HasSuffix(e.Definition, "."), "a definition that ends with a full stop")
		hasOwnStart := e.Group != names.GroupParameter && e.Group != names.GroupInitialisation
		report(hasOwnStart && !unicode.IsUpper(first) && !unicode.IsDigit(first),
			"a definition that begins as a sentence")
		report(strings.Contains(e.Definition, "..") || strings.Contains(e.Definition, "  "),
			"a definition without two full stops or spaces in a row")
		report(want.formula && e.Formula == "", "a formula")
		report(want.unit && e.Unit == "", "a unit")
		report(want.values && e.Range == "", "a range")
		report(want.source && e.Source == "", "a source")
		if path, ok := strings.CutPrefix(e.Source, "mcsim, "); ok {
			if _, err := os.Stat(filepath.Join("../..", path)); err != nil {
				t.Errorf("the source of the %s %s: %v", e.Group, e.Name, err)
			}
		}
	}
}

func TestComposedEntries(t *testing.T) {
	base := names.EntryOf(names.GroupQuantity, names.RelativeTrace)
	e := names.EntryOf(names.GroupQuantity, names.Quantile(names.RelativeTrace, 0.5))
	if e.Name != "relative_trace_q50" || e.Title != "median over rows of the "+base.Title ||
		e.Range != base.Range || e.Unit != base.Unit || strings.Contains(e.Definition, " mean over rows") ||
		!strings.HasPrefix(e.Definition, "The median over rows of the "+base.Title+
			": 50 % of them have no more. Of one row it is this: How far the weights") {
		t.Errorf("the median of R: %+v", e)
	}
	if _, ok := names.Lookup(names.GroupQuantity, "relative_trace_q05"); !ok {
		t.Error("a quantile has no entry")
	}
	if _, ok := names.Lookup(names.GroupParameter, "relative_trace_q05"); ok {
		t.Error("a quantile is a parameter")
	}
	for _, name := range []string{"", "entropy_q50_q50", "score_mean_q50", "dead_share_q05",
		"keys_above_7_percent", "nothing_q50", "max_weight_q00"} {
		if found, ok := names.Lookup(names.GroupQuantity, name); ok {
			t.Errorf("%q is found as %+v", name, found)
		}
	}
	want := names.Entry{Group: names.GroupDistribution, Name: "cauchy", Title: "cauchy"}
	if e := names.EntryOf(names.GroupDistribution, "cauchy"); e != want {
		t.Errorf("a name without an entry has %+v", e)
	}
}
