package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// oneColumn is a table that names lines and holds nothing on them.
var oneColumn = regexp.MustCompile(`(?m)^\| [^|\n]+ \|\n\| :-- \|$`)

// A table without columns is none, as that of stacks which were not divided by √d_k.
func TestTablesHaveColumns(t *testing.T) {
	doc := sample.Without(func(e string, p result.Params) bool {
		return e == names.ExperimentDepth && p[names.ParamScale] == names.ScaleRoot
	})
	if found := oneColumn.FindString(oneDocument(t, doc)); found != "" {
		t.Errorf("a table consists of %q", found)
	}
}

// Counts agree with their nouns.
func TestCountsOfOneAndTwo(t *testing.T) {
	wrong := regexp.MustCompile(`\bAll [12] |\b1 of them is\b|\b[Tt]he 1 gates|\b1 gates\b`)
	for n, want := range map[int]string{1: "The one gate **passes**.", 2: "Both gates **pass**."} {
		doc := sample.Document()
		doc.Gates = slices.Clone(doc.Gates[:n])
		doc.Budget.Gates = n
		text := oneDocument(t, doc)
		if found := wrong.FindString(text); found != "" || !strings.Contains(text, want) {
			t.Errorf("%d gates: says %q, and %q: %v", n, found, want, strings.Contains(text, want))
		}
	}
	doc := sample.Document()
	for i, low := 0, true; i < len(doc.Estimates); i++ {
		if e := &doc.Estimates[i]; e.Quantity == names.ExactKSP {
			e.Value = 0.6
			if low {
				e.Value, low = 0.04, false
			}
		}
	}
	if text := oneDocument(t, doc); !strings.Contains(text, "One of them is below 0.05") {
		t.Error("one p-value below 0.05 is not counted in words")
	}
}

// Where a plan does not show the first figure, the one that is named for a citation is
// one that it shows.
func TestCitedFigureIsShown(t *testing.T) {
	doc := sample.Without(func(e string, _ result.Params) bool { return e != names.ExperimentDepth })
	text := said(site(t, doc, view.Run{})["cite.html"])
	shown := regexp.MustCompile(`<th scope="row"[^>]*>(\d+)\. `).FindStringSubmatch(text)
	cited := regexp.MustCompile(`Figure (\d+) from`).FindStringSubmatch(text)
	if shown == nil || cited == nil || shown[1] != cited[1] {
		t.Errorf("shown first is %q, and cited %q", shown, cited)
	}
}

// What is said of other shapes is said where there are some.
func TestOtherShapesAreNamedWhereTheyAre(t *testing.T) {
	const other = "in heads of other shapes too"
	several := sample.Document()
	for _, e := range sample.Document().Estimates {
		if e.Quantity == names.LogitSD {
			e.Params[names.ParamModel] = 2 * e.Params[names.ParamModel].(float64)
			several.Estimates = append(several.Estimates, e)
		}
	}
	if !strings.Contains(oneDocument(t, several), other) {
		t.Errorf("lacks %q", other)
	}
	doc := sample.Without(func(e string, p result.Params) bool {
		return e == names.ExperimentInit && (p[names.ParamModel] != 768.0 || p[names.ParamDimension] != 64.0)
	})
	if strings.Contains(oneDocument(t, doc), other) {
		t.Errorf("with one shape: says %q", other)
	}
}
