package show

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"mcsim/sim/names"
)

// Every name is explained within 80 columns, with all that the table says of it.
func TestEveryEntryPrints(t *testing.T) {
	for _, e := range names.All() {
		var b bytes.Buffer
		x := NewExplained(e)
		if err := Explanations(&b, []Explanation{{Name: e.Name, Entries: []Explained{x}}}); err != nil {
			t.Fatal(err)
		}
		words := strings.Join(strings.Fields(b.String()), " ")
		for _, part := range append([]string{e.Title, e.Definition, e.Formula, e.Range, e.Source, x.Link}, x.Files...) {
			if !strings.Contains(words, strings.Join(strings.Fields(part), " ")) {
				t.Errorf("the %s %s does not say %q", e.Group, e.Name, part)
			}
		}
		for line := range strings.Lines(b.String()) {
			last := line[strings.LastIndex(strings.TrimSpace(line), " ")+1:]
			if utf8.RuneCountInString(line) > lineWidth+1 && utf8.RuneCountInString(last) < lineWidth-30 {
				t.Errorf("the %s %s has a line of %d characters: %s", e.Group, e.Name, utf8.RuneCountInString(line), line)
			}
		}
	}
}

// A name stands in the files that have it, and in no others.
func TestFilesOfNames(t *testing.T) {
	for _, c := range []struct {
		group, name string
		has, lacks  []string
	}{
		{names.GroupQuantity, names.ScoreVariance, []string{"estimates.csv: value of the column quantity", "inspect --json: scores.score_variance"}, []string{"results.json: curves[]"}},
		{names.GroupQuantity, names.PartialScore, []string{"results.json: curves[]"}, []string{"estimates.csv: value of the column quantity"}},
		{names.GroupQuantity, names.Quantile(names.MaxWeight, 0.5), []string{"inspect --json: scale.max_weight_q50"}, nil},
		{names.GroupQuantity, names.KeysAbove(7), nil, []string{"estimates.csv: value of the column quantity"}},
		{names.GroupParameter, names.ParamDimension, []string{"estimates.csv: column", "cost --json: d_k"}, nil},
		{names.GroupParameter, names.ParamPairs, []string{"plan: key of entries of calibration"}, []string{"inspect --json: scores.pairs"}},
		{names.GroupField, names.ParamPairs, []string{"inspect --json: scores.pairs"}, []string{"estimates.csv: column"}},
		{names.GroupField, names.ParamGate, []string{"plan: key of entries", "verify --json: controls[].gate"}, nil},
		{names.GroupColumn, names.ColumnSE, []string{"estimates.csv: column", "results.json: gates[].se"}, nil},
		{names.GroupColumn, names.ColumnNormalError, []string{"results.json: gates[].normal_error"}, []string{"estimates.csv: column"}},
		{names.GroupTerm, names.TermTolerance, []string{"plan: key at the top", "plan: key of entries"}, nil},
		{names.GroupLaw, names.LawNormal, []string{"estimates.csv: value of the column law"}, nil},
		{names.GroupTerm, names.TermExperiment, nil, []string{"results.json: gates[].experiment"}},
	} {
		found := NewExplained(names.Of(c.group, c.name)).Files
		for _, place := range c.has {
			if !slices.Contains(found, place) {
				t.Errorf("the %s %s is not in %q: %q", c.group, c.name, place, found)
			}
		}
		for _, place := range c.lacks {
			if slices.Contains(found, place) {
				t.Errorf("the %s %s is in %q", c.group, c.name, place)
			}
		}
	}
}

// A word that is wider than a line stands by itself, and an error of the writer is kept.
func TestParagraphs(t *testing.T) {
	var b bytes.Buffer
	p := paragraphs{w: &b}
	wide := strings.Repeat("x", 90)
	p.hanging("  a ", 4, strings.Repeat("word ", 20)+wide+" end")
	want := "  a" + strings.Repeat(" word", 15) + "\n    word word word word word\n    " + wide + "\n    end\n"
	if b.String() != want || p.err != nil {
		t.Errorf("%q, want %q", b.String(), want)
	}
	file, err := os.Open(os.DevNull) // which cannot be written to
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := KnownNames(io.Writer(file), nil, nil); err == nil {
		t.Error("nobody says that nothing was written")
	}
}

// The committed document has every name of every group.
func TestDataHasEveryName(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "data.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range names.All() {
		if !strings.Contains(string(text), "\n- `"+e.Name+"`: ") {
			t.Errorf("docs/data.md lacks the %s %s; make generate writes it", e.Group, e.Name)
		}
	}
}
