package site

import (
	"regexp"
	"strings"
	"testing"

	"mcsim/report/page"
)

// unclearPhrases matches phrases that readers did not understand.
var unclearPhrases = regexp.MustCompile(`know each other|\b[Tt]he distribution (?:normal|uniform|sphere|laplace)\b|` +
	`have the middle term in common|What reaches the scores of a gradient|` +
	`[Hh]ow near a row is to|No gate judges these|honest|one weight is all|is its dimension|` +
	`because unscaled it|half of the way|` +
	`softmax sees \(?[\d.]+|where no caption says|What stands|in five lines|` +
	`What is left is farthest|scores × |by the weights alone|wider one of its part|` +
	`at most one in twenty documents|\b[Bb]ehind\b`)

func TestPlainWords(t *testing.T) {
	for _, found := range unclearPhrases.FindAllString(sitePages(t)[reportFile], -1) {
		t.Errorf("a page says %q", found)
	}
}

// unusualWords matches words of this program that the field does not use. Some pages need them.
var unusualWords = regexp.MustCompile(`(?i)\b(?:undivided|freez\w*|ledgers?|lanes?|pilots?|exploratory|contrasts?|` +
	`score scale|makes? of|theory says|blends?|laws?|gram estimator|same-token|equal weights|` +
	`even weights|held against|stands? under|stands? beside)\b`)

func TestWordsOfTheField(t *testing.T) {
	files := sitePages(t)
	for _, p := range page.EssayPages {
		if p.Name == page.Record || p.Name == page.GlossaryPage || p.Name == "claims" {
			continue
		}
		for _, found := range unusualWords.FindAllString(removeTermLinks(files[p.Name+".html"]), -1) {
			t.Errorf("%s.html says %q", p.Name, found)
		}
	}
}

var (
	foldElement   = regexp.MustCompile(`(?s)<details.*?</details>`)
	markupElement = regexp.MustCompile(`(?s)<math.*?</math>|<script.*?</script>|<[^>]*>`)
	figureCaption = regexp.MustCompile(`(?s)<figure class="chart".*?<figcaption>(.*?)</figcaption>`)
)

// TestSizeOfTheSite checks that the site is short enough to be read.
func TestSizeOfTheSite(t *testing.T) {
	const maxPages, maxWords, maxUnfoldedWords, maxTables, maxCaptionWords = 14, 42_000, 25_000, 50, 45
	count := func(html string) int { return len(strings.Fields(markupElement.ReplaceAllString(html, " "))) }
	files := sitePages(t)
	words, unfoldedWords, tables := 0, 0, 0
	for _, p := range page.EssayPages {
		_, text, _ := strings.Cut(files[p.Name+".html"], "<main")
		text, _, _ = strings.Cut(text, "</main>")
		words += count(text)
		tables += strings.Count(text, "<table")
		unfolded := foldElement.ReplaceAllString(text, "")
		unfoldedWords += count(unfolded)
		for _, m := range figureCaption.FindAllStringSubmatch(text, -1) {
			caption, _, _ := strings.Cut(m[1], `<p class="files">`)
			if n := count(caption); n > maxCaptionWords {
				t.Errorf("%s.html has a caption of %d words: %s", p.Name, n,
					markupElement.ReplaceAllString(caption, ""))
			}
		}
	}
	pages := len(page.EssayPages)
	if pages > maxPages || words > maxWords || unfoldedWords > maxUnfoldedWords || tables > maxTables {
		t.Errorf("the site has %d pages, %d words, %d of them without folds, and %d tables",
			pages, words, unfoldedWords, tables)
	}
}

var headingWithQuestion = regexp.MustCompile(`(?m)^<h[1-6][^>]*>.*\?`)

// TestHeadingsAreNotQuestions checks that only the title of a page may be a question. Other
// headings give a finding or a subject.
func TestHeadingsAreNotQuestions(t *testing.T) {
	for name, text := range sitePages(t) {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		_, sections, _ := strings.Cut(text, "</h1>")
		for _, heading := range headingWithQuestion.FindAllString(sections, -1) {
			t.Errorf("%s: a heading is a question: %s", name, heading)
		}
	}
}
