package site

import (
	"regexp"
	"strings"
	"testing"

	"mcsim/report/page"
)

// privateWords are phrases that a reader had to read twice.
var privateWords = regexp.MustCompile(`know each other|\b[Tt]he distribution (?:normal|uniform|sphere|laplace)\b|have the middle term in common|What reaches the scores of a gradient|[Hh]ow near a row is to|No gate judges these|honest|one weight is all|is its dimension|because unscaled it|half of the way|softmax sees \(?[\d.]+|where no caption says|What stands|in five lines|What is left is farthest|scores × |by the weights alone|wider one of its part|at most one in twenty documents|\b[Bb]ehind\b`)

// The pages say in plain words what they mean.
func TestPlainWords(t *testing.T) {
	for _, found := range privateWords.FindAllString(usual(t)[reportFile], -1) {
		t.Errorf("a page says %q", found)
	}
}

// ownWords are words of this program that the field has others for, or none. The record and the
// page on methods may need some of them.
var ownWords = regexp.MustCompile(`(?i)\b(?:undivided|freez\w*|ledgers?|lanes?|pilots?|exploratory|contrasts?|score scale|makes? of|theory says|blends?|laws?|gram estimator|same-token|equal weights|even weights|held against|stands? under|stands? beside)\b`)

// The essay has the words of its field.
func TestWordsOfTheField(t *testing.T) {
	files := usual(t)
	for _, p := range page.Essay {
		if p.Name == page.Record || p.Name == page.Explaining || p.Name == "claims" {
			continue
		}
		for _, found := range ownWords.FindAllString(said(files[p.Name+".html"]), -1) {
			t.Errorf("%s.html says %q", p.Name, found)
		}
	}
}

// aQuestion is a heading that asks.
var aQuestion = regexp.MustCompile(`(?m)^<h[1-6][^>]*>.*\?`)

// The title of a page may ask what the page answers. A heading below it says what was found, or
// names its subject; it asks nothing.
func TestHeadingsDoNotAsk(t *testing.T) {
	for name, text := range usual(t) {
		_, below, _ := strings.Cut(text, "</h1>")
		if strings.HasSuffix(name, ".html") {
			for _, found := range aQuestion.FindAllString(below, -1) {
				t.Errorf("%s: a heading asks: %s", name, found)
			}
		}
	}
}
