package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var termLinks = regexp.MustCompile(`<a class="term" href="(cite\.html#[^"]+)">`)

// Pages lead to the cite where they use a word for the first time, and only there;
// the page that explains them does not.
func TestPagesLeadToTheGlossary(t *testing.T) {
	files := usual(t)
	for page, words := range map[string][]string{
		"index.html":    {"words-score", "words-weight"},
		"softmax.html":  {"labels-concentrated", "labels-dead", "words-row"},
		"record.html":   {"words-gate", "words-interval", "words-band"},
		"variance.html": {"words-score", "words-component"},
	} {
		var found []string
		for _, m := range termLinks.FindAllStringSubmatch(files[page], -1) {
			if slices.Contains(found, m[1]) {
				t.Errorf("%s leads to %s twice", page, m[1])
			}
			found = append(found, m[1])
			if _, id, _ := strings.Cut(m[1], "#"); !strings.Contains(files["cite.html"], `<dt id="`+id+`">`) {
				t.Errorf("%s leads to %s, which is not there", page, m[1])
			}
		}
		for _, w := range words {
			if !slices.Contains(found, "cite.html#"+w) {
				t.Errorf("%s does not lead to %s: %q", page, w, found)
			}
		}
	}
	if termLinks.MatchString(files["cite.html"]) || strings.Contains(files[reportFile], "](cite.html#") {
		t.Error("the cite leads to itself, or the one document to a page")
	}
}

// Words that mean something else where they stand lead nowhere: a field of a map is no
// cell, and neither what fits are weighted by nor what a model learns is a weight of attention.
func TestWordsOfOtherMeaningLeadNowhere(t *testing.T) {
	wrong := regexp.MustCompile(`(?:[Ee]mpty|[Ww]armer a) <a class="term" href="cite\.html#words-cell"|with the <a class="term" href="cite\.html#words-weight">weights</a> that|matri(?:x|ces) of <a class="term" href="cite\.html#words-weight"|">rows?</a> (?:×|of a matrix|for each token)`)
	for name, text := range usual(t) {
		if at := wrong.FindString(text); at != "" {
			t.Errorf("%s: %s", name, at)
		}
	}
}
