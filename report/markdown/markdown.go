// Package markdown writes the Markdown dialect of the pages as HTML: its formulas (looked up as
// MathML), variables in italics, figures with captions, notes in the margin. It knows no document.
// Text from elsewhere becomes part of Markdown only through Escape.
//
// A page is written in three steps: goldmark parses it, with subscripts and powers (notation.go);
// layout.go frames figures and tables, and links terms (terms.go); and nodes.go renders what is not
// goldmark's own.
package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// dialect is the Markdown dialect of the pages. It does not write raw HTML, and cells have classes
// instead of styles, which the content security policy of the pages would refuse. It is made on its
// first use, since most commands write no page.
var dialect = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
			extension.NewFootnote(extension.WithFootnoteBacklinkTitle("back to the text")),
			extension.DefinitionList, extension.Typographer,
			mathematics,
		),
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(),
			parser.WithHeadingAttribute(),                                // ids that stay when a heading changes
			parser.WithInlineParsers(util.Prioritized(scripts{}, 100)),   // before emphasis
			parser.WithASTTransformers(util.Prioritized(layout{}, 1000)), // after footnotes
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(nodeRenderers{}, 50))),
	)
})

// Page is a page as HTML, with texts for its head.
type Page struct {
	Body    string
	Heading string // the first, as plain text
	Lead    string // the first paragraph that is not a quotation, as plain text: the finding of the page
	Chart   string // the address of the first chart
	Math    bool   // whether there is a formula
}

// Site is the information about the whole site that a page needs.
type Site struct {
	Images map[string]Size // sizes of the images by their names
	// Anchors are names in place of numbers: of table-3 table-slopes, which stays when tables come
	// and go before it.
	Anchors map[string]string
	Terms   []Term
}

// siteKey is the key of the site while a page is parsed.
var siteKey = parser.NewContextKey()

// HTML writes the Markdown of a page as HTML.
func HTML(source []byte, site Site) (Page, error) {
	context := parser.NewContext()
	context.Set(siteKey, site)
	tree := dialect().Parser().Parse(text.NewReader(source), parser.WithContext(context))
	var b bytes.Buffer
	err := dialect().Renderer().Render(&b, source, tree)
	p := Page{
		Body:    b.String(),
		Heading: firstWords[*ast.Heading](tree, source),
		Lead:    firstWords[*ast.Paragraph](tree, source),
	}
	p.Math = strings.Contains(p.Body, "<math")
	if chart := chartLink.FindStringSubmatch(p.Body); chart != nil {
		p.Chart = chart[1]
	}
	return p, err
}

// chartLink matches the address of a chart.
var chartLink = regexp.MustCompile(`<a href="([^"]*)"><picture>`)

// firstWords returns the words of the first node of a type that is not in a quotation.
func firstWords[N ast.Node](tree ast.Node, source []byte) string {
	for _, n := range every[N](tree) {
		if n.Parent().Kind() != ast.KindBlockquote {
			return wordsOf(n, source)
		}
	}
	return ""
}

// every lists the nodes of a type from the first to the last.
func every[N ast.Node](tree ast.Node) (found []N) {
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n, ok := n.(N); ok && entering {
			found = append(found, n)
		}
		return ast.WalkContinue, nil
	})
	return found
}

// lazily compiles a pattern on its first use: classes of letters take long, and most commands
// render nothing.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
