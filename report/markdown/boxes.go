package markdown

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// box is a block, and span a part of a line, that the pages have around what Markdown has,
// or in its place: its start and its end are HTML.
type (
	box struct {
		ast.BaseBlock
		start, end string
		closed     bool // words in it lead nowhere
	}
	span struct {
		ast.BaseInline
		start, end string
		plain      string // what stands in its place in plain text
	}
)

var kindBox, kindSpan = ast.NewNodeKind("Box"), ast.NewNodeKind("Span")

func (n *box) Kind() ast.NodeKind                { return kindBox }
func (n *span) Kind() ast.NodeKind               { return kindSpan }
func (n *box) Dump(source []byte, level int)     { ast.DumpHelper(n, source, level, nil, nil) }
func (n *span) Dump(source []byte, level int)    { ast.DumpHelper(n, source, level, nil, nil) }
func (n *box) text(entering bool) (html string)  { return choose(entering, n.start, n.end) }
func (n *span) text(entering bool) (html string) { return choose(entering, n.start, n.end) }

// choose is the start or the end.
func choose(entering bool, start, end string) string {
	if entering {
		return start
	}
	return end
}

// renderEnclosed writes what a box or a span has around its children.
func renderEnclosed(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	_, _ = w.WriteString(n.(interface{ text(bool) string }).text(entering))
	return ast.WalkContinue, nil
}

// moveAll puts the children of a node behind those of another.
func moveAll(from, to ast.Node) {
	for n := from.FirstChild(); n != nil; n = from.FirstChild() {
		to.AppendChild(to, n) // which takes it from its parent
	}
}

// renderListing sets a block of code in a box that can be reached, and so
// scrolled, by the keyboard.
func renderListing(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		fmt.Fprintf(w, "<pre tabindex=\"0\"><code>%s</code></pre>\n", util.EscapeHTML(n.Lines().Value(source)))
	}
	return ast.WalkSkipChildren, nil
}

// NotationID is the anchor of what a page says of its signs, and NotationLabel the
// paragraph above the list that says it.
const (
	NotationID    = "notation"
	NotationLabel = "**" + notation + "**"

	notation = "Notation."
)

// boxNotation sets what a page says of its signs apart, and returns the node behind it.
func boxNotation(doc, label, list ast.Node) (next ast.Node) {
	next = list.NextSibling()
	apart := &box{start: `<aside class="notation" id="` + NotationID + `" aria-label="Notation">` + "\n", end: "</aside>\n"}
	doc.ReplaceChild(doc, label, apart)
	apart.AppendChild(apart, label)
	apart.AppendChild(apart, list)
	return next
}
