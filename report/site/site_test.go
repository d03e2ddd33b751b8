package site

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"mcsim/report/chart"
	"mcsim/report/essay"
	"mcsim/report/internal/sample"
	"mcsim/report/page"
	"mcsim/sim/attention/example"
	"mcsim/sim/claim"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/run"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

var siteRun = page.Run{
	Version: "v0.0.0-test", Revision: "0123abcd", Go: "go1.26", Host: "a-host",
	Date: time.Date(2030, 2, 3, 4, 5, 6, 0, time.UTC), WallTime: 12340 * time.Millisecond,
}

// renderPages returns the files of a site without its figures, by their names.
func renderPages(t *testing.T, doc *result.Document, run page.Run) map[string]string {
	t.Helper()
	files, _, err := textFiles(page.NewSource(doc, run, figureFileNames(t, doc)), newFigures(doc),
		Options{Lab: fstest.MapFS{}})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range files {
		texts[f.Name] = string(f.Data)
	}
	return texts
}

// fullDocument returns a document with all estimates of the essay, worked examples and claims.
func fullDocument() *result.Document {
	doc := sample.Essay()
	doc.Examples = example.NewExamples()
	doc.Claims = claim.Judge(claim.Embedded(), doc.Estimates)
	return doc
}

// removeTermLinks removes the links of terms from a page, so that sentences are not interrupted by
// tags.
func removeTermLinks(html string) string {
	return regexp.MustCompile(`<a class="term" href="[^"]*">(.*?)</a>`).ReplaceAllString(html, "$1")
}

// figureFileNames returns the set of the names of the figures' files, without drawing them.
func figureFileNames(t *testing.T, doc *result.Document) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, c := range chart.All {
		shown := c.NewFigure(doc).HasData()
		for _, f := range figureForms {
			names["figures/"+c.Name+f.suffix] = shown
		}
	}
	return names
}

// These variables are caches of siteWithFigures and sitePages.
var cachedSite, cachedPages map[string]string

// sitePages returns a copy of the site of fullDocument and siteRun without figures.
func sitePages(t *testing.T) map[string]string {
	t.Helper()
	if cachedPages == nil {
		cachedPages = renderPages(t, fullDocument(), siteRun)
	}
	return maps.Clone(cachedPages)
}

// siteWithFigures returns a copy of the site of fullDocument and siteRun with figures.
func siteWithFigures(t *testing.T) map[string]string {
	t.Helper()
	if cachedSite == nil {
		cachedSite = renderWithFigures(t, fullDocument(), siteRun)
	}
	return maps.Clone(cachedSite)
}

// renderWithFigures returns the files of a site with its figures, by their names.
func renderWithFigures(t *testing.T, doc *result.Document, run page.Run) map[string]string {
	t.Helper()
	texts := renderPages(t, doc, run)
	files, err := drawFigures(newFigures(doc))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		texts[f.Name] = string(f.Data)
	}
	return texts
}

// TestSameBytes checks that all files have the same bytes each time, and only the record depends
// on facts about the run.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a whole site")
	}
	files, ofOtherRun := siteWithFigures(t), renderPages(t, fullDocument(), page.Run{Host: "another-host"})
	for name, data := range renderWithFigures(t, fullDocument(), siteRun) {
		if files[name] != data {
			t.Errorf("%s differs from one rendering to the next", name)
		}
	}
	for name, data := range files {
		if name == "record.html" {
			for _, want := range []string{"a-host", "2030-02-03 04:05 UTC", "12.34 s"} {
				if !strings.Contains(data, want) {
					t.Errorf("%s does not have %s", name, want)
				}
			}
			continue
		}
		if !strings.HasPrefix(name, "figures/") && ofOtherRun[name] != data {
			t.Errorf("%s depends on the run", name)
		}
	}
}

// TestRecordHasVerdict checks that the record has the verdicts of the gates, and lists those that
// do not pass with the sample sizes that would decide them.
func TestRecordHasVerdict(t *testing.T) {
	doc := sample.Document()
	allPass := regexp.MustCompile(`All \d+ gates <strong>pass</strong>`)
	if !allPass.MatchString(removeTermLinks(renderPages(t, doc, siteRun)["index.html"])) {
		t.Error("the record does not say that all gates pass")
	}
	sample.SetVerdict(doc, 3, result.Fail)
	sample.SetVerdict(doc, 30, result.Undecided)
	got := removeTermLinks(renderPages(t, doc, siteRun)["index.html"])
	for _, want := range []string{
		"Not all gates pass", "<strong>1 fails</strong>", "<strong>1 is undecided</strong>", "40\u202f000\u202f000",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the record does not have %q", want)
		}
	}
	doc.Gates[3].Verdict, doc.Gates[30].Verdict = result.Pass, result.Pass
	if got := removeTermLinks(renderPages(t, doc, siteRun)["index.html"]); !strings.Contains(got,
		"marked <strong>undecided</strong>") {
		t.Error("the record does not have the verdict of the document")
	}
}

// TestRecordOfAnyPlan checks that the site of a document without all estimates of the essay is
// only the record, also if the document has few estimates or none. The record has a section for
// each experiment of the document.
func TestRecordOfAnyPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a site for each experiment")
	}
	complete := sample.Document()
	oneExperiment := func(experiment string) *result.Document {
		doc := *complete
		doc.Estimates = slices.DeleteFunc(slices.Clone(complete.Estimates), func(e result.Estimate) bool {
			return e.Experiment != experiment
		})
		doc.Gates = slices.DeleteFunc(slices.Clone(complete.Gates), func(g result.Gate) bool {
			return g.Experiment != experiment
		})
		return &doc
	}
	missingValue := regexp.MustCompile(`&lt;no value|NaN|&lt;nil`)
	docs := map[string]*result.Document{"": {}, "softmax": sample.OneDistribution("laplace", 1)}
	for _, e := range complete.Estimates {
		docs[e.Experiment] = oneExperiment(e.Experiment)
	}
	docs["mismatch"] = fullDocument()
	docs["mismatch"].Examples = nil // the essay needs the worked examples
	for experiment, doc := range docs {
		files := renderPages(t, doc, page.Run{})
		index := files["index.html"]
		if files["variance.html"] != "" || files["record.html"] != "" || !strings.Contains(index, "<h1") ||
			strings.Contains(index, `id="cost"`) {
			t.Errorf("%q: %d files", experiment, len(files))
		}
		for file, data := range files {
			if strings.HasSuffix(file, ".html") && missingValue.MatchString(data) {
				t.Errorf("%q: %s shows a missing value", experiment, file)
			}
		}
		if experiment != "" && !strings.Contains(index, `<h3 id="`+experiment+`">`) {
			t.Errorf("%q has no section", experiment)
		}
	}
}

// TestUnmetFindingsAreMarked checks that a finding that the document does not support is marked
// and listed at the top of its page, and is also marked in the single document. Other pages are
// not marked.
func TestUnmetFindingsAreMarked(t *testing.T) {
	doc := fullDocument()
	supported := renderPages(t, doc, page.Run{})
	for i := range doc.Estimates {
		if e := &doc.Estimates[i]; e.Experiment == "training" && e.Quantity == "learning_rate" {
			e.Value, e.Lo, e.Hi = 1e6, 1e6, 1e6
		}
	}
	files := renderPages(t, doc, page.Run{})
	for name, text := range files {
		isMarked := strings.Contains(text, "Not borne out by this run:")
		want := name == "training.html" || name == reportFile
		if isMarked != want || strings.Contains(supported[name], "Not borne out") {
			t.Errorf("%s is marked: %v", name, isMarked)
		}
	}
	training := files["training.html"]
	notice := strings.Index(training, "does not bear out what this page says of it in 2 places")
	if mark := strings.Index(training, "Not borne out"); notice < 0 || notice > mark {
		t.Errorf("training.html lists the unmet findings at %d, and marks the first at %d", notice, mark)
	}
}

// TestPlansHaveTheEstimatesOfTheEssay checks that the results of the embedded plans have all
// estimates of the essay.
func TestPlansHaveTheEstimatesOfTheEssay(t *testing.T) {
	if testing.Short() {
		t.Skip("draws some of every cell of a plan")
	}
	for _, name := range essayPlans {
		set, err := loadTemplates(Options{Lab: fstest.MapFS{}})
		if err != nil {
			t.Fatal(err)
		}
		if r := essay.Judge(set.texts, smallDocument(t, name)); len(r.Missing) > 0 {
			t.Errorf("the plan %s lacks %q", name, r.Missing)
		}
	}
}

// smallDocument returns the document of a plan with at most two blocks of each cell, which has all
// estimates.
func smallDocument(t *testing.T, name string) *result.Document {
	t.Helper()
	text, err := plan.Embedded(name)
	if err != nil {
		t.Fatal(err)
	}
	s := simtest.NewSchedule(t, string(text))
	for i := range s.Jobs {
		j := &s.Jobs[i]
		j.Blocks = min(2, j.Blocks)
		j.End = j.Blocks
	}
	nodes := simtest.NewStore(s)
	if err := run.Sample(context.Background(), s, nodes, run.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	doc, err := document.Build(s, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestMarkdownForCodeHosts checks that the single document has no comments, does not use
// \operatorname, which code hosts refuse, and shows the first figure once.
func TestMarkdownForCodeHosts(t *testing.T) {
	text := sitePages(t)[reportFile]
	if strings.Contains(text, `\operatorname`) || !strings.Contains(text, `\mathrm{Var}`) ||
		strings.Contains(text, "<!--") {
		t.Error(`report.md has \operatorname or a comment`)
	}
	if n := strings.Count(text, "![Variance of the scaled score"); n != 1 {
		t.Errorf("report.md shows a figure %d times", n)
	}
}
