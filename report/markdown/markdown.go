// Package markdown writes the one Markdown dialect of the pages as HTML: its
// formulas (looked up as MathML), variables in italics, figures with captions,
// notes in the margin. It knows no document. Text from elsewhere becomes part
// of Markdown through Escape alone.
package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// dialect is the one Markdown dialect of the pages. Raw HTML is left out of
// what it writes, and cells carry classes instead of styles, which the
// content security policy of the pages would refuse. It is made when it is
// first needed, since most commands write no page.
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
			parser.WithHeadingAttribute(),                              // ids that stay where a heading says something else
			parser.WithInlineParsers(util.Prioritized(scripts{}, 100)), // before emphasis
			parser.WithASTTransformers(
				util.Prioritized(noBreaks{}, 90),
				util.Prioritized(variables{}, 100),
				util.Prioritized(frames{}, 200),
				util.Prioritized(choices{}, 240),
				util.Prioritized(reveals{}, 250),
				util.Prioritized(openings{}, 300),
				util.Prioritized(explanations{}, 400),
				util.Prioritized(margins{}, 1000), // the footnotes themselves are arranged at 999
			),
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(nodeRenderers{}, 50))),
	)
})

// nodeRenderers write the kinds of nodes that stand in the pages otherwise than
// goldmark has them.
type nodeRenderers struct{}

func (nodeRenderers) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	for kind, render := range map[ast.NodeKind]renderer.NodeRendererFunc{
		ast.KindHeading: renderHeading, ast.KindFencedCodeBlock: renderListing,
		ast.KindRawHTML: renderMarkup, ast.KindHTMLBlock: renderMarkupBlock,
		passthrough.KindPassthroughInline: renderInline, passthrough.KindPassthroughBlock: renderDisplay,
		extast.KindFootnoteLink: renderReference, extast.KindTableCell: renderCell,
		kindBox: renderEnclosed, kindSpan: renderEnclosed,
	} {
		reg.Register(kind, render)
	}
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

// Page is a page as HTML, and what its head says of it.
type Page struct {
	Body    string
	Heading string // the first, as plain text
	Lead    string // the first paragraph that is no quotation, as plain text without markup: what a page has found
	Chart   string // the address of the first chart
	Math    bool   // whether there is a formula
}

// Site is what a page knows of the others.
type Site struct {
	Images map[string]Size // the variants of figures that there are, and their sizes
	// Anchors gives what has a number one of a name instead: of table-3 table-slopes,
	// which stays when tables come and go before it.
	Anchors map[string]string
	Terms   []Term
}

// HTML writes the Markdown of a page as HTML.
func HTML(source []byte, site Site) (Page, error) {
	context := parser.NewContext()
	context.Set(imagesKey, site.Images)
	context.Set(anchorsKey, site.Anchors)
	context.Set(termsKey, site.Terms)
	tree := dialect().Parser().Parse(text.NewReader(source), parser.WithContext(context))
	var b bytes.Buffer
	err := dialect().Renderer().Render(&b, source, tree)
	p := Page{Body: b.String(), Heading: first[*ast.Heading](tree, source), Lead: first[*ast.Paragraph](tree, source)}
	p.Math = strings.Contains(p.Body, "<math")
	if chart := chartIn.FindStringSubmatch(p.Body); chart != nil {
		p.Chart = chart[1]
	}
	return p, err
}

// chartIn finds the address of a chart.
var chartIn = regexp.MustCompile(`<a href="([^"]*)"><picture>`)

// first returns the words of the first node of a type that is in no quotation.
func first[N ast.Node](tree ast.Node, source []byte) string {
	for _, n := range every[N](tree) {
		if n.Parent().Kind() != ast.KindBlockquote {
			return string(wordsOf(n, source))
		}
	}
	return ""
}
