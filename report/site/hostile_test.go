package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/names"

	"mcsim/report/internal/sample"
	"mcsim/report/page"
)

var (
	anyTag       = regexp.MustCompile(`<[^>]*>`)
	forbiddenTag = regexp.MustCompile(`^<script|onerror|evil|javascript`)
	// textFile matches text files except CSV, which contain the strings of the document unchanged.
	textFile = regexp.MustCompile(`\.(html|md|svg|tex|css|bib|json)$`)
	// headingID and description match markup that may contain words of hostile strings.
	headingID   = regexp.MustCompile(`(id|href|aria-labelledby)="#?[a-z0-9-]*"`)
	description = regexp.MustCompile(`<meta (name|property)="(og:)?(title|description)" content="[^"<>]*">`)
)

// pageScript matches the scripts that the templates add to a page.
var pageScript = regexp.MustCompile(`(?s)<script src="program\.js" defer></script>\n|<script>// Functions that .*?</script>\n`)

// TestHostileDocument checks that hostile strings do not become markup on the pages. The strings
// are in all fields of a document that a plan can set.
func TestHostileDocument(t *testing.T) {
	benignTags := strings.Count(renderPages(t, sample.OneDistribution("x", 4), page.Run{})["index.html"], "<")
	for i, s := range sample.Hostile {
		if i%hostileStep > 0 || testing.Short() && i%8 > 0 {
			continue
		}
		doc := sample.HostileDocument(s)
		files := renderPages(t, doc, page.Run{Host: s, Version: s})
		for name, data := range files {
			// The MathML of the templates' formulas contains U+2061, which applies a function.
			text := strings.NewReplacer("\n", "", "\t", "", "\u2061", "").Replace(data)
			if r, found := names.FirstHidden(text); found && textFile.MatchString(name) {
				t.Errorf("%q: %s has the hidden character U+%04X", s, name, r)
			}
			if !strings.HasSuffix(name, ".html") {
				continue
			}
			html := description.ReplaceAllString(headingID.ReplaceAllString(data, ""), "")
			html = pageScript.ReplaceAllString(html, "")
			for _, tag := range anyTag.FindAllString(html, -1) {
				if forbiddenTag.MatchString(tag) {
					t.Errorf("%q: %s has the forbidden tag %s", s, name, tag)
				}
			}
		}
		const maxAddedTags = 20                                      // such as those of formatted parameters
		page := strings.ReplaceAll(files["index.html"], "<wbr>", "") // in long words, where a line may break
		if got := strings.Count(page, "<"); got > benignTags+maxAddedTags {
			t.Errorf("%q: got %d tags on the first page, want at most %d more than the %d of a plain name",
				s, got, maxAddedTags, benignTags)
		}
		report := files["report.md"]
		if strings.Contains(report, "<script>alert(1)</script> ") || strings.Contains(report, "\x1b") {
			t.Errorf("%q: report.md has the string without escapes", s)
		}
	}
}

// TestHostileExperiment checks that the name of an unknown experiment, which a changed document can
// have, does not become markup.
func TestHostileExperiment(t *testing.T) {
	doc := sample.OneDistribution("x", 4)
	doc.Estimates = slices.Clone(doc.Estimates)
	doc.Estimates[len(doc.Estimates)-1].Experiment = "<script>alert(1)</script>"
	for name, data := range renderPages(t, doc, page.Run{}) {
		if strings.Contains(data, "<script>alert(1)") {
			t.Errorf("%s has the name without escapes", name)
		}
	}
}
