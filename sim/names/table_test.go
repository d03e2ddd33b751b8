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

// requiredFields holds by group the fields that an entry must have in addition to a title and a
// definition.
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

// TestConformanceEntries checks that the entries have the required fields, that names are unique in
// their group, that titles and definitions are well formed, and that source files exist.
func TestConformanceEntries(t *testing.T) {
	toWords := strings.NewReplacer("-", " ", "_", " ")
	seen := map[[2]string]bool{}
	for _, e := range names.Entries() {
		if seen[[2]string{e.Group, e.Name}] {
			t.Errorf("the %s %s has two entries", e.Group, e.Name)
		}
		seen[[2]string{e.Group, e.Name}] = true
		required, ok := requiredFields[e.Group]
		if !ok {
			t.Errorf("%s is in the unknown group %q", e.Name, e.Group)
		}
		rejectIf := func(isFault bool, fault string) {
			if isFault {
				t.Errorf("the %s %s has %s", e.Group, e.Name, fault)
			}
		}
		rejectIf(e.Title == "", "no title")
		rejectIf(strings.EqualFold(toWords.Replace(e.Title), toWords.Replace(e.Name)), "a title that repeats its name")
		rejectIf(strings.HasSuffix(e.Title, "."), "a title with a full stop")
		rejectIf(!strings.HasSuffix(e.Definition, "."), "a definition without a full stop at its end")
		first, _ := utf8.DecodeRuneInString(e.Definition)
		beginsWithTitle := e.Group == names.GroupParameter || e.Group == names.GroupInitialisation // may be a symbol
		rejectIf(!beginsWithTitle && !unicode.IsUpper(first) && !unicode.IsDigit(first),
			"a definition that does not begin with a capital or a digit")
		rejectIf(strings.Contains(e.Definition, ".."), "a definition with two full stops in a row")
		rejectIf(strings.Contains(e.Definition, "  "), "a definition with two spaces in a row")
		rejectIf(required.formula && e.Formula == "", "no formula")
		rejectIf(required.unit && e.Unit == "", "no unit")
		rejectIf(required.values && e.Range == "", "no range")
		rejectIf(required.source && e.Source == "", "no source")
		if path, ok := strings.CutPrefix(e.Source, "mcsim, "); ok {
			if _, err := os.Stat(filepath.Join("../..", path)); err != nil {
				t.Errorf("the source of the %s %s: %v", e.Group, e.Name, err)
			}
		}
	}
}

// TestQuantileEntries checks the entry of a quantile, which Lookup composes, and that no entry is
// composed for other names.
func TestQuantileEntries(t *testing.T) {
	base := names.EntryOf(names.GroupQuantity, names.RelativeTrace)
	median := names.EntryOf(names.GroupQuantity, names.Quantile(names.RelativeTrace, 0.5))
	if want := "relative_trace_q50"; median.Name != want {
		t.Errorf("the name of the median is %q, want %q", median.Name, want)
	}
	title := "median over rows of the " + base.Title
	if median.Title != title {
		t.Errorf("the title of the median is %q, want %q", median.Title, title)
	}
	if median.Range != base.Range || median.Unit != base.Unit {
		t.Errorf("the median has the range %q and the unit %q, want %q and %q", median.Range, median.Unit, base.Range,
			base.Unit)
	}
	prefix := "The " + title + ": 50 % of them have no more. Of one row it is this: How far the weights"
	if !strings.HasPrefix(median.Definition, prefix) || strings.Contains(median.Definition, " mean over rows") {
		t.Errorf("the definition of the median is %q, want it to begin with %q and not to mention a mean over rows",
			median.Definition, prefix)
	}
	if _, ok := names.Lookup(names.GroupQuantity, "relative_trace_q05"); !ok {
		t.Error("relative_trace_q05 has no entry in the group of quantities")
	}
	if _, ok := names.Lookup(names.GroupParameter, "relative_trace_q05"); ok {
		t.Error("relative_trace_q05 has an entry in the group of parameters, want none")
	}
	for _, name := range []string{
		"", "entropy_q50_q50", "score_mean_q50", "dead_share_q05", "keys_above_7_percent", "nothing_q50",
		"max_weight_q00",
	} {
		if found, ok := names.Lookup(names.GroupQuantity, name); ok {
			t.Errorf("Lookup of %q returns %+v, want none", name, found)
		}
	}
}

func TestEntryOfUnknownName(t *testing.T) {
	want := names.Entry{Group: names.GroupDistribution, Name: "cauchy", Title: "cauchy"}
	if got := names.EntryOf(names.GroupDistribution, "cauchy"); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
