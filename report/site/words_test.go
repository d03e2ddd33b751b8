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
		t.Errorf("%s has the unclear phrase %q", reportFile, found)
	}
}

// unusualWords matches words of this program that are not usual in the literature. The record, the
// glossary and the page of claims may use them.
var unusualWords = regexp.MustCompile(`(?i)\b(?:undivided|freez\w*|ledgers?|lanes?|pilots?|exploratory|contrasts?|` +
	`score scale|makes? of|theory says|blends?|laws?|gram estimator|same-token|equal weights|` +
	`even weights|held against|stands? under|stands? beside)\b`)

func TestUsualWords(t *testing.T) {
	files := sitePages(t)
	for _, p := range page.EssayPages {
		if p.Name == page.Record || p.Name == page.GlossaryPage || p.Name == "claims" {
			continue
		}
		for _, found := range unusualWords.FindAllString(removeTermLinks(scriptElement.ReplaceAllString(files[p.Name+".html"], "")), -1) {
			t.Errorf("%s.html has the unusual word %q", p.Name, found)
		}
	}
}

var (
	scriptElement = regexp.MustCompile(`(?s)<script.*?</script>`)
	foldElement   = regexp.MustCompile(`(?s)<details.*?</details>`)
	markupElement = regexp.MustCompile(`(?s)<math.*?</math>|<script.*?</script>|<[^>]*>`)
	modelsTable   = regexp.MustCompile(`(?s)<figure class="table wide" id="table-released-models">.*?</figure>`)
	figureCaption = regexp.MustCompile(`(?s)<figure class="chart".*?<figcaption>(.*?)</figcaption>`)
)

// TestSizeOfTheSite checks that the site is short enough to be read. A reader sees only the text
// outside of folds (<details> elements) at first. The table of all released models does not count,
// since it is for looking up a model, and grows with the ledger.
func TestSizeOfTheSite(t *testing.T) {
	const maxPages, maxWords, maxUnfoldedWords, maxTables, maxCaptionWords = 12, 30_000, 26_000, 50, 45
	countWords := func(html string) int {
		whole := strings.ReplaceAll(html, "<wbr>", "") // a line may break there, within a word
		return len(strings.Fields(markupElement.ReplaceAllString(whole, " ")))
	}
	files := sitePages(t)
	words, unfoldedWords, tables := 0, 0, 0
	for _, p := range page.EssayPages {
		_, text, _ := strings.Cut(files[p.Name+".html"], "<main")
		text, _, _ = strings.Cut(text, "</main>")
		text = modelsTable.ReplaceAllString(text, "")
		if p.Name != page.Record { // an appendix of tables
			words += countWords(text)
		}
		tables += strings.Count(text, "<table")
		unfoldedWords += countWords(foldElement.ReplaceAllString(text, ""))
		for _, m := range figureCaption.FindAllStringSubmatch(text, -1) {
			caption, _, _ := strings.Cut(m[1], `<p class="files">`)
			if n := countWords(caption); n > maxCaptionWords {
				t.Errorf("%s.html has a caption of %d words, want at most %d: %s", p.Name, n, maxCaptionWords,
					markupElement.ReplaceAllString(caption, ""))
			}
		}
	}
	for _, c := range []struct {
		name     string
		got, max int
	}{
		{"pages", len(page.EssayPages), maxPages},
		{"words", words, maxWords},
		{"words outside of folds", unfoldedWords, maxUnfoldedWords},
		{"tables", tables, maxTables},
	} {
		if c.got > c.max {
			t.Errorf("the site has %d %s, want at most %d", c.got, c.name, c.max)
		}
	}
}

var headingWithQuestion = regexp.MustCompile(`(?m)^<h[1-6][^>]*>.*\?`)

// TestHeadingsAreNotQuestions checks that no heading except the title of a page is a question. The
// headings of sections must state a finding or name a subject.
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
