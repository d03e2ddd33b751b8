package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// reveals folds what a reader opens when ready for it, such as the answer to a question. In
// Markdown it stands between the lines of [Fold], which code hosts fold as well.
type reveals struct{}

// Transform folds what stands between such lines, but for tables, which have their frames.
func (reveals) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if r := revealFrom(doc, n, reader.Source()); r != nil {
			doc.InsertBefore(doc, n, r)
			doc.RemoveChild(doc, n)
			n = r
		}
	}
}

// revealFrom takes all that stands between the line n and the end of its fold out of the
// document, and that end; it is nil where n begins no fold or the fold has no end.
func revealFrom(doc, n ast.Node, source []byte) *box {
	summary, ok := summaryOf(n, source)
	if !ok {
		return nil
	}
	end := n.NextSibling()
	for ; end != nil && !endsFold(end, source); end = end.NextSibling() {
		if _, another := summaryOf(end, source); another {
			return nil
		}
	}
	if end == nil {
		return nil
	}
	r := &box{start: `<details class="reveal">` + "\n<summary>" + string(util.EscapeHTML([]byte(summary))) + "</summary>\n", end: "</details>\n"}
	for held := n.NextSibling(); held != end; held = n.NextSibling() {
		r.AppendChild(r, held) // which takes it from the document
	}
	doc.RemoveChild(doc, end)
	return r
}

// summaryOf is what stands in the place of a fold that begins with n.
func summaryOf(n ast.Node, source []byte) (summary string, ok bool) {
	if n.Kind() != ast.KindHTMLBlock {
		return "", false
	}
	summary, begins := strings.CutPrefix(string(bytes.TrimSpace(n.Lines().Value(source))), foldStart)
	summary, complete := strings.CutSuffix(summary, foldMiddle)
	return summary, begins && complete
}

// endsFold reports the line that ends a fold.
func endsFold(n ast.Node, source []byte) bool {
	return n.Kind() == ast.KindHTMLBlock && string(bytes.TrimSpace(n.Lines().Value(source))) == foldEnd
}
