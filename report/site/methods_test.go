package site

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// methodsPage is the page on methods in report.md, where spaces are plain.
func methodsPage(t *testing.T, doc *result.Document) string {
	t.Helper()
	_, text, _ := strings.Cut(oneDocument(t, doc), "\n## Methods\n")
	text, _, _ = strings.Cut(text, "\n## Cite and download\n")
	return text
}

// Methods says how rows of softmax get their errors and limits wherever there are such
// rows, and counts the gates whose limits hold for any law, which are those by
// quadrature.
func TestMethodsOfRows(t *testing.T) {
	const heading = "\n### Rows of softmax\n"
	doc := sample.Document()
	byQuadrature := 0
	for _, g := range doc.Gates {
		if strings.HasSuffix(g.Name, "by quadrature") {
			byQuadrature++
		}
	}
	text := methodsPage(t, doc)
	for _, want := range []string{heading, "root mean squares", "a matrix then counts as one draw", "Hoeffding", "Woodruff", "Clopper and Pearson", "a pilot",
		fmt.Sprintf("%d of the %d gates (", byQuadrature, len(doc.Gates))} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, e := range []string{names.ExperimentSoftmax, names.ExperimentFreezing, names.ExperimentAlignment} {
		only := sample.Document()
		only.Estimates = only.Estimates[:0]
		for _, r := range sample.Document().Estimates {
			if r.Experiment == e {
				only.Estimates = append(only.Estimates, r)
			}
		}
		if !strings.Contains(methodsPage(t, only), heading) {
			t.Errorf("rows of %s are not described", e)
		}
	}
	none := dropped(names.ExperimentSoftmax, names.ExperimentFreezing, names.ExperimentAlignment)
	if text := methodsPage(t, none); strings.Contains(text, heading) || strings.Contains(text, "Hoeffding") {
		t.Error("rows are described that are not there")
	}
}

// Calibration begins with the coverage at every end: at the d_k where the intervals held
// the truth least often, and where most often.
func TestCalibrationBeginsWithTheWorst(t *testing.T) {
	doc := sample.Document()
	var worse result.Estimate
	for i := range doc.Estimates {
		if e := &doc.Estimates[i]; e.Quantity == names.Coverage && e.Params[names.ParamInterval] == "variance, exact error" {
			worse = *e
			worse.Params = maps.Clone(e.Params)
			e.Value, e.Lo, e.Hi, e.Theory = 0.952, 0.945, 0.958, 0.95
		}
	}
	worse.Params[names.ParamDimension] = 64.0
	worse.Value, worse.Lo, worse.Hi, worse.Theory = 0.9407, 0.933, 0.9478, 0.95
	doc.Estimates = append(doc.Estimates, worse)
	_, first, _ := strings.Cut(methodsPage(t, doc), "### Calibration")
	first, _, _ = strings.Cut(first, "**Table")
	for _, want := range []string{"94.1", "least often", "95.2", "less than declared"} {
		if !strings.Contains(first, want) {
			t.Errorf("lacks %q: %s", want, first)
		}
	}
	worse.Hi = 0.951
	doc.Estimates[len(doc.Estimates)-1] = worse
	if text := methodsPage(t, doc); strings.Contains(text, "less than declared") {
		t.Error("a share whose limits hold what is declared is called too small")
	}
	if strings.Contains(methodsPage(t, dropped(names.ExperimentCalibration)), "small runs, the") {
		t.Error("a coverage is said that was not counted")
	}
}
