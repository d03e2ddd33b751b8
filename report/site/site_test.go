package site

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"mcsim/report/chart"
	"mcsim/report/internal/sample"
	"mcsim/report/page"
	"mcsim/report/view"
	"mcsim/sim/result"
)

var aRun = view.Run{Version: "v0.0.0-test", Revision: "0123abcd", Go: "go1.26", Host: "a-host",
	Date: time.Date(2030, 2, 3, 4, 5, 6, 0, time.UTC), Wall: 12340 * time.Millisecond,
	Attention: []view.AttentionTime{{Tokens: 128, Dimension: 64, Operations: 4292608, Rounds: 3, Seconds: view.Rounds{Median: 0.0026, Least: 0.0025, Most: 0.0041}, Rate: view.Rounds{Median: 1.64e9, Least: 1.04e9, Most: 1.7e9}}},
}

func site(t *testing.T, doc *result.Document, run view.Run) map[string]string {
	t.Helper()
	files, err := texts(view.NewSource(doc, run, drawn(t, doc)), figuresOf(doc), Options{Lab: fstest.MapFS{}})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range files {
		out[f.Name] = string(f.Data)
	}
	return out
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
		shown := c.Of(doc).Shows()
		for _, f := range formats {
			names["figures/"+c.Name+f.suffix] = shown
		}
	}
	return names
}

// kept is the site of the sample with its figures, which [whole] draws once.
var kept map[string]string

// whole is a copy of the site of the sample, of aRun, with its figures.
func whole(t *testing.T) map[string]string {
	t.Helper()
	if kept == nil {
		kept = wholeOf(t, sample.Document(), aRun)
	}
	return maps.Clone(kept)
}

// wholeOf is a site with its figures.
func wholeOf(t *testing.T, doc *result.Document, run view.Run) map[string]string {
	t.Helper()
	out := site(t, doc, run)
	files, err := draw(figuresOf(doc))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		out[f.Name] = string(f.Data)
	}
	return out
}

// Only one page may know where and when a run was; figures are not told of it.
func TestSameBytes(t *testing.T) {
	first, other := whole(t), site(t, sample.Document(), view.Run{Host: "elsewhere"})
	again := wholeOf
	if testing.Short() {
		again = site
	}
	for name, data := range again(t, sample.Document(), aRun) {
		if first[name] != data {
			t.Errorf("%s differs from one rendering to the next", name)
		}
	}
	for name, data := range first {
		page := name == "run.html"
		if !page && !strings.HasPrefix(name, "figures/") && other[name] != data {
			t.Errorf("%s depends on the run", name)
		}
		if page && (!strings.Contains(data, "a-host") || !strings.Contains(data, "2030-02-03 04:05 UTC") || !strings.Contains(data, "12.34 s")) {
			t.Errorf("%s does not name the run", name)
		}
	}
}

func TestVerdictIsSeen(t *testing.T) {
	doc := sample.Document()
	all := site(t, doc, aRun)
	for _, name := range []string{"index.html", "checks.html", "report.md"} {
		if !regexp.MustCompile(`All \d+ gates (<strong>|\*\*)pass`).MatchString(said(all[name])) {
			t.Errorf("%s does not say that all gates pass", name)
		}
	}
	sample.Break(doc, 3, result.Fail)
	sample.Break(doc, 30, result.Undecided)
	files := site(t, doc, aRun)
	for _, name := range []string{"index.html", "checks.html", "report.md"} {
		for _, want := range []string{"Not all gates pass", "fail", "undecided"} {
			if !strings.Contains(said(files[name]), want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
	}
	if !strings.Contains(files["checks.html"], "40\u202f000\u202f000") {
		t.Error("checks.html does not say what would decide a gate")
	}
	doc.Gates[3].Verdict, doc.Gates[30].Verdict = result.Pass, result.Pass
	if got := said(site(t, doc, aRun)["index.html"]); !strings.Contains(got, "marked <strong>undecided</strong>") {
		t.Error("index.html hides a verdict that its gates do not explain")
	}
}

// A gate that was judged on another value than its row's is no pass.
func TestEstrangedGateIsSeen(t *testing.T) {
	doc := sample.Document()
	doc.Gates[5].Value += 0.001
	files := site(t, doc, aRun)
	for _, name := range []string{"index.html", "checks.html", "report.md"} {
		if !strings.Contains(said(files[name]), "1 gate does not show the value of its row") {
			t.Errorf("%s shows a gate that is not its row's as if it were", name)
		}
	}
	if got := said(site(t, sample.Document(), aRun)["index.html"]); strings.Contains(got, "not show the value") {
		t.Error("sound gates are doubted")
	}
}

// What only several dimensions or laws can show is not said of one.
func TestNoClaimFromOneRow(t *testing.T) {
	one := sample.Law("laplace", 1)
	alone, many := site(t, one, view.Run{})["report.md"], site(t, sample.Document(), view.Run{})["report.md"]
	for _, claim := range []string{"every width", "just as flat", "laws are compared", "the shape of the components does not matter"} {
		if strings.Contains(alone, claim) || !strings.Contains(many, claim) {
			t.Errorf("%q: said of one cell %v, of many %v", claim, strings.Contains(alone, claim), strings.Contains(many, claim))
		}
	}
}

// The distance from the normal law is spoken of where it was measured.
func TestDistanceIsSaidWhereMeasured(t *testing.T) {
	const heading, equation = "The distance from normal falls like", "\\sup_x"
	doc := sample.Document()
	if text := site(t, doc, view.Run{})["report.md"]; !strings.Contains(text, heading) || !strings.Contains(text, equation) || !strings.Contains(text, "Signed difference F − Φ at x* of the standardised score from the normal law, for normal components") {
		t.Error("report.md does not show the measured distance")
	}
	doc.Estimates = slices.DeleteFunc(doc.Estimates, func(e result.Estimate) bool { return e.Quantity == "normal_difference" })
	if text := site(t, doc, view.Run{})["report.md"]; strings.Contains(text, heading) || strings.Contains(text, equation) {
		t.Error("report.md speaks of a distance that no row has")
	}
}

func TestMissingRows(t *testing.T) {
	all := sample.Document()
	keepOnly := func(experiment string) *result.Document {
		doc := *all
		doc.Estimates = slices.DeleteFunc(slices.Clone(all.Estimates), func(e result.Estimate) bool { return e.Experiment != experiment })
		doc.Gates = slices.DeleteFunc(slices.Clone(all.Gates), func(g result.Gate) bool { return g.Experiment != experiment })
		return &doc
	}
	one := sample.Law("laplace", 1)
	for name, doc := range map[string]*result.Document{
		"nothing": {}, "variance": keepOnly("variance"), "exponents": keepOnly("exponents"), "health": keepOnly("health"), "one": one,
	} {
		files := site(t, doc, view.Run{})
		if len(files) != len(page.All)+5 {
			t.Errorf("%s: %d files", name, len(files))
		}
		for file, data := range files {
			if strings.HasSuffix(file, ".html") && (strings.Contains(data, "&lt;no value") || strings.Contains(data, "NaN") || strings.Contains(data, "<nil>")) {
				t.Errorf("%s: %s shows what is missing as if it were there", name, file)
			}
		}
	}
	if got := said(site(t, &result.Document{}, view.Run{})["index.html"]); !strings.Contains(got, "holds no experiments") || strings.Contains(got, "left out") || !strings.Contains(got, "no gates") {
		t.Error("an empty document is not said to be empty")
	}
}

func TestReportIsTheSumOfThePages(t *testing.T) {
	files := site(t, sample.Document(), view.Run{})
	for _, want := range []string{"# Why attention divides by $\\sqrt{d_k}$", "\n## Variance\n", "\n## Exponents\n", "\n## Checks\n", "\n### Every gate\n", "\n## Methods\n", "\n## Cite and download\n",
		"](figures/scaled.svg)", "](figures/variance.svg)", "](figures/slope.svg)", "| d_k | "} {
		if strings.Count(files["report.md"], want) == 0 {
			t.Errorf("report.md lacks %q", want)
		}
	}
	if n := strings.Count(files["report.md"], "![Variance of the scaled score"); n != 1 {
		t.Errorf("report.md shows the first figure %d times", n)
	}
}
