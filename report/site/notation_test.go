package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	captionElement = regexp.MustCompile(`(?s)<(?:figcaption|summary)[^>]*>.*?</(?:figcaption|summary)>`)
	notationBox    = regexp.MustCompile(`(?s)<aside class="notation".*?</aside>`)
	cellElement    = regexp.MustCompile(`<t[dh][^>]*>(.*?)</t[dh]>`)
	// generalNotation matches explanations of notation that are the same for all figures or tables.
	generalNotation = regexp.MustCompile(`[Bb]ars (in figures )?are|[Bb]ars are .*confidence interval|` +
		`[Mm]arkers? without a bar|standard error of the last digits`)
)

// TestNotationOnce checks that every page explains the signs of its tables, and no other signs, in
// one box of notation. Captions must not explain signs.
func TestNotationOnce(t *testing.T) {
	signs := []struct{ pattern, explanation string }{ // pattern matches a cell with the sign
		{`\d\(\d+\)`, "digits in parentheses"},
		{`†$`, "The error is not known"},
	}
	files := sitePages(t)
	pagesWithBox := 0
	for name, data := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		boxes := notationBox.FindAllString(data, -1)
		pagesWithBox += len(boxes)
		box := strings.Join(boxes, "")
		if len(boxes) > 1 {
			t.Errorf("%s has %d boxes of notation, want at most 1", name, len(boxes))
		}
		if strings.Contains(data, `href="#notation"`) && len(boxes) == 0 {
			t.Errorf("%s links to its box of notation, but has none", name)
		}
		captions := captionElement.FindAllString(data, -1)
		for _, s := range signs {
			sign := regexp.MustCompile(s.pattern)
			isInCell := func(m []string) bool { return sign.MatchString(m[1]) }
			isUsed := slices.ContainsFunc(cellElement.FindAllStringSubmatch(data, -1), isInCell)
			if isExplained := strings.Contains(box, s.explanation); isUsed != isExplained {
				t.Errorf("%s: the sign %s is used: %v, but explained: %v", name, s.pattern, isUsed, isExplained)
			}
			for _, c := range captions {
				if strings.Contains(c, s.explanation) {
					t.Errorf("%s explains a sign in a caption: %s", name, c)
				}
			}
		}
		for _, c := range captions {
			if general := generalNotation.FindString(c); general != "" {
				t.Errorf("%s explains general notation, %q, in a caption: %s", name, general, c)
			}
		}
	}
	if pagesWithBox < 4 {
		t.Errorf("%d pages explain their signs, want at least 4", pagesWithBox)
	}
	for _, s := range signs {
		if n := strings.Count(files[reportFile], s.explanation); n > 1 {
			t.Errorf("report.md has the explanation %q %d times, want at most once", s.explanation, n)
		}
	}
}

// TestFoldsInTheDocument checks the folds (<details> elements) of the single document. The caption
// of a folded table must be above the fold, and answers must be folded.
func TestFoldsInTheDocument(t *testing.T) {
	text := sitePages(t)[reportFile]
	foldedTable := regexp.MustCompile(`\n\*\*Table \d+\.\*\* [^\n]+\n\n` +
		`<details>\n<summary>Show the table: [^\n<]+</summary>\n\n` +
		`\|[^\n]+\|\n\|[-:| ]+\|\n(\|[^\n]+\|\n)+\n</details>\n`)
	foldedAnswer := regexp.MustCompile(`\n\n<details>\n<summary>Answer to [a-z]+ \d+</summary>\n\n`)
	tables, answers := len(foldedTable.FindAllString(text, -1)), len(foldedAnswer.FindAllString(text, -1))
	starts, ends := strings.Count(text, "<details>"), strings.Count(text, "</details>")
	if tables < 15 || answers < 10 {
		t.Errorf("%d tables and %d answers are folded, want at least 15 and 10", tables, answers)
	}
	if starts != ends || starts < tables+answers {
		t.Errorf("%d folds begin and %d end, want the same number, at least %d", starts, ends, tables+answers)
	}
}
