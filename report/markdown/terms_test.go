package markdown

import (
	"regexp"
	"strings"
	"testing"
)

var termLinks = regexp.MustCompile(`<a class="term" href="([^"]*)">(.*?)</a>`)

// A word leads to what explains it at its first use in the text, as a whole word, and
// nowhere that is a link, a heading or code itself.
func TestTerms(t *testing.T) {
	site := Site{Terms: []Term{
		{Words: []string{"row", "rows"}, Address: "g.html#row"},
		{Words: []string{"median row"}, Address: "g.html#median"},
		{Words: []string{"score", "scores"}, Address: "g.html#score"},
	}}
	for source, want := range map[string]string{
		"A row and a row.":                        "g.html#row row",
		"Rows of the median row":                  "g.html#row Rows|g.html#median median row",
		"The median row of a row":                 "g.html#median median row|g.html#row row",
		"## A row\n\n[a row](x) `row` narrows":    "",
		"arrow row-wise row_1 x/row rows/x":       "",
		"*row* and **score**":                     "g.html#row row|g.html#score score",
		"`score`, score":                          "g.html#score score",
		"| a row | b |\n| - | - |\n| score | 1 |": "g.html#row row|g.html#score score",
		"![a row](row.svg)":                       "",
		"a[^n]\n\n[^n]: a row":                    "",
		"**Table 1.** A row.\n\n" + Fold("a row", "| b |\n| - |\n| score |\n"): "g.html#score score",
	} {
		set, err := HTML([]byte(source), site)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range termLinks.FindAllStringSubmatch(set.Body, -1) {
			got = append(got, m[1]+" "+m[2])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q has the links %q, want %q", source, got, want)
		}
	}
}

// The text is the same with its links as without them.
func TestTermsLeaveTheText(t *testing.T) {
	const source = "Scores of a row, q·k, of *rows* (row) and row's d_k = 4; “score” – scores.\nA row\nbegins."
	plainly, err := HTML([]byte(source), Site{})
	if err != nil {
		t.Fatal(err)
	}
	linked, err := HTML([]byte(source), Site{Terms: []Term{{Words: []string{"row", "rows"}, Address: "g#r"}, {Words: []string{"score", "scores"}, Address: "g#s"}}})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(linked.Body, `class="term"`); n != 2 || tags.ReplaceAllString(linked.Body, "") != tags.ReplaceAllString(plainly.Body, "") {
		t.Errorf("%d links in\n%s", n, linked.Body)
	}
}

// Words of another sense lead nowhere, and the term that they hold is linked where it stands
// by itself.
func TestWordsOfAnotherSense(t *testing.T) {
	page, err := HTML([]byte("The shape is rows × columns. A row is long."), Site{Terms: []Term{{Words: []string{"rows × columns"}}, {Words: []string{"row", "rows"}, Address: "g#r"}}})
	if err != nil {
		t.Fatal(err)
	}
	if want := `is rows × columns. A <a class="term" href="g#r">row</a> is long`; !strings.Contains(page.Body, want) {
		t.Errorf("no %s in %s", want, page.Body)
	}
}

// What a glossary defines has an anchor of its section and its name.
func TestDefinedTermsHaveAnchors(t *testing.T) {
	body := page(t, "## Words\n\nmedian row\n: one\n\n## Names\n\n`score_mean`\n: two\n\n`d_k`\n: three\n")
	for _, want := range []string{`<dt id="words-median-row">median row</dt>`, `<dt id="names-score_mean"><code>score_mean</code></dt>`, `<dt id="` + TermID("Names", "d_k") + `">`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
}
