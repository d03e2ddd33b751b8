package markdown

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"

	"mcsim/sim/names"

	"mcsim/report/internal/sample"
)

var tags = regexp.MustCompile(`<[^>]*>`)

// A string comes out of Markdown as it went in, but for line ends and
// control characters.
func TestEscape(t *testing.T) {
	for _, s := range sample.Hostile {
		want := strings.Map(func(r rune) rune {
			if r == '\n' || r == '\t' || r == '\r' {
				return ' '
			}
			if names.IsHidden(r) {
				return -1
			}
			return r
		}, s)
		for _, frame := range []string{"x %s y", "| h | i |\n| - | - |\n| x %s y | z |\n"} {
			var b bytes.Buffer
			if err := dialect().Convert([]byte(strings.Replace(frame, "%s", Escape(s), 1)), &b); err != nil {
				t.Fatal(err)
			}
			if got := html.UnescapeString(tags.ReplaceAllString(b.String(), "")); !strings.Contains(got, "x "+want+" y") {
				t.Errorf("%q came out as %q", s, got)
			}
			for _, tag := range tags.FindAllString(b.String(), -1) {
				if !regexp.MustCompile(`^</?(p|table|thead|tbody|tr|t[hd]|th scope="(col|row)"( class="long")?|td class="long"|div class="scroll".*|div)>$`).MatchString(tag) {
					t.Errorf("%q made the tag %s", s, tag)
				}
			}
		}
	}
}

// A letter with a letter below it is left to the notation; nothing longer is.
func TestWithSubscripts(t *testing.T) {
	for text, want := range map[string]string{
		"1/(Dd) of W_Q": "1/(Dd) of W_Q", "√d_k?": "√d_k?", "W_Q: one": `W_Q\: one`, "in_proj_weight": `in\_proj\_weight`, "a_b_c": `a\_b\_c`, "_x_": `\_x\_`,
		"S/d_k^p, d_k^(1−2p)": "S/d_k^p, d_k^(1−2p)", "W_KᵀΣ": "W_KᵀΣ", "x_i x_(i+1)": "x_i x_(i+1)", "√E‖J‖_F²": "√E‖J‖_F²", "d_model": "d_model", "x_(<b>)": `x\_(\<b\>)`, "d_k_": `d\_k\_`,
	} {
		if got := WithSubscripts(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
