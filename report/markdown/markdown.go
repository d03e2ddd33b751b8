// Package markdown converts the Markdown dialect of the pages into HTML. It looks up the MathML of
// formulas, and writes variables in italics, figures with captions, and notes in the margin. It
// does not depend on result documents. A string of a plan must be escaped by a function of
// escape.go before it becomes part of Markdown.
//
// The conversion has three steps. Goldmark parses the page, with subscripts and powers
// (notation.go). Then layout.go frames figures and tables, and links terms (terms.go). Finally,
// nodes.go renders the nodes that goldmark does not have.
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

// dialect returns the converter of the Markdown dialect. It does not write raw HTML, and it gives
// cells classes instead of styles, which the content security policy of the pages forbids. It is
// built on its first use, since most commands write no page.
var dialect = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
			extension.NewFootnote(extension.WithFootnoteBacklinkTitle("back to the text")),
			extension.DefinitionList, extension.Typographer,
			formulaExtension,
		),
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(),
			parser.WithHeadingAttribute(),                                   // IDs that do not change with the words
			parser.WithInlineParsers(util.Prioritized(scriptParser{}, 100)), // before emphasis
			parser.WithASTTransformers(util.Prioritized(layout{}, 1000)),    // after footnotes
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(nodeRenderers{}, 50))),
	)
})

// Page is a page as HTML, with texts for its head.
type Page struct {
	Body    string
	Heading string // first heading as plain text
	Lead    string // first paragraph outside of quotations, as plain text: the page's finding
	HasMath bool   // the page has a formula
}

// Site is the information about the site that the conversion of a page needs.
type Site struct {
	Images map[string]Size // sizes of images, by address
	// Anchors maps anchors with numbers, such as table-3, to anchors with names, such as
	// table-slopes. An anchor with a name does not change when another table is inserted before it.
	Anchors map[string]string
	Terms   []Term // terms that the page links to the glossary
}

// siteKey identifies the Site in the context of the parser.
var siteKey = parser.NewContextKey()

// Convert converts the Markdown of a page into HTML.
func Convert(source []byte, site Site) (Page, error) {
	context := parser.NewContext()
	context.Set(siteKey, site)
	tree := dialect().Parser().Parse(text.NewReader(source), parser.WithContext(context))
	var b bytes.Buffer
	err := dialect().Renderer().Render(&b, source, tree)
	p := Page{
		Body:    breakLongWords(b.String()),
		Heading: firstText[*ast.Heading](tree, source),
		Lead:    firstText[*ast.Paragraph](tree, source),
	}
	p.HasMath = strings.Contains(p.Body, "<math")
	return p, err
}

// Words of at least 18 characters, such as paths, may need more than a line.
var (
	textBetweenTags = compileLazily(`>[^<]{18,}<`)
	longWord        = compileLazily(`[\w./:-]{18,}`)
	wordJoint       = compileLazily(`(\w[/_])(\w)|(\w\.)([A-Z])`)
)

// breakLongWords lets lines of HTML break between the parts of a long word.
func breakLongWords(html string) string {
	return textBetweenTags().ReplaceAllStringFunc(html, func(text string) string {
		return longWord().ReplaceAllStringFunc(text, func(word string) string {
			return wordJoint().ReplaceAllString(word, "$1$3<wbr>$2$4")
		})
	})
}

// firstText returns the plain text of the first node of type N that is not in a quotation.
func firstText[N ast.Node](tree ast.Node, source []byte) string {
	for _, n := range nodesOf[N](tree) {
		if n.Parent().Kind() != ast.KindBlockquote {
			return plainText(n, source)
		}
	}
	return ""
}

// nodesOf returns the nodes of type N in a tree, in the order of the text.
func nodesOf[N ast.Node](tree ast.Node) (found []N) {
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n, ok := n.(N); ok && entering {
			found = append(found, n)
		}
		return ast.WalkContinue, nil
	})
	return found
}

// compileLazily returns a function that compiles a pattern when it is called first. Patterns with
// classes of letters take long to compile, and most commands do not need them.
func compileLazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
