// Package markdown writes the one Markdown dialect of the pages as HTML: its
// formulas (looked up as MathML), variables in italics, figures with captions,
// notes in the margin. It knows no document. Text from elsewhere becomes part
// of Markdown through Escape alone.
package markdown

import (
	"bytes"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
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
			mathematics{}, notation{}, frames{}, margins{}, headings{}, openings{}, listings{}, noBreaks{}, markup{},
		),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	)
})

// HTML writes the Markdown of a page as HTML, and returns its first heading
// as plain text. Of the figures, files says which variants there are.
func HTML(source []byte, files map[string]bool) (body, heading string, err error) {
	context := parser.NewContext()
	context.Set(filesKey, files)
	tree := dialect().Parser().Parse(text.NewReader(source), parser.WithContext(context))
	var b bytes.Buffer
	err = dialect().Renderer().Render(&b, source, tree)
	return b.String(), title(tree, source), err
}

// title returns the first heading.
func title(tree ast.Node, source []byte) (found string) {
	_ = ast.Walk(tree, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && h.Level == 1 {
			found = string(plain(h, source))
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return found
}
