package report

import (
	"bytes"
	"fmt"
	"strings"

	"mcsim/report/figure"
)

// page is one page: its text is the template of the same name.
type page struct {
	name  string
	title string // in the navigation
	view  func(*source) any
}

// pages is the site, in reading order. A new page is a row here, a template,
// and the function that prepares its strings.
var pages = []page{
	{"index", "Answer", func(s *source) any { return s.answer() }},
	{"variance", "Variance", func(s *source) any { return s.variance() }},
	{"exponents", "Exponents", func(s *source) any { return s.exponents() }},
	{"checks", "Checks", func(s *source) any { return s.checks() }},
	{"methods", "Methods", func(s *source) any { return s.methods() }},
}

// writer fills the templates of one rendering. It numbers tables throughout,
// and knows which figures it has shown.
type writer struct {
	src    *source
	set    *templateSet
	single bool // all pages in one document
	tables int
	shown  map[string]bool
}

// pages returns the Markdown of each page.
func (s *source) pages(set *templateSet) ([][]byte, error) {
	w := &writer{src: s, set: set}
	var out [][]byte
	for _, p := range pages {
		w.shown = map[string]bool{}
		text, err := w.page(p)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

// whole returns all pages as one Markdown document, each a level lower than
// on its own but for the first, which gives the title.
func (s *source) whole(set *templateSet) ([]byte, error) {
	w := &writer{src: s, set: set, single: true, shown: map[string]bool{}}
	var out bytes.Buffer
	for i, p := range pages {
		text, err := w.page(p)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteString("\n")
			text = lower(text)
		}
		out.Write(text)
	}
	return out.Bytes(), nil
}

func (w *writer) page(p page) ([]byte, error) {
	t, err := w.set.text(p.name, map[string]any{
		"link": w.link, "figure": w.figure, "table": w.table, "single": func() bool { return w.single },
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, p.view(w.src)); err != nil {
		return nil, w.set.clear(err)
	}
	return tidy(b.Bytes()), nil
}

// link returns the address of a page from any other.
func (w *writer) link(name string) (string, error) {
	for _, p := range pages {
		if p.name == name && w.single {
			return "#" + strings.ToLower(p.title), nil
		} else if p.name == name {
			return name + ".html", nil
		}
	}
	return "", fmt.Errorf("no page %q", name)
}

// table numbers a table and writes it.
func (w *writer) table(t table) string {
	if len(t.Rows) == 0 {
		return ""
	}
	w.tables++
	return t.markdown(fmt.Sprintf("Table %d", w.tables))
}

// figure writes a figure with its caption; in one document only once.
func (w *writer) figure(name string) (string, error) {
	for i, c := range figure.All {
		if c.Name != name {
			continue
		}
		label := fmt.Sprintf("Figure %d", i+1)
		switch {
		case !c.Shows(w.src.doc):
			return "*" + label + " is left out: this plan has no rows for it.*", nil
		case w.shown[name]:
			return "See " + label + " above.", nil
		}
		w.shown[name] = true
		return figureText(c, w.src, label), nil
	}
	return "", fmt.Errorf("no figure %q", name)
}

func figureText(c figure.Chart, s *source, label string) string {
	text := c.Reading(s.doc, escape)
	if finding := c.Finding(s.doc, escape); finding != "" {
		text = finding + " " + text
	}
	path := "figures/" + c.Name
	return fmt.Sprintf("![%s](%s.svg)\n\n**%s.** %s ([SVG](%s.svg), [PNG](%s.png))", escape(c.Title), path, label, text, path, path)
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
