package site

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"mcsim/report/essay"
	"mcsim/report/figure"
	"mcsim/report/markdown"
	"mcsim/report/page"
)

// content is what both renderings show: the pages one by one, and the single document.
type content struct {
	src     *page.Source
	set     *templateSet
	figures []figure.Figure // for which there is data
	sizes   map[string]markdown.Size
	numbers map[string]int // of the figures, in the order of reading
	pages   []filledPage
}

// filledPage is a page with its template and the template's data.
type filledPage struct {
	page.Page
	text string
	view any
}

// heading is the title that the template begins with.
func (p filledPage) heading() string {
	first, _, _ := strings.Cut(p.text, "\n")
	return strings.TrimPrefix(first, "# ")
}

// isEssay reports whether the pages are those of the essay, and not only the record.
func (c *content) isEssay() bool { return len(c.pages) > 1 }

// newContent prepares all pages: those of the essay if the document has all rows that it reads, else
// only the record.
func newContent(src *page.Source, figures []figure.Figure, set *templateSet) (*content, essay.Report) {
	c := &content{src: src, set: set, figures: figures, sizes: imageSizes(figures), numbers: map[string]int{}}
	src.Figures = figures
	findings := essay.Judge(set.texts, src.Doc)
	pages := page.Alone
	marked := map[string]string{} // templates in which unsupported findings are marked
	if len(findings.Lacks) == 0 {
		pages = page.Essay
		src.EssayRows = findings.Rows
		for _, t := range set.texts {
			marked[t.Name] = t.Marked(t.Unmet(src.Doc))
		}
	}
	for _, p := range pages {
		filled := filledPage{Page: p, text: string(set.data[p.Template()+".md"])}
		if text, ok := marked[p.Name]; ok {
			filled.text = text
		}
		if p.View != nil {
			filled.view = p.View(src)
		}
		c.pages = append(c.pages, filled)
	}
	c.numberFigures()
	return c, findings
}

// figureCall matches a figure in a template.
var figureCall = regexp.MustCompile(`\{\{figure "([^"]+)"`)

// numberFigures numbers the figures in the order of the pages.
func (c *content) numberFigures() {
	number := func(name string) {
		if _, known := c.numbers[name]; !known {
			c.numbers[name] = len(c.numbers) + 1
		}
	}
	for _, p := range c.pages {
		if record, ok := p.view.(interface{ Figures() []string }); ok {
			for _, name := range record.Figures() {
				number(name)
			}
		}
		for _, call := range figureCall.FindAllStringSubmatch(p.text, -1) {
			number(call[1])
		}
	}
}

// writer fills the templates of one rendering. It numbers tables and equations throughout, and
// remembers which figures it has shown and which sources it has cited.
type writer struct {
	*content
	single    bool      // writes all pages as one document
	page      page.Page // the current page
	tables    int
	anchors   map[string]string // names of numbered tables and figures: table-3 is table-slopes
	equations []equation
	shown     map[string]bool
	cited     []string
	notation  []string // meanings of the signs that were used
}

// equation is a numbered equation.
type equation struct{ name, page string }

// markdownPages returns the Markdown of each page, and the anchors of their tables and figures.
func (c *content) markdownPages() ([][]byte, map[string]string, error) {
	w := &writer{content: c, anchors: map[string]string{}}
	// A formula and its number stay on one line; code hosts need plain spaces after a formula.
	unbroken := strings.NewReplacer("$ = ", "$"+page.Equals, "leaves $", "leaves\u00a0$")
	var pages [][]byte
	for _, p := range c.pages {
		w.shown, w.cited, w.notation = map[string]bool{}, nil, nil
		text, err := w.fill(p)
		if err != nil {
			return nil, nil, err
		}
		pages = append(pages, tidy(unbroken.Replace(text+w.notationBox()+w.footnotes())))
	}
	return pages, w.anchors, nil
}

// singleDocument returns all pages as one Markdown document, without those apart. The headings of
// each page except the first, which has the title, are one level lower.
func (c *content) singleDocument() ([]byte, error) {
	w := &writer{content: c, single: true, shown: map[string]bool{}, anchors: map[string]string{}}
	var out strings.Builder
	for i, p := range c.pages {
		if p.Apart {
			continue
		}
		text, err := w.fill(p)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = lowerHeadings(text)
		}
		out.Write(markdown.WithoutWhys([]byte(text)))
		out.WriteString("\n")
	}
	out.WriteString(w.notationBox() + w.footnotes())
	// GitHub refuses the TeX macro for named operators.
	text := strings.ReplaceAll(out.String(), `\operatorname{`, `\mathrm{`)
	return tidy(string(markdown.WithoutIDs([]byte(text)))), nil
}

// functions are what templates call.
func (w *writer) functions() template.FuncMap {
	return template.FuncMap{
		// rows of the document
		"measured": w.rowWriter(page.Rounded),
		"precise":  w.rowWriter(page.Measured),
		"cell":     w.rowWriter(w.cell),
		"count":    w.rowWriter(countText),
		"begins":   w.begins,
		// worked examples
		"matrix": w.matrix, "heat": w.heat, "entry": w.entry,
		// figures, tables and equations
		"figure": w.figure, "table": w.table, "folded": w.folded, "equation": w.equation, "ref": w.ref,
		// links and sources
		"link": w.link, "contents": w.contents, "cite": w.cite, "home": page.Home,
		// files of the site
		"file": w.dataLink, "files": w.listFiles, "figureFiles": w.listFigures, "figureForms": w.listFigureForms,
		// which rendering this is
		"single": func() bool { return w.single },
	}
}

// fill fills the template of a page.
func (w *writer) fill(p filledPage) (string, error) {
	w.page = p.Page
	name := p.Template() + ".md"
	t, err := template.New(name).Option("missingkey=error").Funcs(w.functions()).Parse(p.text)
	if err == nil {
		t, err = t.New(exercisesFile).Parse(string(w.set.data[exercisesFile]))
	}
	if err != nil {
		return "", w.set.oneLine(err)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, p.view); err != nil {
		return "", w.set.oneLine(err)
	}
	if id, found := markdown.StrayID(b.Bytes()); found {
		return "", w.set.errorAt(name, id,
			fmt.Sprintf("%q is no id of a heading, which stands at its end as {#small-letters-and-digits-2}", id))
	}
	return string(tidy(b.String())), nil
}

// link returns the address of a page from any other.
func (w *writer) link(name string) (string, error) {
	i := slices.IndexFunc(w.pages, func(p filledPage) bool { return p.Name == name })
	switch {
	case i < 0:
		return "", fmt.Errorf("no page %q", name)
	case w.single:
		return "#" + markdown.Slug(w.pages[i].heading()), nil
	}
	return name + ".html", nil
}

// contents lists the pages that follow, for a document without navigation.
func (w *writer) contents() string {
	if !w.single {
		return ""
	}
	var b strings.Builder
	for _, p := range w.pages[1:] {
		if !p.Apart {
			fmt.Fprintf(&b, "- [%s](#%s): %s\n", p.Title, markdown.Slug(p.heading()), p.About)
		}
	}
	return b.String()
}

// equation numbers a displayed formula and gives it a name.
func (w *writer) equation(name, tex string) (string, error) {
	if slices.ContainsFunc(w.equations, func(e equation) bool { return e.name == name }) {
		return "", fmt.Errorf("two equations %q", name)
	}
	w.equations = append(w.equations, equation{name, w.page.Name})
	n := len(w.equations)
	text := fmt.Sprintf("$$%s\\tag{%d}$$", tex, n)
	if w.single { // a code host has no anchors for equations
		text = fmt.Sprintf("<a id=\"equation-%d\"></a>\n\n%s", n, text)
	}
	return text, nil
}

// ref refers to an equation above by its number.
func (w *writer) ref(name string) (string, error) {
	i := slices.IndexFunc(w.equations, func(e equation) bool { return e.name == name })
	if i < 0 {
		return "", fmt.Errorf("no equation %q above", name)
	}
	file := ""
	if target := w.equations[i].page; !w.single && target != w.page.Name {
		file = target + ".html"
	}
	return fmt.Sprintf("[(%d)](%s#equation-%d)", i+1, file, i+1), nil
}

// cite refers to a source, whose text follows as a footnote.
func (w *writer) cite(name string) (string, error) {
	if _, ok := w.set.sources[name]; !ok {
		return "", fmt.Errorf("no source %q in %s", name, sourcesFile)
	}
	if !slices.Contains(w.cited, name) {
		w.cited = append(w.cited, name)
	}
	return "[^" + name + "]", nil
}

// footnotes are the sources that were cited, as Markdown's footnotes.
func (w *writer) footnotes() string {
	var b strings.Builder
	for _, name := range w.cited {
		b.WriteString("\n[^" + name + "]: " + w.set.sources[name] + "\n")
	}
	return b.String()
}

// lowerHeadings moves all headings of a page one level down.
func lowerHeadings(text string) string {
	lines := strings.Split(text, "\n")
	isCode := false
	for i, line := range lines {
		if strings.HasPrefix(line, "```") {
			isCode = !isCode
		}
		if !isCode && strings.HasPrefix(line, "#") {
			lines[i] = "#" + line
		}
	}
	return strings.Join(lines, "\n")
}

// tidy replaces several empty lines by one: templates leave them if a part of a page is missing.
func tidy(text string) []byte {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\n")
		if line == "" && (len(lines) == 0 || lines[len(lines)-1] == "") {
			continue
		}
		lines = append(lines, line)
	}
	return []byte(strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n")
}
