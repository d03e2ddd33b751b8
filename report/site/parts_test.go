package site

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/report/page"
	"mcsim/sim/document"
	"mcsim/sim/law"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/result"
	"mcsim/sim/run"
	"mcsim/sim/simtest"
)

// scantDefault is the document of the default plan with a few blocks of each cell in place
// of what its gates ask for. It has all rows of the document, all gates, which are set to
// pass, since with so few draws they are undecided, and intervals of the variances.
func scantDefault(t *testing.T) *result.Document {
	t.Helper()
	text, err := plan.Embedded("default")
	if err != nil {
		t.Fatal(err)
	}
	s := simtest.Scheduled(t, string(text))
	for i := range s.Works {
		w := &s.Works[i]
		blocks := int64(2)
		if w.Cell.Experiment.Name == names.ExperimentVariance && w.Cell.Law() == law.Normal {
			blocks = max(2, 1<<14*w.Blocks/w.Drawn())
		}
		w.Blocks = min(blocks, w.Blocks)
		w.End = w.Blocks
	}
	nodes := simtest.Fresh(s)
	if err := run.Draw(context.Background(), s, nodes, run.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	doc, err := document.Build(s, nodes)
	if err != nil {
		t.Fatal(err)
	}
	for i := range doc.Gates {
		doc.Gates[i].Verdict = result.Pass
	}
	doc.Budget.Verdict = result.Pass
	return doc
}

// part is the anchor of a heading, a figure or a table.
var part = regexp.MustCompile(`<(?:h[1-6]|figure)\b[^>]*\bid="([^"]*)"`)

// partsOf lists the parts of a page.
func partsOf(html string) (found []string) {
	for _, m := range part.FindAllStringSubmatch(html, -1) {
		found = append(found, m[1])
	}
	return found
}

// declaredParts reads the list of what pages must show.
func declaredParts(t *testing.T) map[string][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/parts.txt")
	if err != nil {
		t.Fatal(err)
	}
	parts, name := map[string][]string{}, ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			name = heading
		} else if line != "" && name != "" {
			parts[name] = append(parts[name], line)
		}
	}
	return parts
}

// Every heading, figure and table that the default plan is to show is there, and nothing
// that nobody declared: a section that no row fills any more is missed.
func TestPartsOfTheDefaultPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("draws some of every cell of the default plan")
	}
	declared := declaredParts(t)
	files := site(t, scantDefault(t), aRun)
	holdLeads(t, files)
	for _, p := range page.All {
		found := partsOf(files[p.Name+".html"])
		for _, id := range declared[p.Name] {
			if !slices.Contains(found, id) {
				t.Errorf("%s.html does not show %q", p.Name, id)
			}
		}
		for _, id := range found {
			if !slices.Contains(declared[p.Name], id) {
				t.Errorf("%s.html shows %q, which testdata/parts.txt does not declare", p.Name, id)
			}
		}
		if !t.Failed() && !slices.Equal(found, declared[p.Name]) {
			t.Errorf("%s.html shows its parts in another order than testdata/parts.txt: %q", p.Name, found)
		}
		delete(declared, p.Name)
	}
	for name := range declared {
		t.Errorf("testdata/parts.txt declares %q, which is no page", name)
	}
}
