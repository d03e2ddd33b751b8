package view

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/names"
)

// TestEveryEntryPrints checks that the explanation of every name has all fields of its entry, in
// lines of at most 80 columns. A line with a long last word, such as an address, may be longer.
func TestEveryEntryPrints(t *testing.T) {
	for _, e := range names.Entries() {
		var b bytes.Buffer
		m := NewMeaning(e)
		Explanations(&b, []Explanation{{Name: e.Name, Meanings: []Meaning{m}}})
		words := strings.Join(strings.Fields(b.String()), " ")
		for _, part := range []string{e.Title, e.Definition, e.Formula, e.Range, e.Source, m.Column} {
			if !strings.Contains(words, strings.Join(strings.Fields(part), " ")) {
				t.Errorf("the explanation of the %s %s lacks %q", e.Group, e.Name, part)
			}
		}
		for line := range strings.Lines(b.String()) {
			const longWord = show.Width - 30
			width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))
			lastWord := line[strings.LastIndex(strings.TrimSpace(line), " ")+1:]
			if width > show.Width && utf8.RuneCountInString(lastWord) < longWord {
				t.Errorf("the %s %s has a line of %d characters, want at most %d: %s",
					e.Group, e.Name, width, show.Width, line)
			}
		}
	}
}

// TestColumnsOfNames checks which column of estimates.csv has a name as its heading or as a value.
func TestColumnsOfNames(t *testing.T) {
	for want, e := range map[string]names.Entry{
		"quantity":     names.EntryOf(names.GroupQuantity, names.Quantile(names.MaxWeight, 0.5)),
		"d_k":          names.EntryOf(names.GroupParameter, names.ParamDimension),
		"se":           names.EntryOf(names.GroupColumn, names.ColumnSE),
		"distribution": names.EntryOf(names.GroupDistribution, names.DistributionNormal),
		"":             names.EntryOf(names.GroupQuantity, names.PartialScore),
	} {
		if column := NewMeaning(e).Column; column != want {
			t.Errorf("NewMeaning(%s) has the column %q, want %q", e.Name, column, want)
		}
	}
}

// TestFieldsOfSchemas checks that the definition of a field has the words that the table lists.
func TestFieldsOfSchemas(t *testing.T) {
	for name, want := range map[string]string{
		"results.json: budget.alpha": "chance that any gate does not pass",
		"results.json: gates[].band": "two ends", "results.json: examples[].steps[].shape": "rows",
		"results.json: claims[].conditions[].met": "met", "plan: tolerance": "how far a gated quantity may be",
		"plan: experiments[].samples":       "units of each cell",
		"file of claims: claims[].weakened": "weaker sense",
	} {
		i := slices.IndexFunc(Fields(), func(f Meaning) bool { return f.Name == name })
		if i < 0 {
			t.Errorf("there is no field %s", name)
			continue
		}
		if got := Fields()[i].Title; !strings.Contains(got, want) {
			t.Errorf("the definition of %s is %q, want one with %q", name, got, want)
		}
	}
}

// TestDataIsWhole checks that docs/data.md has every parameter and quantity, and at most maxWords
// words, so that a person can read it.
func TestDataIsWhole(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "data.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range names.Entries() {
		isListed := e.Group == names.GroupParameter || e.Group == names.GroupQuantity
		if isListed && !strings.Contains(string(text), "\n- `"+e.Name+"`: ") {
			t.Errorf("docs/data.md lacks the %s %s; make generate writes it", e.Group, e.Name)
		}
	}
	const maxWords = 6000
	if n := len(strings.Fields(string(text))); n > maxWords {
		t.Errorf("docs/data.md has %d words, want at most %d: shorten definitions in sim/names/names.txt, "+
			"or cmd/mcsim/view/data.md", n, maxWords)
	}
}
