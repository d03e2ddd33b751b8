package site

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/report/glossary"
	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/names"
)

// Names are shown at addresses that the site has.
func TestPlacesAreThere(t *testing.T) {
	files := site(t, sample.Document(), view.Run{})
	count := 0
	for _, e := range names.All() {
		for _, address := range glossary.Addresses(e) {
			count++
			page, anchor, _ := strings.Cut(address, "#")
			if html := files[page]; html == "" || anchor != "" && !strings.Contains(html, ` id="`+anchor+`"`) {
				t.Errorf("the %s %s is shown at %s, which is not there", e.Group, e.Name, address)
			}
		}
	}
	if count < 500 {
		t.Errorf("only %d places", count)
	}
	for _, e := range names.All() {
		_, anchor, _ := strings.Cut(glossary.NamesAddress(e), "#")
		if !strings.Contains(files["names.html"], `id="`+anchor+`"`) {
			t.Errorf("names.html does not explain the %s %s at #%s", e.Group, e.Name, anchor)
		}
	}
}

// The page of names explains every flag that docs/data.md has, which a test of the commands
// holds against these.
func TestFlagsAreThere(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "data.md"))
	if err != nil {
		t.Fatal(err)
	}
	table, ok := glossary.FlagsText(string(data))
	if !ok {
		t.Fatal("docs/data.md has no table of flags")
	}
	page, count := site(t, sample.Document(), view.Run{})["names.html"], 0
	for _, m := range regexp.MustCompile("(?m)^\\| `--([^`]+)` \\| (\\w+)").FindAllStringSubmatch(table, -1) {
		count++
		_, anchor, _ := strings.Cut(glossary.FlagAddress(m[1]), "#")
		_, after, ok := strings.Cut(page, ` id="`+anchor+`"`)
		text, _, _ := strings.Cut(after, "<dt")
		if !ok || !strings.Contains(text, m[2]) {
			t.Errorf("names.html does not explain --%s at #%s: %.200s", m[1], anchor, text)
		}
	}
	if count < 60 {
		t.Errorf("only %d flags", count)
	}
}

// The committed places are those of the sample document: all of words and figures, and of
// tables those of a few quantities, since all of them take half a minute.
func TestPlacesAreThoseOfTheSample(t *testing.T) {
	p, err := newPlaces(sample.Document())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.linked(); err != nil {
		t.Fatal(err)
	}
	if err := p.drawn(); err != nil {
		t.Fatal(err)
	}
	sampled := []string{names.MaxWeight, names.ScoreVariance, names.FlatExponent}
	if err := p.told(sampled); err != nil {
		t.Fatal(err)
	}
	if len(p.found) < 100 {
		t.Errorf("only %d names", len(p.found))
	}
	made := string(glossary.PlacesText(p.sorted()))
	committed, err := os.ReadFile("../glossary/places.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(made) {
		key, addresses, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok { // it says what made it
			continue
		}
		group, name, _ := strings.Cut(key, "/")
		known := glossary.Addresses(names.Entry{Group: group, Name: name})
		if group != names.GroupQuantity || slices.Contains(sampled, name) {
			if want := strings.Fields(addresses); !slices.Equal(known, want) {
				t.Errorf("%s is shown at %q, report/glossary/places.txt has %q; make generate writes it", key, want, known)
			}
		}
	}
	for line := range strings.Lines(string(committed)) {
		key, _, ok := strings.Cut(line, "\t")
		group, name, _ := strings.Cut(key, "/")
		if _, known := names.Lookup(group, name); ok && !known {
			t.Errorf("report/glossary/places.txt has the %s %q, which is no name", group, name)
		}
	}
}

// A table shows a quantity if it reads otherwise with other numbers of it, and a figure if
// its numbers have it.
func TestWhatIsShownWhere(t *testing.T) {
	for name, want := range map[string][]string{
		names.MaxWeight:     {"softmax.html#figure-temperature", "softmax.html#table-temperatures"},
		names.FlatExponent:  {"exponents.html#table-slopes", "exponents.html#figure-slope"},
		names.SquareRoots:   {"rules.html#table-rule-operations"},
		names.PartialScore:  {"index.html#figure-walks"},
		names.ScoreSkewness: {"variance.html#table-score-skewness"},
	} {
		found := glossary.Addresses(names.Of(names.GroupQuantity, name))
		for _, address := range want {
			if !slices.Contains(found, address) {
				t.Errorf("%s is not shown at %s, but at %q", name, address, found)
			}
		}
		if slices.Contains(found, "rules.html#table-rule-operations") != (name == names.SquareRoots) {
			t.Errorf("%s is shown at %q", name, found)
		}
	}
}
