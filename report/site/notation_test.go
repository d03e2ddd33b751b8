package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	captions = regexp.MustCompile(`(?s)<(?:figcaption|summary)[^>]*>.*?</(?:figcaption|summary)>`)
	boxes    = regexp.MustCompile(`(?s)<aside class="notation".*?</aside>`)
	cells    = regexp.MustCompile(`<t[dh][^>]*>(.*?)</t[dh]>`)
	// generalNotation matches explanations of notation that are not specific to one figure or
	// table.
	generalNotation = regexp.MustCompile(`[Bb]ars (in figures )?are|[Bb]ars are .*confidence interval|` +
		`[Mm]arkers? without a bar|standard error of the last digits`)
)

// TestNotationOnce checks that every page explains exactly the signs of its tables, in one box,
// and not in captions.
func TestNotationOnce(t *testing.T) {
	signs := []struct{ pattern, explanation string }{
		{`\d\(\d+\)`, "digits in parentheses"},
		{`†$`, "The error is not known"},
	}
	files := sitePages(t)
	pagesWithBox := 0
	for name, data := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		pageBoxes := boxes.FindAllString(data, -1)
		pagesWithBox += len(pageBoxes)
		box := strings.Join(pageBoxes, "")
		if len(pageBoxes) > 1 || strings.Contains(data, `href="#notation"`) && len(pageBoxes) == 0 {
			t.Errorf("%s: %d boxes of notation", name, len(pageBoxes))
		}
		pageCaptions := captions.FindAllString(data, -1)
		for _, s := range signs {
			sign := regexp.MustCompile(s.pattern)
			isInCell := func(m []string) bool { return sign.MatchString(m[1]) }
			isUsed := slices.ContainsFunc(cells.FindAllStringSubmatch(data, -1), isInCell)
			if isExplained := strings.Contains(box, s.explanation); isUsed != isExplained {
				t.Errorf("%s: the sign %s is used: %v, and explained: %v", name, s.pattern, isUsed, isExplained)
			}
			for _, c := range pageCaptions {
				if strings.Contains(c, s.explanation) {
					t.Errorf("%s explains a sign in a caption: %s", name, c)
				}
			}
		}
		for _, c := range pageCaptions {
			if general := generalNotation.FindString(c); general != "" {
				t.Errorf("%s says %q in a caption: %s", name, general, c)
			}
		}
	}
	if pagesWithBox < 4 {
		t.Errorf("only %d pages explain their signs", pagesWithBox)
	}
	for _, s := range signs {
		if n := strings.Count(files[reportFile], s.explanation); n > 1 {
			t.Errorf("report.md says %q %d times", s.explanation, n)
		}
	}
}

// TestFoldsInTheDocument checks that in the single document, the caption of a folded table is
// above its fold, and answers are folded.
func TestFoldsInTheDocument(t *testing.T) {
	text := sitePages(t)[reportFile]
	foldedTable := regexp.MustCompile(`\n\*\*Table \d+\.\*\* [^\n]+\n\n` +
		`<details>\n<summary>Show the table: [^\n<]+</summary>\n\n` +
		`\|[^\n]+\|\n\|[-:| ]+\|\n(\|[^\n]+\|\n)+\n</details>\n`)
	foldedAnswer := regexp.MustCompile(`\n\n<details>\n<summary>Answer to [a-z]+ \d+</summary>\n\n`)
	tables, answers := len(foldedTable.FindAllString(text, -1)), len(foldedAnswer.FindAllString(text, -1))
	starts, ends := strings.Count(text, "<details>"), strings.Count(text, "</details>")
	if tables < 15 || answers < 10 || tables+answers > starts || starts != ends {
		t.Errorf("%d tables and %d answers are folded, of %d folds and %d ends", tables, answers, starts, ends)
	}
}
