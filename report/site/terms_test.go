package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
)

var termLinks = regexp.MustCompile(`<a class="term" href="(glossary\.html#[^"]+)">`)

// Pages lead to the glossary where they use a word for the first time, and only there;
// the glossary itself does not.
func TestPagesLeadToTheGlossary(t *testing.T) {
	files := site(t, sample.Document(), view.Run{})
	for page, words := range map[string][]string{
		"index.html":    {"words-score", "words-gate"},
		"softmax.html":  {"labels-healthy", "labels-dead", "words-row"},
		"checks.html":   {"words-gate", "words-interval", "words-band"},
		"methods.html":  {"words-cell", "words-pilot", "words-standard-error"},
		"variance.html": {"words-score", "words-law"},
	} {
		var found []string
		for _, m := range termLinks.FindAllStringSubmatch(files[page], -1) {
			if slices.Contains(found, m[1]) {
				t.Errorf("%s leads to %s twice", page, m[1])
			}
			found = append(found, m[1])
			if _, id, _ := strings.Cut(m[1], "#"); !strings.Contains(files["glossary.html"], `<dt id="`+id+`">`) {
				t.Errorf("%s leads to %s, which is not there", page, m[1])
			}
		}
		for _, w := range words {
			if !slices.Contains(found, "glossary.html#"+w) {
				t.Errorf("%s does not lead to %s: %q", page, w, found)
			}
		}
	}
	if termLinks.MatchString(files["glossary.html"]) || strings.Contains(files[reportFile], "](glossary.html#") {
		t.Error("the glossary leads to itself, or the one document to a page")
	}
}

// Words that mean something else where they stand lead nowhere: a field of a map is no
// cell, and neither what fits are weighted by nor what a model learns is a weight of attention.
func TestWordsOfOtherMeaningLeadNowhere(t *testing.T) {
	wrong := regexp.MustCompile(`(?:[Ee]mpty|[Ww]armer a) <a class="term" href="glossary\.html#words-cell"|with the <a class="term" href="glossary\.html#words-weight">weights</a> that|matri(?:x|ces) of <a class="term" href="glossary\.html#words-weight"|">rows?</a> (?:×|of a matrix|for each token)`)
	for name, text := range site(t, sample.Document(), view.Run{}) {
		if at := wrong.FindString(text); at != "" {
			t.Errorf("%s: %s", name, at)
		}
	}
}
