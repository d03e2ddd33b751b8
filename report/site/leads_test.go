package site

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"mcsim/report/page"
)

// What a lead may have: numbers that a reader keeps in mind, and sentences.
const mostNumbers, mostSentences = 3, 3

// leadOf is the text of the first paragraph of a page, formulas, code and notes left out.
func leadOf(page string) string {
	_, text, _ := strings.Cut(page, "</h1>")
	text = regexp.MustCompile(`(?s)<blockquote>.*?</blockquote>`).ReplaceAllString(text, "")
	m := regexp.MustCompile(`(?s)<p>(.*?)</p>`).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	text = regexp.MustCompile(`(?s)<math.*?</math>|<code.*?</code>|<sup.*?</sup>`).ReplaceAllString(m[1], "…")
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(text, ""))
}

// aName is a name with digits, as normal-0.02; aNumber is a number with its error, its
// interval and its power of ten.
var (
	aName   = regexp.MustCompile(`\pL[^\s,;:]*\d[^\s,;:]*`)
	aNumber = regexp.MustCompile(`\(?[−<]?\d[\d\x{202f}]*(?:\.\d+)?(?:[\s\x{a0}]±[\s\x{a0}][\d\x{202f}.]+\)?|[\s\x{a0}]\[[^\]]*\])?(?:·10[⁻⁰¹²³⁴-⁹]+)?`)
	ends    = regexp.MustCompile(`[.?!](?:\s+\p{Lu}|\s*$)`)
)

// numbersIn lists the numbers of a text.
func numbersIn(text string) []string {
	return aNumber.FindAllString(aName.ReplaceAllString(text, ""), -1)
}

// finer reports whether a number that stands without its error has more than three digits
// of a measurement: a count or a dimension is a whole number.
func finer(number string) bool {
	mantissa, _, _ := strings.Cut(strings.ReplaceAll(number, "\u202f", ""), "·")
	if strings.ContainsAny(mantissa, "±[") || !strings.Contains(mantissa, ".") {
		return false
	}
	return len(strings.TrimLeft(strings.NewReplacer(".", "", "−", "", "<", "", "(", "").Replace(mantissa), "0")) > 3
}

func TestNumbersOfLeadsAreCounted(t *testing.T) {
	text := "In 12 layers of normal-0.02 and student-t(10) it is (1.67\u00a0±\u00a00.05)·10⁻⁶, 65\u202f570\u00a0±\u00a060, −0.500, 2·10⁻⁶ or 94.1 [93.3, 94.8]."
	if got := numbersIn(text); len(got) != 6 {
		t.Errorf("%q", got)
	}
	for number, want := range map[string]bool{"0.50005": true, "0.500": false, "65\u202f570": false, "1.0011\u00a0±\u00a00.0009": false, "12.345·10⁻⁶": true, "0.00196": false} {
		if finer(number) != want {
			t.Errorf("%q is finer than one would say it: %v", number, !want)
		}
	}
}

// holdLeads holds the first paragraph of each page to what one can keep in mind.
func holdLeads(t *testing.T, files map[string]string) {
	t.Helper()
	for _, p := range page.Essay {
		lead := leadOf(files[p.Name+".html"])
		if lead == "" {
			t.Errorf("%s.html has no first paragraph", p.Name)
		}
		if found := numbersIn(lead); len(found) > mostNumbers {
			t.Errorf("%s.html begins with %d numbers, %q: %s", p.Name, len(found), found, lead)
		}
		if n := len(ends.FindAllString(lead, -1)); n > mostSentences {
			t.Errorf("%s.html begins with %d sentences: %s", p.Name, n, lead)
		}
		for _, number := range numbersIn(lead) {
			if finer(number) {
				t.Errorf("%s.html says %s, which is finer than one would say it: %s", p.Name, number, lead)
			}
		}
	}
}

// The first paragraph of every page is one sentence of finding, or two, with three
// numbers at most, rounded as one would say them.
func TestLeadsAreShort(t *testing.T) { holdLeads(t, usual(t)) }
