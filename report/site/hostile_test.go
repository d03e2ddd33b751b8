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
	tags = regexp.MustCompile(`<[^>]*>`)
	// written are files of text that pages show or a reader opens. Tables of numbers have
	// what the document has; a document that hides characters is not read.
	written = regexp.MustCompile(`\.(html|md|svg|tex|css|bib|json)$`)
	ids     = regexp.MustCompile(`(id|href|aria-labelledby)="#?[a-z0-9-]*"`) // of headings, made of letters and digits
	// descriptions are texts that stand in attributes.
	descriptions = regexp.MustCompile(`<meta (name|property)="(og:)?(title|description)" content="[^"<>]*">`)
)

// The same strings in every place of a document that a plan can reach.
func TestHostileDocument(t *testing.T) {
	benign := strings.Count(site(t, sample.Distribution("x", 4), page.Run{})["index.html"], "<")
	for i, s := range sample.Hostile {
		if i%hostileStep > 0 || testing.Short() && i%8 > 0 {
			continue
		}
		doc := sample.HostileDocument(s)
		files := site(t, doc, page.Run{Host: s, Version: s})
		for name, data := range files {
			// Formulas of ours have U+2061, which applies a function in MathML.
			shown := strings.NewReplacer("\n", "", "\t", "", "\u2061", "").Replace(data)
			if r, found := names.FirstHidden(shown); found && written.MatchString(name) {
				t.Errorf("%q: %s has the character U+%04X", s, name, r)
			}
			if !strings.HasSuffix(name, ".html") {
				continue
			}
			for _, tag := range tags.FindAllString(descriptions.ReplaceAllString(ids.ReplaceAllString(data, ""), ""), -1) {
				if strings.HasPrefix(tag, "<script") || strings.Contains(tag, "onerror") || strings.Contains(tag, "evil") || strings.Contains(tag, "javascript") {
					t.Errorf("%q: %s holds the tag %s", s, name, tag)
				}
			}
		}
		// The first page names the distribution a few times, but has no more markup for it.
		if got := strings.Count(files["index.html"], "<"); got > benign+20 {
			t.Errorf("%q: %d tags on the first page, %d with a plain name", s, got, benign)
		}
		if strings.Contains(files["report.md"], "<script>alert(1)</script> ") || strings.Contains(files["report.md"], "\x1b") {
			t.Errorf("%q: report.md holds it raw", s)
		}
	}
}
