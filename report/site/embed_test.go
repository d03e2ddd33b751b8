package site

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"mcsim/report/chart"
	"mcsim/report/figure"
	"mcsim/report/internal/sample"
	"mcsim/report/markdown"
)

// hostileFigure returns a figure whose title is full of characters that are special in HTML and
// Markdown.
func hostileFigure() figure.Figure {
	f := newFigures(sample.Document())[0]
	f.Title = `a "b" <script>alert(1)</script> & ](x) ` + strings.Repeat("long ", 200)
	return f
}

// TestEmbeddingIsOneElement checks that the HTML is one element on one line for any title. Its
// addresses are absolute if the address of the site is known.
func TestEmbeddingIsOneElement(t *testing.T) {
	f := hostileFigure()
	for base, prefix := range map[string]string{
		"":                           "",
		"https://example.org/mcsim/": "https://example.org/mcsim/",
		"https://example.org":        "https://example.org/",
	} {
		line, inMarkdown := embedCode(f, "index", base, markdown.Size{Width: 720, Height: 333})
		tags := regexp.MustCompile(`<[^>]*>`).FindAllString(line, -1)
		isElement := strings.HasPrefix(line, "<figure>") && strings.HasSuffix(line, "</figure>")
		if len(tags) != 9 || strings.Contains(line, "\n") || !isElement {
			t.Errorf("%d tags in %s", len(tags), line)
		}
		alt := regexp.MustCompile(` alt="([^"]*)"`).FindStringSubmatch(line)
		const wantAlt = `a "b" <script>alert(1)</script> & ](x) long long`
		if alt == nil || !strings.Contains(html.UnescapeString(alt[1]), wantAlt) {
			t.Errorf("the alternative text is %q", alt)
		}
		source := `src="` + prefix + "figures/" + f.Name + `.svg"`
		for _, want := range []string{
			`<a href="` + prefix + "index.html#figure-" + f.Name + `">`, source,
			` width="720" height="333"`, "The mcsim authors",
		} {
			if !strings.Contains(line, want) {
				t.Errorf("%q is missing: %s", want, line)
			}
		}
		converted, err := markdown.Convert([]byte(inMarkdown), markdown.Site{})
		if err != nil {
			t.Fatal(err)
		}
		images := strings.Count(converted.Body, "<img ")
		if images != 1 || !strings.Contains(converted.Body, source) || strings.Contains(converted.Body, "<script>") {
			t.Errorf("the Markdown becomes %s", converted.Body)
		}
	}
}

// TestEveryFigureCanBeEmbedded checks that a figure on a page of the essay has HTML to embed it,
// which links to that page. The single document has none.
func TestEveryFigureCanBeEmbedded(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a whole site")
	}
	files := siteWithFigures(t)
	figures := 0
	for _, c := range chart.All {
		element := `<figure class="chart" id="figure-` + c.Name + `">`
		for name, text := range files {
			if !strings.HasSuffix(name, ".html") || name == "record.html" || !strings.Contains(text, element) {
				continue
			}
			figures++
			line := html.EscapeString(`<a href="` + name + "#figure-" + c.Name + `"><img src="figures/` + c.Name +
				`.svg"`)
			if !strings.Contains(strings.ReplaceAll(text, "&quot;", "&#34;"), line) {
				t.Errorf("%s has no HTML to embed %s", name, c.Name)
			}
		}
	}
	if figures < 10 {
		t.Errorf("%d figures on pages", figures)
	}
	if strings.Contains(files[reportFile], "In Markdown:") {
		t.Errorf("%s explains how to embed figures", reportFile)
	}
}
