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

// removeTermLinks replaces the links from terms to the glossary by their texts, so that tests can
// search a page for sentences.
func removeTermLinks(html string) string {
	return regexp.MustCompile(`<a class="term" href="[^"]*">(.*?)</a>`).ReplaceAllString(html, "$1")
}

// figureFileNames tells for each file of a chart whether the site of a document has it.
func figureFileNames(t *testing.T, doc *result.Document) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, c := range chart.All {
		hasData := c.NewFigure(doc).HasData()
		for _, f := range figureForms {
			names["figures/"+c.Name+f.suffix] = hasData
		}
	}
	return names
}

// cachedSite and cachedPages keep the results of siteWithFigures and sitePages for later tests.
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

// TestSameBytes checks that all files have the same bytes if the site is rendered again, and that
// only the record depends on the facts about the run.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a whole site")
	}
	files := siteWithFigures(t)
	otherRunFiles := renderPages(t, fullDocument(), page.Run{Host: "another-host"})
	for name, data := range renderWithFigures(t, fullDocument(), siteRun) {
		if files[name] != data {
			t.Errorf("%s has other bytes if it is rendered again", name)
		}
	}
	for name, data := range files {
		if name == "record.html" {
			for _, want := range []string{"a-host", "2030-02-03 04:05 UTC", "12.34 s"} {
				if !strings.Contains(data, want) {
					t.Errorf("%s does not show the fact %s about the run", name, want)
				}
			}
			continue
		}
		if !strings.HasPrefix(name, "figures/") && otherRunFiles[name] != data {
			t.Errorf("%s depends on the facts about the run", name)
		}
	}
}

// TestRecordHasVerdict checks that the record has the verdicts of the gates. It must list the gates
// that do not pass, with the sample sizes that would decide them.
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
	got = removeTermLinks(renderPages(t, doc, siteRun)["index.html"])
	if want := "marked <strong>undecided</strong>"; !strings.Contains(got, want) {
		t.Errorf("all gates pass, but the document is undecided: the record does not have %q", want)
	}
}

// TestRecordOfAnyPlan checks that a site is only the record if the document lacks estimates or
// examples that the essay needs, or has no estimates at all. The record must have a section for
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
	docs := map[string]*result.Document{"": {}, "softmax": sample.OneDistribution("laplace", 1)} // by experiment
	for _, e := range complete.Estimates {
		docs[e.Experiment] = oneExperiment(e.Experiment)
	}
	docs["mismatch"] = fullDocument()
	docs["mismatch"].Examples = nil // the essay needs the worked examples
	for experiment, doc := range docs {
		files := renderPages(t, doc, page.Run{})
		index := files["index.html"]
		for _, name := range []string{"softmax.html", "record.html"} {
			if files[name] != "" {
				t.Errorf("%q: the site has %s, which is a page of the essay", experiment, name)
			}
		}
		if !strings.Contains(index, "<h1") || strings.Contains(index, `id="cost"`) {
			t.Errorf("%q: index.html is not the record without the section on cost", experiment)
		}
		for file, data := range files {
			if strings.HasSuffix(file, ".html") && missingValue.MatchString(data) {
				t.Errorf("%q: %s shows a missing value", experiment, file)
			}
		}
		if experiment != "" && !strings.Contains(index, `<h3 id="`+experiment+`">`) {
			t.Errorf("the record has no section on the experiment %q", experiment)
		}
	}
}

// TestUnmetFindingsAreMarked checks that the findings that the document does not support are marked
// on their page and in the single document, and that the page lists them before the first mark.
// Other pages must not have marks.
func TestUnmetFindingsAreMarked(t *testing.T) {
	doc := fullDocument()
	filesBefore := renderPages(t, doc, page.Run{})
	for i := range doc.Estimates {
		if e := &doc.Estimates[i]; e.Experiment == "training" && e.Quantity == "learning_rate" {
			e.Value, e.Lo, e.Hi = 1e6, 1e6, 1e6
		}
	}
	files := renderPages(t, doc, page.Run{})
	for name, text := range files {
		isMarked := strings.Contains(text, "This run does not bear out this statement:")
		want := name == "training.html" || name == reportFile
		if isMarked != want {
			t.Errorf("%s marks an unmet finding: %v, want %v", name, isMarked, want)
		}
		if strings.Contains(filesBefore[name], "This run does not bear out") {
			t.Errorf("%s marks a finding that the document supports", name)
		}
	}
	training := files["training.html"]
	notice := strings.Index(training, "does not bear out what this page states")
	if mark := strings.Index(training, "does not bear out this statement"); notice < 0 || notice > mark {
		t.Errorf("training.html has its list of unmet findings at byte %d, want it before the first mark at byte %d",
			notice, mark)
	}
}

// TestPlansHaveTheEstimatesOfTheEssay checks that the results of the embedded plans have all
// estimates of the essay.
func TestPlansHaveTheEstimatesOfTheEssay(t *testing.T) {
	if testing.Short() {
		t.Skip("samples some blocks of every cell of the plans")
	}
	for _, name := range essayPlans {
		set, err := loadTemplates(Options{Lab: fstest.MapFS{}})
		if err != nil {
			t.Fatal(err)
		}
		if r := essay.Judge(set.texts, smallDocument(t, name)); len(r.Missing) > 0 {
			t.Errorf("the results of the plan %s lack the estimates %q", name, r.Missing)
		}
	}
}

// smallDocument returns the document of a plan of which at most two blocks of each cell are
// sampled. It has the same estimates as the document of the whole plan, with larger errors.
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

// TestMarkdownForCodeHosts checks that the single document has no comments and does not use
// \operatorname, which code hosts refuse. It must show the first figure only once.
func TestMarkdownForCodeHosts(t *testing.T) {
	text := sitePages(t)[reportFile]
	if strings.Contains(text, `\operatorname`) || !strings.Contains(text, `\mathrm{Var}`) {
		t.Error(`report.md has \operatorname instead of \mathrm`)
	}
	if strings.Contains(text, "<!--") {
		t.Error("report.md has a comment")
	}
	if n := strings.Count(text, "![Only the square root"); n != 1 {
		t.Errorf("report.md shows the first figure %d times, want once", n)
	}
}
