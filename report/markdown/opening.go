package markdown

import (
	"fmt"
	"html"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// openings takes together what a page opens with: its heading, what puts its numbers in
// doubt, its finding, and, where there are enough sections to look for one, the list of them.
type openings struct{}

// longPage is how many sections a page has that lists them.
const longPage = 3

// Transform puts the heading of a long page, its warning, its finding and its list of sections into one box.
func (openings) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	sections, list := 0, ""
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			if id, ok := h.AttributeString("id"); ok {
				sections++
				list += fmt.Sprintf("<li><a href=\"#%s\">%s</a></li>\n", id, notated(string(wordsOf(h, reader.Source()))))
			}
		}
	}
	first, ok := doc.FirstChild().(*ast.Heading)
	if !ok || sections < longPage {
		return
	}
	head := &box{start: "<div class=\"opening\">\n", end: "<nav class=\"contents\" aria-label=\"On this page\">\n<ul>\n" + list + "</ul>\n</nav>\n</div>\n"}
	doc.InsertBefore(doc, first, head)
	head.AppendChild(head, first)
	for _, kind := range []ast.NodeKind{ast.KindBlockquote, ast.KindParagraph} {
		if n := head.NextSibling(); n != nil && n.Kind() == kind {
			head.AppendChild(head, n)
		}
	}
}

// subscripts are the variables of a title that carry one.
var subscripts = lazily(`\b(\pL)_(\pL)\b`)

// notated writes a plain title as HTML, with its variables as the heading has them.
func notated(title string) string {
	return subscripts().ReplaceAllString(html.EscapeString(title), "<i>$1</i><sub><i>$2</i></sub>")
}
