package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var termLinks = regexp.MustCompile(`<a class="term" href="(cite\.html#[^"]+)">`)

// TestPagesLeadToTheGlossary checks that a page links the first use of a term to the glossary on
// the page cite, which has no such links.
func TestPagesLeadToTheGlossary(t *testing.T) {
	files := sitePages(t)
	for page, words := range map[string][]string{
		"index.html":    {"words-score", "words-weight"},
		"softmax.html":  {"labels-concentrated", "labels-dead", "words-row"},
		"record.html":   {"words-gate", "words-interval", "words-band"},
		"variance.html": {"words-score", "words-component"},
	} {
		var found []string
		for _, m := range termLinks.FindAllStringSubmatch(files[page], -1) {
			if slices.Contains(found, m[1]) {
				t.Errorf("%s links to %s twice", page, m[1])
			}
			found = append(found, m[1])
			_, id, _ := strings.Cut(m[1], "#")
			if !strings.Contains(files["cite.html"], `<dt id="`+id+`">`) {
				t.Errorf("%s links to %s, which does not exist", page, m[1])
			}
		}
		for _, w := range words {
			if !slices.Contains(found, "cite.html#"+w) {
				t.Errorf("%s does not link to %s: %q", page, w, found)
			}
		}
	}
	if termLinks.MatchString(files["cite.html"]) || strings.Contains(files[reportFile], "](cite.html#") {
		t.Error("cite.html or the single document has links of terms")
	}
}

// TestOtherMeaningsAreNotLinked checks that words in another meaning than in the glossary are not
// linked: cells of heat maps, weights of fits and of models, and rows of matrices.
func TestOtherMeaningsAreNotLinked(t *testing.T) {
	const link = `<a class="term" href="cite\.html#words-`
	wrong := regexp.MustCompile(`(?:[Ee]mpty|[Ww]armer a) ` + link + `cell"|with the ` + link +
		`weight">weights</a> that|` +
		`matri(?:x|ces) of ` + link + `weight"|">rows?</a> (?:×|of a matrix|for each token)`)
	for name, text := range sitePages(t) {
		if match := wrong.FindString(text); match != "" {
			t.Errorf("%s: %s", name, match)
		}
	}
}
