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

var anyTag = regexp.MustCompile(`<[^>]*>`)

// allowedTag matches the tags of paragraphs and tables that the dialect writes.
var allowedTag = regexp.MustCompile(`^</?(p|i|table|thead|tbody|tr|t[hd]|th scope="(col|row)"( class="long")?|` +
	`td class="long"|div class="scroll".*|div)>$`)

// TestEscape checks that the HTML of an escaped string shows the string, except line breaks and
// invisible characters, and that the string does not add tags.
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
		for _, context := range []string{"x %s y", "| h | i |\n| - | - |\n| x %s y | z |\n"} {
			var b bytes.Buffer
			if err := dialect().Convert([]byte(strings.Replace(context, "%s", Escape(s), 1)), &b); err != nil {
				t.Fatal(err)
			}
			got := html.UnescapeString(anyTag.ReplaceAllString(b.String(), ""))
			if !strings.Contains(got, "x "+want+" y") {
				t.Errorf("the HTML of %q shows %q, want %q in it", s, got, want)
			}
			for _, tag := range anyTag.FindAllString(b.String(), -1) {
				if !allowedTag.MatchString(tag) {
					t.Errorf("the HTML of %q has the tag %s, which is not allowed", s, tag)
				}
			}
		}
	}
}

func TestEscapeExceptVariables(t *testing.T) {
	for text, want := range map[string]string{
		"1/(Dd) of W_Q": "1/(Dd) of W_Q", "√d_k?": "√d_k?", "W_Q: one": `W_Q\: one`,
		"in_proj_weight": `in\_proj\_weight`, "a_b_c": `a\_b\_c`, "_x_": `\_x\_`, "d_k_": `d\_k\_`,
		"S/d_k^p, d_k^(1−2p)": "S/d_k^p, d_k^(1−2p)", "W_KᵀΣ": "W_KᵀΣ", "x_i x_(i+1)": "x_i x_(i+1)",
		"√E‖J‖_F²": "√E‖J‖_F²", "d_model": "d_model", "2d_k, 2^7, it's": "2d_k, 2^7, it's", "x_(<b>)": `x\_(\<b\>)`,
	} {
		if got := EscapeExceptVariables(text); got != want {
			t.Errorf("EscapeExceptVariables(%q) = %q, want %q", text, got, want)
		}
	}
}
