package site

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"mcsim/report/page"
)

// Limits of the first paragraph of a page, its lead.
const maxNumbers, maxSentences = 3, 3

// leadOf returns the text of the first paragraph of a page, with "…" for formulas, code and notes.
func leadOf(pageText string) string {
	_, text, _ := strings.Cut(pageText, "</h1>")
	text = regexp.MustCompile(`(?s)<blockquote>.*?</blockquote>`).ReplaceAllString(text, "")
	m := regexp.MustCompile(`(?s)<p>(.*?)</p>`).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	text = regexp.MustCompile(`(?s)<math.*?</math>|<code.*?</code>|<sup.*?</sup>`).ReplaceAllString(m[1], "…")
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(text, ""))
}

var (
	nameWithDigits = regexp.MustCompile(`\pL[^\s,;:]*\d[^\s,;:]*`) // such as normal-0.02
	// measuredNumber matches a number and, if present, its error or interval and its power of ten.
	measuredNumber = regexp.MustCompile(`\(?[−<]?\d[\d\x{202f}]*(?:\.\d+)?` +
		`(?:[\s\x{a0}]±[\s\x{a0}][\d\x{202f}.]+\)?|[\s\x{a0}]\[[^\]]*\])?(?:·10[⁻⁰¹²³⁴-⁹]+)?`)
	sentenceEnd = regexp.MustCompile(`[.?!](?:\s+\p{Lu}|\s*$)`)
)

// numbersIn returns the numbers in a text.
func numbersIn(text string) []string {
	return measuredNumber.FindAllString(nameWithDigits.ReplaceAllString(text, ""), -1)
}

// isTooPrecise reports whether a number has more than three significant digits. Numbers with an
// error or interval may have more digits, and so may integers, which are counts or dimensions.
func isTooPrecise(number string) bool {
	mantissa, _, _ := strings.Cut(strings.ReplaceAll(number, "\u202f", ""), "·")
	if strings.ContainsAny(mantissa, "±[") || !strings.Contains(mantissa, ".") {
		return false
	}
	digits := strings.NewReplacer(".", "", "−", "", "<", "", "(", "").Replace(mantissa)
	return len(strings.TrimLeft(digits, "0")) > 3
}

func TestNumbersIn(t *testing.T) {
	text := "In 12 layers of normal-0.02 and student-t(10) it is (1.67\u00a0±\u00a00.05)·10⁻⁶, " +
		"65\u202f570\u00a0±\u00a060, −0.500, 2·10⁻⁶ or 94.1 [93.3, 94.8]."
	if got, want := numbersIn(text), 6; len(got) != want {
		t.Errorf("numbersIn(%q) = %q, want %d numbers", text, got, want)
	}
}

func TestIsTooPrecise(t *testing.T) {
	for number, want := range map[string]bool{
		"0.50005": true, "0.500": false, "65\u202f570": false, "1.0011\u00a0±\u00a00.0009": false,
		"12.345·10⁻⁶": true, "0.00196": false,
	} {
		if got := isTooPrecise(number); got != want {
			t.Errorf("isTooPrecise(%q) = %v, want %v", number, got, want)
		}
	}
}

// TestLeadsAreShort checks that the first paragraph of every page is short, and has few numbers,
// which must be rounded.
func TestLeadsAreShort(t *testing.T) {
	files := sitePages(t)
	for _, p := range page.EssayPages {
		lead := leadOf(files[p.Name+".html"])
		if lead == "" {
			t.Errorf("%s.html has no first paragraph", p.Name)
		}
		numbers := numbersIn(lead)
		if len(numbers) > maxNumbers {
			t.Errorf("%s.html: the lead has %d numbers, want at most %d: %q in %s",
				p.Name, len(numbers), maxNumbers, numbers, lead)
		}
		if n := len(sentenceEnd.FindAllString(lead, -1)); n > maxSentences {
			t.Errorf("%s.html: the lead has %d sentences, want at most %d: %s", p.Name, n, maxSentences, lead)
		}
		for _, number := range numbers {
			if isTooPrecise(number) {
				t.Errorf("%s.html: the number %s in the lead has too many digits: %s", p.Name, number, lead)
			}
		}
	}
}
