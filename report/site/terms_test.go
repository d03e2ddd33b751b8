package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var termLink = regexp.MustCompile(`<a class="term" href="(cite\.html#[^"]+)">`)

// TestPagesLeadToTheGlossary checks that a page has one link from each of its terms to the
// glossary, which is on cite.html. Neither cite.html nor the single document may have such links.
func TestPagesLeadToTheGlossary(t *testing.T) {
	files := sitePages(t)
	for page, words := range map[string][]string{
		"index.html":   {"words-score", "words-weight"},
		"softmax.html": {"labels-concentrated", "labels-dead", "words-row", "words-score", "words-component"},
		"record.html":  {"words-gate", "words-interval", "words-band"},
	} {
		var found []string
		for _, m := range termLink.FindAllStringSubmatch(files[page], -1) {
			if slices.Contains(found, m[1]) {
				t.Errorf("%s links to %s twice, want once", page, m[1])
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
	if termLink.MatchString(files["cite.html"]) {
		t.Error("cite.html links a term to its glossary")
	}
	if strings.Contains(files[reportFile], "](cite.html#") {
		t.Errorf("%s links a term to the glossary", reportFile)
	}
}

// TestOtherMeaningsAreNotLinked checks that a word is not linked to the glossary if it is used in
// another meaning: the cells of heat maps, the weights of fits and of models, and the rows of
// matrices.
func TestOtherMeaningsAreNotLinked(t *testing.T) {
	const link = `<a class="term" href="cite\.html#words-`
	wrong := regexp.MustCompile(`(?:[Ee]mpty|[Ww]armer a) ` + link + `cell"|with the ` + link +
		`weight">weights</a> that|` +
		`matri(?:x|ces) of ` + link + `weight"|">rows?</a> (?:×|of a matrix|for each token)`)
	for name, text := range sitePages(t) {
		if match := wrong.FindString(text); match != "" {
			t.Errorf("%s has a link to the glossary on a word that has another meaning there: %s", name, match)
		}
	}
}
