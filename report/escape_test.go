package report

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"

	"mcsim/report/internal/synthetic"
)

var (
	tags = regexp.MustCompile(`<[^>]*>`)
	ids  = regexp.MustCompile(`(id|href)="#?[a-z0-9-]*"`) // of headings, made of letters and digits
)

// A string comes out of Markdown as it went in, but for line ends and
// control characters.
func TestEscape(t *testing.T) {
	for _, s := range synthetic.Hostile {
		want := strings.Map(func(r rune) rune {
			if r == '\n' {
				return ' '
			}
			if hidden(r) {
				return -1
			}
			return r
		}, s)
		for _, frame := range []string{"x %s y", "| h | i |\n| - | - |\n| x %s y | z |\n"} {
			var b bytes.Buffer
			if err := markdown().Convert([]byte(strings.Replace(frame, "%s", escape(s), 1)), &b); err != nil {
				t.Fatal(err)
			}
			if got := html.UnescapeString(tags.ReplaceAllString(b.String(), "")); !strings.Contains(got, "x "+want+" y") {
				t.Errorf("%q came out as %q", s, got)
			}
			for _, tag := range tags.FindAllString(b.String(), -1) {
				if !regexp.MustCompile(`^</?(p|table|thead|tbody|tr|t[hd]|td class="long"|div class="scroll".*|div)>$`).MatchString(tag) {
					t.Errorf("%q made the tag %s", s, tag)
				}
			}
		}
	}
}

// The same strings in every place of a document that a plan can reach.
func TestHostileDocument(t *testing.T) {
	benign := strings.Count(site(t, synthetic.Document(synthetic.Plan{Name: "n", Laws: []synthetic.Law{{Name: "x", Kappa: 3, Max: 4}}}), Run{})["index.html"], "<")
	for _, s := range synthetic.Hostile {
		doc := synthetic.HostileDocument(s)
		files := site(t, doc, Run{Host: s, Version: s})
		for name, data := range files {
			if !strings.HasSuffix(name, ".html") {
				continue
			}
			for _, tag := range tags.FindAllString(ids.ReplaceAllString(data, ""), -1) {
				if strings.HasPrefix(tag, "<script") || strings.Contains(tag, "onerror") || strings.Contains(tag, "evil") || strings.Contains(tag, "javascript") {
					t.Errorf("%q: %s holds the tag %s", s, name, tag)
				}
			}
		}
		// The first page names the law a few times, but has no more markup for it.
		if got := strings.Count(files["index.html"], "<"); got > benign+20 {
			t.Errorf("%q: %d tags on the first page, %d with a plain name", s, got, benign)
		}
		if strings.Contains(files["report.md"], "<script>alert(1)</script> ") || strings.Contains(files["report.md"], "\x1b") {
			t.Errorf("%q: report.md holds it raw", s)
		}
	}
}

// A letter with a letter below it is left to the notation; nothing longer is.
func TestWithSubscripts(t *testing.T) {
	for text, want := range map[string]string{
		"1/(Dd) of W_Q": "1/(Dd) of W_Q", "√d_k?": "√d_k?", "W_Q: one": `W_Q\: one`, "in_proj_weight": `in\_proj\_weight`, "a_b_c": `a\_b\_c`, "_x_": `\_x\_`,
	} {
		if got := withSubscripts(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
