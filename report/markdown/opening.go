package markdown

import (
	"fmt"
	"html"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// openings takes together what a page opens with: its heading, what puts its numbers in
// doubt, its finding, and, where there are enough sections to look for one, the list of them.
type openings struct{}

// longPage is how many sections a page has that lists them.
const longPage = 3

// opening is the head of a page.
type opening struct {
	ast.BaseBlock
	sections []section
}

type section struct{ id, title string }

var kindOpening = ast.NewNodeKind("Opening")

func (n *opening) Kind() ast.NodeKind            { return kindOpening }
func (n *opening) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// Transform puts the heading of a long page, its warning, its finding and its list of sections into one box.
func (openings) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	head := &opening{}
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			if id, ok := h.AttributeString("id"); ok {
				head.sections = append(head.sections, section{string(id.([]byte)), string(wordsOf(h, reader.Source()))})
			}
		}
	}
	first, ok := doc.FirstChild().(*ast.Heading)
	if !ok || len(head.sections) < longPage {
		return
	}
	doc.InsertBefore(doc, first, head)
	head.AppendChild(head, first)
	for _, kind := range []ast.NodeKind{ast.KindBlockquote, ast.KindParagraph} {
		if n := head.NextSibling(); n != nil && n.Kind() == kind {
			head.AppendChild(head, n)
		}
	}
}

// renderOpening sets the list of the sections below the finding.
func renderOpening(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<div class=\"opening\">\n")
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("<nav class=\"contents\" aria-label=\"On this page\">\n<ul>\n")
	for _, s := range n.(*opening).sections {
		fmt.Fprintf(w, "<li><a href=\"#%s\">%s</a></li>\n", s.id, notated(s.title))
	}
	_, _ = w.WriteString("</ul>\n</nav>\n</div>\n")
	return ast.WalkContinue, nil
}

// subscripts are the variables of a title that carry one.
var subscripts = regexp.MustCompile(`\b(\pL)_(\pL)\b`)

// notated writes a plain title as HTML, with its variables as the heading has them.
func notated(title string) string {
	return subscripts.ReplaceAllString(html.EscapeString(title), "<i>$1</i><sub><i>$2</i></sub>")
}
