package site

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"

	"mcsim/report/chart"
	"mcsim/report/figure"
	"mcsim/report/internal/sample"
	"mcsim/report/markdown"
	"mcsim/sim/simtest"
)

// hostileFigure returns a figure whose title is full of characters that are special in HTML and
// Markdown.
func hostileFigure() figure.Figure {
	f := newFigures(sample.Document())[0]
	f.Title = `a "b" <script>alert(1)</script> & ](x) ` + strings.Repeat("long ", 200)
	return f
}

// TestEmbeddingIsOneElement checks that the HTML and the Markdown of embedCode show one figure,
// even if its title is hostile. The HTML must be one element on one line. The addresses must be
// absolute if the address of the site is known.
func TestEmbeddingIsOneElement(t *testing.T) {
	f := hostileFigure()
	for base, prefix := range map[string]string{
		"":                           "",
		"https://example.org/mcsim/": "https://example.org/mcsim/",
		"https://example.org":        "https://example.org/",
	} {
		line, inMarkdown := embedCode(f, "index", base, markdown.Size{Width: 720, Height: 333})
		const wantTags = 9 // start and end of figure, caption and two links, and the image
		tags := regexp.MustCompile(`<[^>]*>`).FindAllString(line, -1)
		isElement := strings.HasPrefix(line, "<figure>") && strings.HasSuffix(line, "</figure>")
		if len(tags) != wantTags || strings.Contains(line, "\n") || !isElement {
			t.Errorf("got %d tags, want one element of %d tags on one line: %s", len(tags), wantTags, line)
		}
		alt := regexp.MustCompile(` alt="([^"]*)"`).FindStringSubmatch(line)
		const wantAlt = `a "b" <script>alert(1)</script> & ](x) long long`
		if alt == nil || !strings.Contains(html.UnescapeString(alt[1]), wantAlt) {
			t.Errorf("got the alternative text %q, want it to contain %q", alt, wantAlt)
		}
		source := `src="` + prefix + "figures/" + f.Name + `.svg"`
		for _, want := range []string{
			`<a href="` + prefix + "index.html#figure-" + f.Name + `">`, source,
			` width="720" height="333"`, "The mcsim authors",
		} {
			if !strings.Contains(line, want) {
				t.Errorf("the HTML does not contain %q: %s", want, line)
			}
		}
		converted, err := markdown.Convert([]byte(inMarkdown), markdown.Site{})
		if err != nil {
			t.Fatal(err)
		}
		body := converted.Body
		if n := strings.Count(body, "<img "); n != 1 || !strings.Contains(body, source) {
			t.Errorf("the Markdown shows %d images, want one with %s: %s", n, source, body)
		}
		if strings.Contains(body, "<script>") {
			t.Errorf("the title is not escaped in the Markdown: %s", body)
		}
	}
}

// TestEveryFigureCanBeEmbedded checks that each figure on a page of the essay comes with HTML that
// embeds the figure and links to that page. The single document must not have such HTML.
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
			if !strings.Contains(strings.NewReplacer("&quot;", "&#34;", "<wbr>", "").Replace(text), line) {
				t.Errorf("%s has no HTML to embed %s", name, c.Name)
			}
		}
	}
	if figures < 10 {
		t.Errorf("the pages show %d figures, want at least 10", figures)
	}
	if strings.Contains(files[reportFile], "In Markdown:") {
		t.Errorf("%s explains how to embed figures", reportFile)
	}
}

// TestAddresses checks the addresses in the head of a page, with and without the address of the
// site.
func TestAddresses(t *testing.T) {
	set, err := loadTemplates(Options{})
	simtest.Must(t, err)
	for base, want := range map[string][]string{
		"": {`<meta property="og:image" content="card.png">`},
		"https://example.org/scale/": {
			`<meta property="og:image" content="https://example.org/scale/card.png">`,
			`<meta property="og:url" content="https://example.org/scale/lab.html">`,
			`<link rel="canonical" href="https://example.org/scale/lab.html">`,
		},
	} {
		s := shell{Name: labPage}
		s.setAddresses(base, true)
		var b bytes.Buffer
		simtest.Must(t, set.shell.Execute(&b, s))
		for _, line := range want {
			if !strings.Contains(b.String(), line) {
				t.Errorf("the address %q: the head does not have %s", base, line)
			}
		}
		if hasAddress := strings.Contains(b.String(), "canonical"); hasAddress != (base != "") {
			t.Errorf("the address %q: the page has an address of its own: %v", base, hasAddress)
		}
	}
}
