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

// content has the parts that the pages and the single document share.
type content struct {
	src     *page.Source
	set     *templateSet
	figures []figure.Figure          // figures for which the document has data
	sizes   map[string]markdown.Size // sizes of the figures' SVG files, by file
	numbers map[string]int           // numbers of the figures in reading order, by figure
	pages   []filledPage
}

// filledPage is a page with its template and the data for the template.
type filledPage struct {
	page.Page
	text string // template
	data any
}

// heading returns the page's title, with which the template begins.
func (p filledPage) heading() string {
	first, _, _ := strings.Cut(p.text, "\n")
	return strings.TrimPrefix(first, "# ")
}

// isEssay reports whether the pages are the essay, which has many pages, and not only the record.
func (c *content) isEssay() bool { return len(c.pages) > 1 }

// newContent prepares the pages of the essay if the document has all estimates that the essay
// needs, and only the record otherwise.
func newContent(src *page.Source, figures []figure.Figure, set *templateSet) (*content, essay.Report) {
	c := &content{src: src, set: set, figures: figures, sizes: imageSizes(figures), numbers: map[string]int{}}
	src.Figures = figures
	findings := essay.Judge(set.texts, src.Doc)
	pages := page.RecordPages
	markedTemplates := map[string]string{} // templates in which unsupported findings are marked
	if len(findings.Missing) == 0 {
		pages = page.EssayPages
		src.EssayEstimates = findings.Estimates
		for _, t := range set.texts {
			markedTemplates[t.Name] = t.WithMarks(t.UnmetFindings(src.Doc))
		}
	}
	for _, p := range pages {
		filled := filledPage{Page: p, text: string(set.data[p.Template()+".md"])}
		if text, ok := markedTemplates[p.Name]; ok {
			filled.text = text
		}
		if p.TemplateData != nil {
			filled.data = p.TemplateData(src)
		}
		c.pages = append(c.pages, filled)
	}
	c.numberFigures()
	return c, findings
}

// figureCall matches the call with which a template shows a figure.
var figureCall = regexp.MustCompile(`\{\{figure "([^"]+)"`)

// numberFigures numbers the figures in the order of the pages.
func (c *content) numberFigures() {
	addNumber := func(name string) {
		if _, known := c.numbers[name]; !known {
			c.numbers[name] = len(c.numbers) + 1
		}
	}
	for _, p := range c.pages {
		if record, ok := p.data.(interface{ Figures() []string }); ok {
			for _, name := range record.Figures() {
				addNumber(name)
			}
		}
		for _, call := range figureCall.FindAllStringSubmatch(p.text, -1) {
			addNumber(call[1])
		}
	}
}

// writer executes the templates of all pages, either for the site or for the single document. It
// numbers tables and equations through all pages.
type writer struct {
	*content
	single    bool              // the output is the single document
	page      page.Page         // current page
	tables    int               // number of tables so far
	anchors   map[string]string // anchor with a name (table-slopes), by anchor with a number (table-3)
	equations []equation

	// The current page, or the single document, has these so far.
	shownFigures map[string]bool
	citedSources []string
	notation     []string // meanings of its signs
}

// equation is a numbered equation with the page that shows it.
type equation struct{ name, page string }

// markdownPages returns the Markdown of each page, and the anchors of all pages (see
// writer.anchors).
func (c *content) markdownPages() ([][]byte, map[string]string, error) {
	w := &writer{content: c, anchors: map[string]string{}}
	// A line must not break between a formula and its value. The single document keeps the plain
	// spaces, since code hosts require a plain space after a formula.
	nonBreaking := strings.NewReplacer("$ = ", "$"+page.Equals, "leaves $", "leaves\u00a0$")
	var pages [][]byte
	for _, p := range c.pages {
		w.shownFigures, w.citedSources, w.notation = map[string]bool{}, nil, nil
		text, err := w.execute(p)
		if err != nil {
			return nil, nil, err
		}
		pages = append(pages, trimEmptyLines(nonBreaking.Replace(text+w.notationBox()+w.footnotes())))
	}
	return pages, w.anchors, nil
}

// singleDocument returns the pages as one Markdown document. The headings of each page except the
// first are one level lower, since the title of the first page is the title of the document.
func (c *content) singleDocument() ([]byte, error) {
	w := &writer{content: c, single: true, shownFigures: map[string]bool{}, anchors: map[string]string{}}
	var b strings.Builder
	for i, p := range c.pages {
		if p.NotInReport {
			continue
		}
		text, err := w.execute(p)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = lowerHeadings(text)
		}
		b.Write(markdown.RemoveExplanations([]byte(text)))
		b.WriteString("\n")
	}
	b.WriteString(w.notationBox() + w.footnotes())
	// GitHub does not allow \operatorname.
	text := strings.ReplaceAll(b.String(), `\operatorname{`, `\mathrm{`)
	return trimEmptyLines(string(markdown.RemoveIDs([]byte(text)))), nil
}

// functions returns the functions that the templates can call.
func (w *writer) functions() template.FuncMap {
	return template.FuncMap{
		// estimates of the document
		"measured": w.estimateWriter(page.FormatProse),
		"percent":  w.estimateWriter(page.FormatPercent),
		"precise":  w.estimateWriter(page.FormatMeasured),
		"cell":     w.estimateWriter(w.formatCell),
		"count":    w.estimateWriter(formatCount),
		"begins":   w.labelAtStart,
		// worked examples
		"matrix": w.matrixTable, "heat": w.heatTable, "entry": w.matrixEntry,
		// figures, tables and equations
		"figure": w.figure, "table": w.captionedTable, "folded": w.foldedTable, "equation": w.numberedEquation,
		"ref": w.equationLink,
		// links and sources
		"link": w.pageAddress, "contents": w.listPages, "cite": w.citation, "home": page.HomeURL,
		// files of the site
		"file": w.linkToData, "files": w.listFiles, "figureFiles": w.listFigures, "figureForms": w.listFigureForms,
		// kind of the output
		"single": func() bool { return w.single },
	}
}

// execute executes the template of a page.
func (w *writer) execute(p filledPage) (string, error) {
	w.page = p.Page
	name := p.Template() + ".md"
	t, err := template.New(name).Option("missingkey=error").Funcs(w.functions()).Parse(p.text)
	if err == nil {
		t, err = t.New(exercisesFile).Parse(string(w.set.data[exercisesFile]))
	}
	if err != nil {
		return "", w.set.shortError(err)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, p.data); err != nil {
		return "", w.set.shortError(err)
	}
	if id, found := markdown.FindStrayID(b.Bytes()); found {
		return "", w.set.errorAt(name, id,
			fmt.Sprintf("%q is not the id of a heading; write it after the heading, as {#small-letters-and-digits-2}",
				id))
	}
	return string(trimEmptyLines(b.String())), nil
}

// pageAddress returns the address of a page.
func (w *writer) pageAddress(name string) (string, error) {
	i := slices.IndexFunc(w.pages, func(p filledPage) bool { return p.Name == name })
	switch {
	case i < 0:
		return "", fmt.Errorf("the page %q does not exist", name)
	case w.single:
		return "#" + markdown.Slug(w.pages[i].heading()), nil
	}
	return name + ".html", nil
}

// listPages returns a list of all pages except the first for the single document, which has no
// navigation. It returns "" for the site.
func (w *writer) listPages() string {
	if !w.single {
		return ""
	}
	var b strings.Builder
	for _, p := range w.pages[1:] {
		if !p.NotInReport {
			fmt.Fprintf(&b, "- [%s](#%s): %s\n", p.Title, markdown.Slug(p.heading()), p.Description)
		}
	}
	return b.String()
}

// numberedEquation writes a displayed formula with the next number. It records the name of the
// equation for equationLink.
func (w *writer) numberedEquation(name, tex string) (string, error) {
	if slices.ContainsFunc(w.equations, func(e equation) bool { return e.name == name }) {
		return "", fmt.Errorf("two equations have the name %q", name)
	}
	w.equations = append(w.equations, equation{name, w.page.Name})
	n := len(w.equations)
	text := fmt.Sprintf("$$%s\\tag{%d}$$", tex, n)
	if w.single { // a code host has no anchors for equations
		text = fmt.Sprintf("<a id=\"equation-%d\"></a>\n\n%s", n, text)
	}
	return text, nil
}

// equationLink writes a link to an earlier equation, whose text is the equation's number.
func (w *writer) equationLink(name string) (string, error) {
	i := slices.IndexFunc(w.equations, func(e equation) bool { return e.name == name })
	if i < 0 {
		return "", fmt.Errorf("no equation before this reference has the name %q", name)
	}
	file := ""
	if target := w.equations[i].page; !w.single && target != w.page.Name {
		file = target + ".html"
	}
	return fmt.Sprintf("[(%d)](%s#equation-%d)", i+1, file, i+1), nil
}

// citation writes a reference to a source, which becomes a footnote.
func (w *writer) citation(name string) (string, error) {
	if _, ok := w.set.sources[name]; !ok {
		return "", fmt.Errorf("%s does not have the source %q", sourcesFile, name)
	}
	if !slices.Contains(w.citedSources, name) {
		w.citedSources = append(w.citedSources, name)
	}
	return "[^" + name + "]", nil
}

// footnotes writes the cited sources as footnotes of Markdown.
func (w *writer) footnotes() string {
	var b strings.Builder
	for _, name := range w.citedSources {
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

// trimEmptyLines replaces consecutive empty lines by one, since a template leaves empty lines if a
// part of a page is missing. It also removes the empty lines at both ends.
func trimEmptyLines(text string) []byte {
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
