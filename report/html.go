package report

import (
	"bytes"
	"fmt"
	htmltemplate "html/template"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"mcsim/report/digits"
)

// markdown is the one Markdown dialect of the pages. Raw HTML is left out of
// what it writes, and cells carry classes instead of styles, which the
// content security policy of the pages would refuse.
var markdown = goldmark.New(
	goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
		extension.Footnote, extension.DefinitionList, extension.Typographer,
		notation{}, frames{},
	),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// shell is what shell.html is filled with.
type shell struct {
	Title    string
	Plan     string
	Pages    []pageLink
	Sections []section
	Previous *pageLink
	Next     *pageLink
	Body     htmltemplate.HTML
	Facts    []fact
}

// pageLink is an entry of the navigation.
type pageLink struct {
	File, Title string
	Here        bool
}

// section is an entry of a page's own contents.
type section struct{ ID, Title string }

// fact is an entry of the footer.
type fact struct{ Name, Value string }

// longPage is how many sections a page has that lists them at its head.
const longPage = 6

// page sets one page of the site.
func (set *templateSet) page(src *source, run Run, i int, source []byte) ([]byte, error) {
	tree := markdown.Parser().Parse(text.NewReader(source))
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, source, tree); err != nil {
		return nil, fmt.Errorf("%s.html: %w", pages[i].name, err)
	}
	s := shell{
		Title: title(tree, source, pages[i].title),
		Plan:  src.plan.Name,
		Body:  htmltemplate.HTML(body.String()), // goldmark has escaped all text in it
		Facts: facts(src, run),
	}
	for j, p := range pages {
		s.Pages = append(s.Pages, pageLink{p.name + ".html", p.title, i == j})
	}
	if i > 0 {
		s.Previous = &s.Pages[i-1]
	}
	if i+1 < len(pages) {
		s.Next = &s.Pages[i+1]
	}
	if list := sections(tree, source); len(list) >= longPage {
		s.Sections = list
	}
	var out bytes.Buffer
	if err := set.shell.Execute(&out, s); err != nil {
		return nil, set.clear(err)
	}
	return out.Bytes(), nil
}

// title returns the first heading.
func title(tree ast.Node, source []byte, otherwise string) string {
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 1 {
			return string(plain(h, source))
		}
	}
	return otherwise
}

func sections(tree ast.Node, source []byte) []section {
	var out []section
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Level < 2 {
			continue
		}
		if id, ok := h.AttributeString("id"); ok {
			out = append(out, section{string(id.([]byte)), string(plain(h, source))})
		}
	}
	return out
}

// facts are what the footer says: the run, which differs from machine to
// machine, and the document, which does not.
func facts(src *source, run Run) []fact {
	var out []fact
	add := func(name, value string) {
		if value != "" {
			out = append(out, fact{name, value})
		}
	}
	add("mcsim", run.Version)
	add("revision", run.Revision)
	add("Go", run.Go)
	add("host", run.Host)
	if !run.Date.IsZero() {
		add("date", run.Date.UTC().Format("2006-01-02 15:04 UTC"))
	}
	if run.Wall > 0 {
		add("wall time", digits.Short(float64(run.Wall.Round(10*time.Millisecond))/float64(time.Second))+" s")
	}
	add("seed", fmt.Sprint(src.doc.Seed))
	add("digest", src.doc.Digest)
	return out
}
