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

var (
	aFold    = regexp.MustCompile(`(?s)<details.*?</details>`)
	aTag     = regexp.MustCompile(`(?s)<math.*?</math>|<script.*?</script>|<[^>]*>`)
	aCaption = regexp.MustCompile(`(?s)<figure class="chart".*?<figcaption>(.*?)</figcaption>`)
)

// The site stays small enough to be read: so many pages, words, tables, and words of a caption.
func TestSizeOfTheSite(t *testing.T) {
	const mostPages, mostWords, mostVisible, mostTables, mostCaption = 14, 42_000, 25_000, 50, 45
	count := func(html string) int { return len(strings.Fields(aTag.ReplaceAllString(html, " "))) }
	files := usual(t)
	words, visible, tables := 0, 0, 0
	for _, p := range page.Essay {
		_, text, _ := strings.Cut(files[p.Name+".html"], "<main")
		text, _, _ = strings.Cut(text, "</main>")
		words += count(text)
		tables += strings.Count(text, "<table")
		open := aFold.ReplaceAllString(text, "")
		visible += count(open)
		for _, m := range aCaption.FindAllStringSubmatch(text, -1) {
			caption, _, _ := strings.Cut(m[1], `<p class="files">`)
			if n := count(caption); n > mostCaption {
				t.Errorf("%s.html has a caption of %d words: %s", p.Name, n, aTag.ReplaceAllString(caption, ""))
			}
		}
	}
	if len(page.Essay) > mostPages || words > mostWords || visible > mostVisible || tables > mostTables {
		t.Errorf("the site has %d pages, %d words, %d of them without folds, and %d tables", len(page.Essay), words, visible, tables)
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
