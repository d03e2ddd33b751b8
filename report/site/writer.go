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
	"mcsim/report/view"
)

// content is what goes into both renderings, the pages one by one and all in one
// document.
type content struct {
	src     *view.Source
	set     *templateSet
	figures []figure.Figure // that there is something for
	sizes   map[string]markdown.Size
	numbers map[string]int // of the figures, in the order of reading
	sheets  []sheet        // of every page
}

// sheet is a page with what its template is filled with.
type sheet struct {
	page.Page
	text    string // of the template
	strings any
}

// heading is the title that its template begins with.
func (s sheet) heading() string {
	first, _, _ := strings.Cut(s.text, "\n")
	return strings.TrimPrefix(first, "# ")
}

// essay reports whether the pages are those of the essay.
func (c *content) essay() bool { return len(c.sheets) > 1 }

// contentOf prepares all pages: those of the essay where the document holds all rows that it
// reads, and else the record alone.
func contentOf(src *view.Source, figures []figure.Figure, set *templateSet) (*content, essay.Report) {
	c := &content{src: src, set: set, figures: figures, sizes: sizes(figures)}
	findings := essay.Judge(set.texts, src.Doc)
	src.Figures = figures
	pages := page.Essay
	if len(findings.Lacks) > 0 {
		pages = page.Alone
	} else {
		src.Told = findings.Rows
	}
	for _, p := range pages {
		text := string(set.data[p.Template()+".md"])
		for _, t := range set.texts {
			if t.Name == p.Name && len(pages) > 1 {
				text = t.Marked(t.Unmet(c.src.Doc))
			}
		}
		c.sheets = append(c.sheets, sheet{p, text, p.Strings(src)})
	}
	c.number()
	return c, findings
}

// number numbers the figures as the pages show them.
func (c *content) number() {
	c.numbers = map[string]int{}
	meet := func(name string) {
		if _, has := c.numbers[name]; !has {
			c.numbers[name] = len(c.numbers) + 1
		}
	}
	for _, s := range c.sheets {
		if record, ok := s.strings.(interface{ Figures() []string }); ok {
			for _, name := range record.Figures() {
				meet(name)
			}
		}
		for _, found := range figureCall.FindAllStringSubmatch(s.text, -1) {
			meet(found[1])
		}
	}
}

// figureCall shows a figure in a template.
var figureCall = regexp.MustCompile(`\{\{figure "([^"]+)"`)

// writer fills the templates of one rendering. It numbers tables and
// equations throughout, and knows which figures it has shown and which
// sources it has named.
type writer struct {
	*content
	single    bool      // all pages in one document
	here      page.Page // that is being written
	tables    int
	anchors   map[string]string // of tables and figures, by their numbers: table-3 is table-slopes
	equations []numbered
	shown     map[string]bool
	cited     []string
	notation  []string // what signs mean that were used
}

// numbered is an equation that has its number.
type numbered struct{ name, page string }

// pages returns the Markdown of each page, and the anchors of their tables and figures.
func (c *content) pages() ([][]byte, map[string]string, error) {
	w := &writer{content: c, anchors: map[string]string{}}
	var out [][]byte
	for i := range c.sheets {
		w.shown, w.cited, w.notation = map[string]bool{}, nil, nil
		text, err := w.page(i)
		if err != nil {
			return nil, nil, err
		}
		text = append(text, w.box()...)
		text = append(text, w.notes()...)
		// A formula and its number stay on one line; code hosts want plain
		// spaces behind a formula.
		text = bytes.ReplaceAll(text, []byte("$ = "), []byte("$"+view.Equals))
		text = bytes.ReplaceAll(text, []byte("leaves $"), []byte("leaves\u00a0$"))
		out = append(out, tidy(text))
	}
	return out, w.anchors, nil
}

// joined returns all pages but those apart as one Markdown document, each a
// level lower than on its own but for the first, which gives the title.
func (c *content) joined() ([]byte, error) {
	w := &writer{content: c, single: true, shown: map[string]bool{}, anchors: map[string]string{}}
	var out bytes.Buffer
	for i, p := range c.sheets {
		if p.Apart {
			continue
		}
		text, err := w.page(i)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = lower(text)
		}
		out.Write(markdown.WithoutWhys(text))
		out.WriteString("\n")
	}
	out.WriteString(w.box())
	out.WriteString(w.notes())
	// GitHub refuses the macro that TeX has for named operators.
	return tidy(markdown.WithoutIDs(bytes.ReplaceAll(out.Bytes(), []byte(`\operatorname{`), []byte(`\mathrm{`)))), nil
}

// page fills the template of a page of the site.
func (w *writer) page(i int) ([]byte, error) {
	p := w.sheets[i]
	w.here = p.Page
	name := p.Template() + ".md"
	t, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"measured": w.saying(view.Said), "precise": w.saying(view.Measured), "cell": w.saying(w.cell), "count": w.saying(count),
		"begins": w.begins, "matrix": w.matrix, "heat": w.heat, "entry": w.entry,
		"link": w.link, "figure": w.figure, "table": w.table, "folded": w.folded, "single": func() bool { return w.single },
		"equation": w.equation, "ref": w.ref, "cite": w.cite, "contents": w.contents,
		"home": page.Home, "file": w.linked, "files": w.files, "figureFiles": w.figureFiles, "figureForms": w.figureForms,
	}).Parse(p.text)
	if err == nil {
		t, err = t.New(exercisesFile).Parse(string(w.set.data[exercisesFile]))
	}
	if err != nil {
		return nil, w.set.clear(err)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, p.strings); err != nil {
		return nil, w.set.clear(err)
	}
	if written, found := markdown.StrayID(b.Bytes()); found {
		return nil, w.set.misplaced(name, written, fmt.Sprintf("%q is no id of a heading, which stands at its end as {#small-letters-and-digits-2}", written))
	}
	return tidy(b.Bytes()), nil
}

// link returns the address of a page from any other.
func (w *writer) link(name string) (string, error) {
	i := slices.IndexFunc(w.sheets, func(p sheet) bool { return p.Name == name })
	switch {
	case i < 0:
		return "", fmt.Errorf("no page %q", name)
	case w.single:
		return "#" + markdown.Slug(w.sheets[i].heading()), nil
	}
	return name + ".html", nil
}

// contents lists the pages that follow, for a document without navigation.
func (w *writer) contents() string {
	if !w.single {
		return ""
	}
	var b strings.Builder
	for _, p := range w.sheets[1:] {
		if !p.Apart {
			fmt.Fprintf(&b, "- [%s](#%s): %s\n", p.Title, markdown.Slug(p.heading()), p.About)
		}
	}
	return b.String()
}

// equation numbers a displayed formula and gives it a name.
func (w *writer) equation(name, tex string) (string, error) {
	if slices.ContainsFunc(w.equations, func(e numbered) bool { return e.name == name }) {
		return "", fmt.Errorf("two equations %q", name)
	}
	w.equations = append(w.equations, numbered{name, w.here.Name})
	n := len(w.equations)
	text := fmt.Sprintf("$$%s\\tag{%d}$$", tex, n)
	if w.single { // a code host knows no anchors of its own for equations
		text = fmt.Sprintf("<a id=\"%s\"></a>\n\n", equationID(n)) + text
	}
	return text, nil
}

func equationID(n int) string { return fmt.Sprintf("equation-%d", n) }

// ref refers to an equation above by its number.
func (w *writer) ref(name string) (string, error) {
	for i, e := range w.equations {
		if e.name != name {
			continue
		}
		address := "#" + equationID(i+1)
		if !w.single && e.page != w.here.Name {
			address = e.page + ".html" + address
		}
		return fmt.Sprintf("[(%d)](%s)", i+1, address), nil
	}
	return "", fmt.Errorf("no equation %q above", name)
}

// cite refers to a source; its text follows at the end.
func (w *writer) cite(name string) (string, error) {
	if _, ok := w.set.notes[name]; !ok {
		return "", fmt.Errorf("no source %q in %s", name, sourcesFile)
	}
	if !slices.Contains(w.cited, name) {
		w.cited = append(w.cited, name)
	}
	return "[^" + name + "]", nil
}

// notes are the sources that were named, as Markdown's footnotes.
func (w *writer) notes() string {
	var b strings.Builder
	for _, name := range w.cited {
		b.WriteString("\n[^" + name + "]: " + w.set.notes[name] + "\n")
	}
	return b.String()
}

// lower moves all headings of a page one level down.
func lower(text []byte) []byte {
	lines := strings.Split(string(text), "\n")
	fenced := false
	for i, l := range lines {
		if strings.HasPrefix(l, "```") {
			fenced = !fenced
		}
		if !fenced && strings.HasPrefix(l, "#") {
			lines[i] = "#" + l
		}
	}
	return []byte(strings.Join(lines, "\n"))
}

// tidy makes one empty line of many, which templates leave where a part of a
// page is missing.
func tidy(text []byte) []byte {
	var out []string
	for l := range strings.Lines(string(text)) {
		l = strings.TrimRight(l, " \t\n")
		if l == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, l)
	}
	return []byte(strings.TrimRight(strings.Join(out, "\n"), "\n") + "\n")
}
