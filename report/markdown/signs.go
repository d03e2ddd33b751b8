package markdown

import "github.com/yuin/goldmark/ast"

// NotationID is the anchor of what a page says of its signs, and NotationLabel the
// paragraph above the list that says it.
const (
	NotationID    = "notation"
	NotationLabel = "**" + notation + "**"

	notation = "Notation."
)

// notationBox is a note apart from the text, on the signs of a page.
type notationBox struct{ ast.BaseBlock }

var kindNotationBox = ast.NewNodeKind("NotationBox")

func (n *notationBox) Kind() ast.NodeKind       { return kindNotationBox }
func (n *notationBox) Dump(s []byte, level int) { ast.DumpHelper(n, s, level, nil, nil) }

// boxNotation sets what a page says of its signs apart, and returns the node behind it.
func boxNotation(doc, label, list ast.Node) (next ast.Node) {
	next = list.NextSibling()
	box := &notationBox{}
	doc.ReplaceChild(doc, label, box)
	doc.RemoveChild(doc, list)
	box.AppendChild(box, label)
	box.AppendChild(box, list)
	return next
}
