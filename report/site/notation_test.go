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
)

// Signs are explained once a page, in one place, and no caption does it again. Every page
// explains the signs that its tables have, and no others.
func TestNotationOnce(t *testing.T) {
	explained := map[string]struct{ sign, words string }{
		"digits": {`\d\(\d+\)`, "digits in parentheses"},
		"unsure": {`†$`, "The error is not known"},
	}
	files := usual(t)
	boxed := 0
	for name, data := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		found := boxes.FindAllString(data, -1)
		boxed += len(found)
		box := strings.Join(found, "")
		if len(found) > 1 || strings.Contains(data, `href="#notation"`) && len(found) == 0 {
			t.Errorf("%s: %d notes on signs", name, len(found))
		}
		for _, e := range explained {
			sign := regexp.MustCompile(e.sign)
			has := slices.ContainsFunc(cells.FindAllStringSubmatch(data, -1), func(m []string) bool { return sign.MatchString(m[1]) })
			if says := strings.Contains(box, e.words); has != says {
				t.Errorf("%s: its cells have %s: %v, and its note says %q: %v", name, e.sign, has, e.words, says)
			}
			for _, c := range captions.FindAllString(data, -1) {
				if strings.Contains(c, e.words) {
					t.Errorf("%s explains a sign in a caption: %s", name, c)
				}
			}
		}
		for _, c := range captions.FindAllString(data, -1) {
			if general := regexp.MustCompile(`[Bb]ars (in figures )?are|[Bb]ars are .*confidence interval|[Mm]arkers? without a bar|standard error of the last digits`).FindString(c); general != "" {
				t.Errorf("%s says %q in a caption: %s", name, general, c)
			}
		}
	}
	if boxed < 4 {
		t.Errorf("only %d pages explain their signs", boxed)
	}
	for _, e := range explained {
		if n := strings.Count(files[reportFile], e.words); n > 1 {
			t.Errorf("report.md says %q %d times", e.words, n)
		}
	}
}

// A folded table reads well in the one document: its caption is seen, and the table
// behind it; answers are folded too.
func TestFoldsInTheDocument(t *testing.T) {
	text := usual(t)[reportFile]
	folds := regexp.MustCompile(`\n\*\*Table \d+\.\*\* [^\n]+\n\n<details>\n<summary>Show the table: [^\n<]+</summary>\n\n\|[^\n]+\|\n\|[-:| ]+\|\n(\|[^\n]+\|\n)+\n</details>\n`)
	tables, answers := len(folds.FindAllString(text, -1)), len(regexp.MustCompile(`\n\n<details>\n<summary>Answer to [a-z]+ \d+</summary>\n\n`).FindAllString(text, -1))
	if starts, ends := strings.Count(text, "<details>"), strings.Count(text, "</details>"); tables < 15 || answers < 10 || tables+answers > starts || starts != ends {
		t.Errorf("%d tables and %d answers are folded, of %d folds and %d ends", tables, answers, starts, ends)
	}
}
