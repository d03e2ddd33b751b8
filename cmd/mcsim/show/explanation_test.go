package show

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"mcsim/sim/names"
)

// TestEveryEntryPrints checks that every name is explained within 80 columns, with all fields of
// its entry.
func TestEveryEntryPrints(t *testing.T) {
	for _, e := range names.Entries() {
		var b bytes.Buffer
		x := NewMeaning(e)
		Explanations(&b, []Explanation{{Name: e.Name, Meanings: []Meaning{x}}})
		words := strings.Join(strings.Fields(b.String()), " ")
		for _, part := range []string{e.Title, e.Definition, e.Formula, e.Range, e.Source, x.Column} {
			if !strings.Contains(words, strings.Join(strings.Fields(part), " ")) {
				t.Errorf("the %s %s does not say %q", e.Group, e.Name, part)
			}
		}
		for line := range strings.Lines(b.String()) {
			last := line[strings.LastIndex(strings.TrimSpace(line), " ")+1:]
			if utf8.RuneCountInString(line) > Width+1 && utf8.RuneCountInString(last) < Width-30 {
				t.Errorf("the %s %s has a line of %d characters: %s", e.Group, e.Name,
					utf8.RuneCountInString(line), line)
			}
		}
	}
}

// TestColumnsOfNames checks the column of estimates.csv that a name belongs to.
func TestColumnsOfNames(t *testing.T) {
	for want, e := range map[string]names.Entry{
		"quantity":     names.EntryOf(names.GroupQuantity, names.Quantile(names.MaxWeight, 0.5)),
		"d_k":          names.EntryOf(names.GroupParameter, names.ParamDimension),
		"se":           names.EntryOf(names.GroupColumn, names.ColumnSE),
		"distribution": names.EntryOf(names.GroupDistribution, names.DistributionNormal),
		"":             names.EntryOf(names.GroupQuantity, names.PartialScore),
	} {
		if column := NewMeaning(e).Column; column != want {
			t.Errorf("%s is in the column %q, want %q", e.Name, column, want)
		}
	}
}

// TestFieldsOfSchemas checks the definitions of fields and keys in the schemas.
func TestFieldsOfSchemas(t *testing.T) {
	for name, want := range map[string]string{
		"results.json: budget.alpha": "chance that any gate does not pass",
		"results.json: gates[].band": "two ends", "results.json: examples[].steps[].shape": "rows",
		"results.json: claims[].conditions[].met": "met", "plan: tolerance": "how far a gated quantity may be",
		"plan: experiments[].samples":       "units of each cell",
		"file of claims: claims[].weakened": "weaker sense",
	} {
		i := slices.IndexFunc(Fields(), func(f Meaning) bool { return f.Name == name })
		if i < 0 || !strings.Contains(Fields()[i].Title, want) {
			t.Errorf("%s is not explained by %q", name, want)
		}
	}
}

// TestDataIsWhole checks that docs/data.md has every parameter and quantity, and is short enough
// to read.
func TestDataIsWhole(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "data.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range names.Entries() {
		if (e.Group == names.GroupParameter || e.Group == names.GroupQuantity) &&
			!strings.Contains(string(text), "\n- `"+e.Name+"`: ") {
			t.Errorf("docs/data.md lacks the %s %s; make generate writes it", e.Group, e.Name)
		}
	}
	if n := len(strings.Fields(string(text))); n > 6000 {
		t.Errorf("docs/data.md has %d words, and may have 6000: shorten definitions in sim/names/names.txt, "+
			"or cmd/mcsim/show/data.md", n)
	}
}
