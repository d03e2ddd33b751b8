package markdown

import (
	"bytes"
	"fmt"
	stdhtml "html"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A box is a block node, and a span is an inline node. Both have HTML before and after their
// children.
type (
	box struct {
		ast.BaseBlock
		start, end string
		hideTerms  bool // terms in the box are not linked
		foldTarget *box // box to which a fold after this box is added; may be nil
	}
	span struct {
		ast.BaseInline
		start, end string
		plain      string // the node as plain text
	}
)

var kindBox, kindSpan = ast.NewNodeKind("Box"), ast.NewNodeKind("Span")

func (n *box) Kind() ast.NodeKind             { return kindBox }
func (n *span) Kind() ast.NodeKind            { return kindSpan }
func (n *box) Dump(source []byte, level int)  { ast.DumpHelper(n, source, level, nil, nil) }
func (n *span) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// wrapInBox puts nodes into a new box at the position of the first node.
func wrapInBox(start, end string, nodes ...ast.Node) *box {
	b := &box{start: start, end: end}
	parent := nodes[0].Parent()
	parent.InsertBefore(parent, nodes[0], b)
	for _, n := range nodes {
		b.AppendChild(b, n) // also removes n from its parent
	}
	return b
}

// replaceByBox replaces a node by a new box with its children.
func replaceByBox(n ast.Node, start, end string) *box {
	b := &box{start: start, end: end}
	for c := n.FirstChild(); c != nil; c = n.FirstChild() {
		b.AppendChild(b, c) // also removes c from n
	}
	n.Parent().ReplaceChild(n.Parent(), n, b)
	return b
}

// nodeRenderers renders the nodes that goldmark does not have, or that it renders in another way.
type nodeRenderers struct{}

func (nodeRenderers) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	for kind, render := range map[ast.NodeKind]renderer.NodeRendererFunc{
		kindBox:                           renderBox,
		kindSpan:                          renderSpan,
		ast.KindHeading:                   renderHeading,
		ast.KindFencedCodeBlock:           renderListing,
		ast.KindRawHTML:                   renderRawHTML,
		ast.KindHTMLBlock:                 renderHTMLBlock,
		extast.KindFootnoteLink:           renderReference,
		extast.KindTableCell:              renderCell,
		passthrough.KindPassthroughInline: renderInlineFormula,
		passthrough.KindPassthroughBlock:  renderDisplayFormula,
	} {
		reg.Register(kind, render)
	}
}

// writeTag writes the start or the end of a node.
func writeTag(w util.BufWriter, entering bool, start, end string) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(start)
	} else {
		_, _ = w.WriteString(end)
	}
	return ast.WalkContinue, nil
}

func renderBox(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	return writeTag(w, entering, n.(*box).start, n.(*box).end)
}

func renderSpan(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	return writeTag(w, entering, n.(*span).start, n.(*span).end)
}

// renderListing writes a block of code that a reader can focus and scroll by the keyboard.
func renderListing(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		fmt.Fprintf(w, "<pre tabindex=\"0\"><code>%s</code></pre>\n", util.EscapeHTML(n.Lines().Value(source)))
	}
	return ast.WalkSkipChildren, nil
}

// renderRawHTML shows HTML in running text as text, and omits comments.
func renderRawHTML(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.Write(escapeHTML(n.(*ast.RawHTML).Segments, source))
	}
	return ast.WalkSkipChildren, nil
}

// renderHTMLBlock shows HTML on separate lines as text, and omits comments.
func renderHTMLBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	lines := *n.Lines()
	if closure := n.(*ast.HTMLBlock).ClosureLine; closure.Stop > closure.Start {
		lines.Append(closure)
	}
	if block := escapeHTML(&lines, source); len(block) > 0 {
		fmt.Fprintf(w, "<p>%s</p>\n", block)
	}
	return ast.WalkContinue, nil
}

// escapeHTML escapes HTML, and returns nil for a comment.
func escapeHTML(lines *text.Segments, source []byte) []byte {
	html := bytes.TrimSpace(lines.Value(source))
	if bytes.HasPrefix(html, []byte("<!--")) {
		return nil
	}
	return util.EscapeHTML(html)
}

// renderCell writes a cell of a table. The cells of the first line are headers of columns. The
// first cell of any other line is the header of that line, unless it is empty.
func renderCell(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag, scope := "td", ""
	switch {
	case n.Parent().Kind() == extast.KindTableHeader:
		tag, scope = "th", ` scope="col"`
	case n.PreviousSibling() == nil && n.HasChildren():
		tag, scope = "th", ` scope="row"`
	}
	class := ""
	if c, ok := n.AttributeString("class"); ok {
		class = fmt.Sprintf(" class=%q", c)
	}
	return writeTag(w, entering, "<"+tag+scope+class+">", "</"+tag+">\n")
}

// noteAttribute is the attribute of a reference to a footnote. Its value is the footnote's text.
const noteAttribute = "note"

// renderReference writes a reference to a footnote. After the first reference, it also writes the
// footnote. The style sheet shows it in the margin if there is room, and otherwise shows the list
// of footnotes at the end of the page.
func renderReference(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*extast.FootnoteLink)
	id := fmt.Sprintf("fnref:%d", n.Index)
	if n.RefIndex > 0 {
		id = fmt.Sprintf("fnref%d:%d", n.RefIndex, n.Index)
	}
	fmt.Fprintf(w, `<sup id="%s"><a href="#fn:%d" class="footnote-ref" `, id, n.Index)
	fmt.Fprintf(w, `role="doc-noteref" aria-label="note %d">%d</a></sup>`, n.Index, n.Index)
	note, ok := n.AttributeString(noteAttribute)
	if !ok {
		return ast.WalkContinue, nil
	}
	fmt.Fprintf(w, `<span class="note"><sup>%d</sup> `, n.Index)
	for c := note.(ast.Node).FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() == extast.KindFootnoteBacklink {
			continue
		}
		if err := dialect().Renderer().Render(w, source, c); err != nil {
			return ast.WalkStop, err
		}
	}
	_, _ = w.WriteString("</span>")
	return ast.WalkContinue, nil
}

// plainText returns the text of a node without its markup.
func plainText(n ast.Node, source []byte) string {
	var b bytes.Buffer
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(util.UnescapePunctuations(n.Segment.Value(source)))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String: // from the typographer
			b.WriteString(stdhtml.UnescapeString(string(n.Value)))
		case *span:
			b.WriteString(n.plain)
		case *passthrough.PassthroughInline:
			b.WriteString(plainTeX(inlineTeX(n, source)))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
