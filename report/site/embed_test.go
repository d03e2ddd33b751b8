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

// hostileFigure is one whose title is full of what HTML and Markdown read as markup.
func hostileFigure() figure.Figure {
	f := figuresOf(sample.Document())[0]
	f.Title = `a "b" <script>alert(1)</script> & ](x) ` + strings.Repeat("long ", 200)
	return f
}

// The line is one element whatever the title is, with the addresses where the pages are
// published, or relative ones where nobody knows.
func TestEmbeddingIsOneElement(t *testing.T) {
	f := hostileFigure()
	for base, home := range map[string]string{"": "", "https://example.org/mcsim/": "https://example.org/mcsim/", "https://example.org": "https://example.org/"} {
		line, inMarkdown := embedding(f, "index", base, markdown.Size{Width: 720, Height: 333})
		tags := regexp.MustCompile(`<[^>]*>`).FindAllString(line, -1)
		if len(tags) != 9 || strings.Contains(line, "\n") || !strings.HasPrefix(line, "<figure>") || !strings.HasSuffix(line, "</figure>") {
			t.Errorf("%d tags in %s", len(tags), line)
		}
		alt := regexp.MustCompile(` alt="([^"]*)"`).FindStringSubmatch(line)
		if alt == nil || !strings.Contains(html.UnescapeString(alt[1]), `a "b" <script>alert(1)</script> & ](x) long long`) {
			t.Errorf("the line says in place of the picture %q", alt)
		}
		for _, want := range []string{`<a href="` + home + "index.html#figure-" + f.Name + `">`, `src="` + home + "figures/" + f.Name + `.svg"`, ` width="720" height="333"`, "The mcsim authors"} {
			if !strings.Contains(line, want) {
				t.Errorf("the line lacks %q: %s", want, line)
			}
		}
		set, err := markdown.HTML([]byte(inMarkdown), markdown.Site{})
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(set.Body, "<img "); n != 1 || !strings.Contains(set.Body, `src="`+home+"figures/"+f.Name+`.svg"`) || strings.Contains(set.Body, "<script>") {
			t.Errorf("the Markdown makes %s", set.Body)
		}
	}
}

// Each figure that a page of the essay shows has its line there, which leads back to that page, and
// the one document has none.
func TestEveryFigureCanBeEmbedded(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a whole site")
	}
	files := whole(t)
	found := 0
	for _, c := range chart.All {
		for name, text := range files {
			if !strings.HasSuffix(name, ".html") || name == "record.html" || !strings.Contains(text, `<figure class="chart" id="figure-`+c.Name+`">`) {
				continue
			}
			found++
			line := html.EscapeString(`<a href="` + name + "#figure-" + c.Name + `"><img src="figures/` + c.Name + `.svg"`)
			if !strings.Contains(strings.ReplaceAll(text, "&quot;", "&#34;"), line) {
				t.Errorf("%s has no line to embed %s", name, c.Name)
			}
		}
	}
	if found < 10 {
		t.Errorf("%d figures on pages", found)
	}
	if strings.Contains(files[reportFile], "In Markdown:") {
		t.Errorf("%s has lines to embed figures that it does not hold", reportFile)
	}
}
