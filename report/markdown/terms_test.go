package markdown

import (
	"regexp"
	"strings"
	"testing"
)

var termLink = regexp.MustCompile(`<a class="term" href="([^"]*)">(.*?)</a>`)

// TestTerms checks that the first use of a term as a whole word becomes a link, unless the use is
// in a link, a heading, an image, a footnote, code or the caption of a folded table.
func TestTerms(t *testing.T) {
	site := Site{Terms: []Term{
		{Forms: []string{"row", "rows"}, Address: "g.html#row"},
		{Forms: []string{"median row"}, Address: "g.html#median"},
		{Forms: []string{"score", "scores"}, Address: "g.html#score"},
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
		page, err := Convert([]byte(source), site)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range termLink.FindAllStringSubmatch(page.Body, -1) {
			got = append(got, m[1]+" "+m[2])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q has the links %q, want %q", source, got, want)
		}
	}
}

// TestTermsKeepText checks that links of terms do not change the text.
func TestTermsKeepText(t *testing.T) {
	const source = "Scores of a row, q·k, of *rows* (row) and row's d_k = 4; “score” – scores.\nA row\nbegins."
	plain, err := Convert([]byte(source), Site{})
	if err != nil {
		t.Fatal(err)
	}
	linked, err := Convert([]byte(source), Site{Terms: []Term{
		{Forms: []string{"row", "rows"}, Address: "g#r"},
		{Forms: []string{"score", "scores"}, Address: "g#s"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(linked.Body, `class="term"`); n != 2 {
		t.Errorf("got %d links, want 2, in\n%s", n, linked.Body)
	}
	if anyTag.ReplaceAllString(linked.Body, "") != anyTag.ReplaceAllString(plain.Body, "") {
		t.Errorf("the text with links differs from the text without:\n%s\n%s", linked.Body, plain.Body)
	}
}

// TestOtherMeanings checks that a term is not linked in a longer phrase in which it has another
// meaning. The next use of the term must be linked.
func TestOtherMeanings(t *testing.T) {
	page, err := Convert([]byte("The shape is rows × columns. A row is long."), Site{Terms: []Term{
		{Forms: []string{"rows × columns"}},
		{Forms: []string{"row", "rows"}, Address: "g#r"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := `is rows × columns. A <a class="term" href="g#r">row</a> is long`; !strings.Contains(page.Body, want) {
		t.Errorf("the page does not contain %s: %s", want, page.Body)
	}
}

// TestDefinedTermsHaveAnchors checks that the anchor of a defined term consists of the title of its
// section and of its name.
func TestDefinedTermsHaveAnchors(t *testing.T) {
	body := convertBody(t, "## Words\n\nmedian row\n: one\n\n## Names\n\n`score_mean`\n: two\n\n`d_k`\n: three\n")
	for _, want := range []string{
		`<dt id="words-median-row">median row</dt>`,
		`<dt id="names-score_mean"><code>score_mean</code></dt>`,
		`<dt id="` + TermID("Names", "d_k") + `">`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page does not contain %s:\n%s", want, body)
		}
	}
}

// TestLongWords checks that a line may break between the parts of a path, but not in a short word,
// a number, an address or a file's extension.
func TestLongWords(t *testing.T) {
	body := convertBody(t, "`nn.MultiheadAttention` [models/modeling_opt.py](a/long_address/of_a_page.html) `d_k` 10.1093/biomet")
	checkOrder(t, body, "<code>nn.<wbr>MultiheadAttention</code>", `"a/long_address/of_a_page.html"`,
		"models/<wbr>modeling_<wbr>opt.py", "<code>d_k</code>", "10.1093/biomet")
}
