package report

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"

	"mcsim/report/internal/synthetic"
	"mcsim/sim/result"
)

// hostile are strings that a plan might hold, each an attempt to be more
// than text.
var hostile = []string{
	`<script>alert(1)</script>`, `a|b`, `](javascript:alert(1))`, "``` `code` ```", "two\nlines", "# heading", `<img src=x onerror=alert(1)>`,
	`![x](https://evil.example/x.png)`, `[x](//evil.example)`, `https://evil.example`, `www.evil.example`, `a@evil.example`, `d_k^(2)`, `*b* __c__ ~~d~~`,
	`&lt;i&gt;`, `"quoted" -- 'so' ...`, `\`, `{#id .class}`, `[^1]`, `: dd`, "{{.Seed}}", "\x00\x1b[31m", "\u202eabc", "<!-- -->", "1. one", `a\|b`, "[link]: x",
}

var (
	tags = regexp.MustCompile(`<[^>]*>`)
	ids  = regexp.MustCompile(`(id|href)="#?[a-z0-9-]*"`) // of headings, made of letters and digits
)

// A string comes out of Markdown as it went in, but for line ends and
// control characters.
func TestEscape(t *testing.T) {
	for _, s := range hostile {
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
	for _, s := range hostile {
		doc := synthetic.Document(synthetic.Plan{Name: s, Laws: []synthetic.Law{{Name: s, Kappa: 3, Max: 4}}})
		for i := range doc.Estimates {
			if _, ok := doc.Estimates[i].Params["rule"]; ok {
				doc.Estimates[i].Params["rule"] = s
			}
		}
		for i := range doc.Gates {
			doc.Gates[i].Name, doc.Gates[i].Expect = s, s
			doc.Gates[i].Params = result.Params{"law": s, s: s}
		}
		doc.Gates[0].Verdict, doc.Budget.Verdict, doc.Digest = result.Verdict(s), result.Verdict(s), s
		doc.Warnings = []result.Warning{{Cell: s, Quantity: s, Text: s}}
		doc.Plan, _ = json.Marshal(map[string]string{"name": s})
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
