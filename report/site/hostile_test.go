package site

import (
	"regexp"
	"strings"
	"testing"

	"mcsim/sim/names"

	"mcsim/report/internal/sample"
	"mcsim/report/page"
)

var (
	tags         = regexp.MustCompile(`<[^>]*>`)
	forbiddenTag = regexp.MustCompile(`^<script|onerror|evil|javascript`)
	// textFile matches files of text. It omits CSV files, which repeat the strings of the document.
	textFile = regexp.MustCompile(`\.(html|md|svg|tex|css|bib|json)$`)
	// headingID and description match attributes that contain words of the document.
	headingID   = regexp.MustCompile(`(id|href|aria-labelledby)="#?[a-z0-9-]*"`)
	description = regexp.MustCompile(`<meta (name|property)="(og:)?(title|description)" content="[^"<>]*">`)
)

// TestHostileDocument checks that hostile strings in all fields of a document that a plan can set
// are text on the pages.
func TestHostileDocument(t *testing.T) {
	benign := strings.Count(renderPages(t, sample.OneDistribution("x", 4), page.Run{})["index.html"], "<")
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
				t.Errorf("%q: %s has the character U+%04X", s, name, r)
			}
			if !strings.HasSuffix(name, ".html") {
				continue
			}
			markup := description.ReplaceAllString(headingID.ReplaceAllString(data, ""), "")
			for _, tag := range tags.FindAllString(markup, -1) {
				if forbiddenTag.MatchString(tag) {
					t.Errorf("%q: %s has the tag %s", s, name, tag)
				}
			}
		}
		// A hostile name adds only a few tags to the first page.
		if got := strings.Count(files["index.html"], "<"); got > benign+20 {
			t.Errorf("%q: %d tags on the first page, %d with a plain name", s, got, benign)
		}
		report := files["report.md"]
		if strings.Contains(report, "<script>alert(1)</script> ") || strings.Contains(report, "\x1b") {
			t.Errorf("%q: report.md has it without escapes", s)
		}
	}
}
