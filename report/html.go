package report

import (
	"bytes"
	"fmt"
	htmltemplate "html/template"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// markdown is the one Markdown dialect of the pages. Raw HTML is left out of
// what it writes, and cells carry classes instead of styles, which the
// content security policy of the pages would refuse. It is made when it is
// first needed, since most commands write no page.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
			extension.NewFootnote(extension.WithFootnoteBacklinkTitle("back to the text")),
			extension.DefinitionList, extension.Typographer,
			mathematics{}, notation{}, frames{}, margins{}, headings{}, openings{}, listings{}, keeps{}, markup{},
		),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	)
})

// shell is what shell.html is filled with.
type shell struct {
	Name     string // of the page, for its style
	Title    string
	Plan     string
	Pages    []pageLink
	Previous *pageLink
	Next     *pageLink
	Body     htmltemplate.HTML
	Facts    []fact
}

// pageLink is an entry of the navigation.
type pageLink struct {
	File, Title string
	Here        bool
	Apart       bool // at the foot of the pages, not at their head
}

// fact is an entry of the footer.
type fact struct{ Name, Value string }

// page sets one page of the site.
func (set *templateSet) page(src *source, i int, source []byte) ([]byte, error) {
	context := parser.NewContext()
	context.Set(filesKey, src.files)
	tree := markdown().Parser().Parse(text.NewReader(source), parser.WithContext(context))
	var body bytes.Buffer
	if err := markdown().Renderer().Render(&body, source, tree); err != nil {
		return nil, fmt.Errorf("%s.html: %w", pages[i].name, err)
	}
	s := shell{
		Name:  pages[i].name,
		Title: title(tree, source, pages[i].title),
		Plan:  src.plan.Name,
		Body:  htmltemplate.HTML(body.String()), // goldmark has escaped all text in it
		Facts: facts(src),
	}
	for j, p := range pages {
		s.Pages = append(s.Pages, pageLink{p.name + ".html", p.title, i == j, p.apart})
	}
	if i > 0 {
		s.Previous = &s.Pages[i-1]
	}
	if i+1 < len(pages) {
		s.Next = &s.Pages[i+1]
	}
	var out bytes.Buffer
	if err := set.shell.Execute(&out, s); err != nil {
		return nil, set.clear(err)
	}
	return out.Bytes(), nil
}

// title returns the first heading.
func title(tree ast.Node, source []byte, otherwise string) string {
	found := otherwise
	_ = ast.Walk(tree, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && h.Level == 1 {
			found = string(plain(h, source))
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return found
}

// facts are what the footer says of the document.
func facts(src *source) []fact {
	out := []fact{{"seed", fmt.Sprint(src.doc.Seed)}}
	if src.doc.Digest != "" {
		out = append(out, fact{"results", src.doc.Digest})
	}
	return out
}
