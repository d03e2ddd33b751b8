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

var aRun = page.Run{Version: "v0.0.0-test", Revision: "0123abcd", Go: "go1.26", Host: "a-host",
	Date: time.Date(2030, 2, 3, 4, 5, 6, 0, time.UTC), Wall: 12340 * time.Millisecond,
}

func site(t *testing.T, doc *result.Document, run page.Run) map[string]string {
	t.Helper()
	files, _, err := textFiles(page.NewSource(doc, run, drawn(t, doc)), figuresOf(doc), Options{Lab: fstest.MapFS{}})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range files {
		out[f.Name] = string(f.Data)
	}
	return out
}

// full is a document with all rows that the essay reads, with worked examples and claims.
func full() *result.Document {
	doc := sample.Essay()
	doc.Examples = example.All()
	doc.Claims = claim.Judge(claim.Embedded(), doc.Estimates)
	return doc
}

// said is a page without the links from words to what explains them, so that a sentence
// is one text.
func said(html string) string {
	return regexp.MustCompile(`<a class="term" href="[^"]*">(.*?)</a>`).ReplaceAllString(html, "$1")
}

// drawn names the files of the figures without drawing them.
func drawn(t *testing.T, doc *result.Document) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, c := range chart.All {
		shown := c.NewFigure(doc).HasData()
		for _, f := range formats {
			names["figures/"+c.Name+f.suffix] = shown
		}
	}
	return names
}

// kept is the site of the sample with its figures, which [whole] draws once.
var kept map[string]string

// pages keeps the pages of the same, without its figures, once they are made.
var pages map[string]string

// usual is a copy of the pages of the sample, of aRun.
func usual(t *testing.T) map[string]string {
	t.Helper()
	if pages == nil {
		pages = site(t, full(), aRun)
	}
	return maps.Clone(pages)
}

// whole is a copy of the site of the sample, of aRun, with its figures.
func whole(t *testing.T) map[string]string {
	t.Helper()
	if kept == nil {
		kept = wholeOf(t, full(), aRun)
	}
	return maps.Clone(kept)
}

// wholeOf is a site with its figures.
func wholeOf(t *testing.T, doc *result.Document, run page.Run) map[string]string {
	t.Helper()
	out := site(t, doc, run)
	files, err := drawAll(figuresOf(doc))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		out[f.Name] = string(f.Data)
	}
	return out
}

// Only the record may know where and when a run was; figures are not told of it.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a whole site")
	}
	first, other := whole(t), site(t, full(), page.Run{Host: "elsewhere"})
	for name, data := range wholeOf(t, full(), aRun) {
		if first[name] != data {
			t.Errorf("%s differs from one rendering to the next", name)
		}
	}
	for name, data := range first {
		record := name == "record.html"
		if !record && !strings.HasPrefix(name, "figures/") && other[name] != data {
			t.Errorf("%s depends on the run", name)
		}
		if record && (!strings.Contains(data, "a-host") || !strings.Contains(data, "2030-02-03 04:05 UTC") || !strings.Contains(data, "12.34 s")) {
			t.Errorf("%s does not name the run", name)
		}
	}
}

// The record says how the gates came out, and names each that does not pass, with what would
// decide it.
func TestRecordSaysTheVerdict(t *testing.T) {
	doc := sample.Document()
	if got := said(site(t, doc, aRun)["index.html"]); !regexp.MustCompile(`All \d+ gates <strong>pass</strong>`).MatchString(got) {
		t.Error("the record does not say that all gates pass")
	}
	sample.Break(doc, 3, result.Fail)
	sample.Break(doc, 30, result.Undecided)
	got := said(site(t, doc, aRun)["index.html"])
	for _, want := range []string{"Not all gates pass", "<strong>1 fails</strong>", "<strong>1 is undecided</strong>", "40\u202f000\u202f000"} {
		if !strings.Contains(got, want) {
			t.Errorf("the record lacks %q", want)
		}
	}
	doc.Gates[3].Verdict, doc.Gates[30].Verdict = result.Pass, result.Pass
	if got := said(site(t, doc, aRun)["index.html"]); !strings.Contains(got, "marked <strong>undecided</strong>") {
		t.Error("the record hides a verdict that its gates do not explain")
	}
}

// A plan whose rows the essay does not read has the record alone, also where there are few rows
// or none; it has a section for each experiment, and says nothing of what is missing.
func TestRecordOfAnyPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a site for each experiment")
	}
	all := sample.Document()
	only := func(experiment string) *result.Document {
		doc := *all
		doc.Estimates = slices.DeleteFunc(slices.Clone(all.Estimates), func(e result.Estimate) bool { return e.Experiment != experiment })
		doc.Gates = slices.DeleteFunc(slices.Clone(all.Gates), func(g result.Gate) bool { return g.Experiment != experiment })
		return &doc
	}
	docs := map[string]*result.Document{"": {}, "softmax": sample.Distribution("laplace", 1)}
	for _, e := range all.Estimates {
		docs[e.Experiment] = only(e.Experiment)
	}
	docs["mismatch"] = full()
	docs["mismatch"].Examples = nil // which the essay shows
	for experiment, doc := range docs {
		files := site(t, doc, page.Run{})
		if files["variance.html"] != "" || files["record.html"] != "" || !strings.Contains(files["index.html"], "<h1") || strings.Contains(files["index.html"], `id="cost"`) {
			t.Errorf("%q: %d files", experiment, len(files))
		}
		for file, data := range files {
			if strings.HasSuffix(file, ".html") && (strings.Contains(data, "&lt;no value") || strings.Contains(data, "NaN") || strings.Contains(data, "&lt;nil")) {
				t.Errorf("%q: %s shows what is missing as if it were there", experiment, file)
			}
		}
		if experiment != "" && !strings.Contains(files["index.html"], `<h3 id="`+experiment+`">`) {
			t.Errorf("%q has no section", experiment)
		}
	}
}

// A sentence that rows do not bear out is marked on its page and named at its top, in the one
// document too, and other pages are as they were.
func TestUnmetFindingsAreMarked(t *testing.T) {
	doc := full()
	before := site(t, doc, page.Run{})
	for i := range doc.Estimates {
		if e := &doc.Estimates[i]; e.Experiment == "training" && e.Quantity == "learning_rate" {
			e.Value, e.Lo, e.Hi = 1e6, 1e6, 1e6
		}
	}
	after := site(t, doc, page.Run{})
	for name, text := range after {
		marked := strings.Contains(text, "Not borne out by this run:")
		if want := name == "training.html" || name == reportFile; marked != want || strings.Contains(before[name], "Not borne out") {
			t.Errorf("%s is marked: %v", name, marked)
		}
	}
	if at, mark := strings.Index(after["training.html"], "does not bear out what this page says of it in 2 places"), strings.Index(after["training.html"], "Not borne out"); at < 0 || at > mark {
		t.Errorf("training.html names what is unmet at %d, and marks it at %d", at, mark)
	}
}

// The plans that the essay speaks of have all rows that it reads.
func TestDefaultHasTheRowsOfTheEssay(t *testing.T) {
	if testing.Short() {
		t.Skip("draws some of every cell of a plan")
	}
	for _, name := range essayPlans {
		set, err := load(Options{Lab: fstest.MapFS{}})
		if err != nil {
			t.Fatal(err)
		}
		if r := essay.Judge(set.texts, scant(t, name)); len(r.Lacks) > 0 {
			t.Errorf("the plan %s lacks %q", name, r.Lacks)
		}
	}
}

// scant is the document of a plan with two blocks of each cell: it has all rows.
func scant(t *testing.T, name string) *result.Document {
	t.Helper()
	text, err := plan.Embedded(name)
	if err != nil {
		t.Fatal(err)
	}
	s := simtest.NewSchedule(t, string(text))
	for i := range s.Jobs {
		w := &s.Jobs[i]
		w.Blocks = min(2, w.Blocks)
		w.End = w.Blocks
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

// Code hosts refuse the macro for named operators, and the first figure stands there once.
func TestMarkdownForCodeHosts(t *testing.T) {
	text := usual(t)[reportFile]
	if strings.Contains(text, `\operatorname`) || !strings.Contains(text, `\mathrm{Var}`) || strings.Contains(text, "<!--") {
		t.Error(`report.md writes \operatorname, or a comment`)
	}
	if n := strings.Count(text, "![Variance of the scaled score"); n != 1 {
		t.Errorf("report.md shows a figure %d times", n)
	}
}
