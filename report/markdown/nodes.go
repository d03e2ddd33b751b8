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

// box is a block, and span a part of a line, whose start and end are HTML.
type (
	box struct {
		ast.BaseBlock
		start, end string
		noTerms    bool // words in it are not linked
		folds      *box // takes a fold that follows the box
	}
	span struct {
		ast.BaseInline
		start, end string
		plain      string // the same as plain text
	}
)

var kindBox, kindSpan = ast.NewNodeKind("Box"), ast.NewNodeKind("Span")

func (n *box) Kind() ast.NodeKind             { return kindBox }
func (n *span) Kind() ast.NodeKind            { return kindSpan }
func (n *box) Dump(source []byte, level int)  { ast.DumpHelper(n, source, level, nil, nil) }
func (n *span) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// wrap puts nodes into a new box in the place of the first.
func wrap(start, end string, nodes ...ast.Node) *box {
	b := &box{start: start, end: end}
	parent := nodes[0].Parent()
	parent.InsertBefore(parent, nodes[0], b)
	for _, n := range nodes {
		b.AppendChild(b, n) // which removes n from its parent
	}
	return b
}

// replace puts the children of a node into a new box in the place of the node.
func replace(n ast.Node, start, end string) *box {
	b := &box{start: start, end: end}
	for c := n.FirstChild(); c != nil; c = n.FirstChild() {
		b.AppendChild(b, c) // which removes c from n
	}
	n.Parent().ReplaceChild(n.Parent(), n, b)
	return b
}

// nodeRenderers render the nodes that goldmark does not have, or renders in another way.
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

// renderListing writes a block of code that the keyboard can reach, and so scroll.
func renderListing(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		fmt.Fprintf(w, "<pre tabindex=\"0\"><code>%s</code></pre>\n", util.EscapeHTML(n.Lines().Value(source)))
	}
	return ast.WalkSkipChildren, nil
}

// renderRawHTML shows HTML in the text of a template as text, and leaves out comments.
func renderRawHTML(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.Write(asText(n.(*ast.RawHTML).Segments, source))
	}
	return ast.WalkSkipChildren, nil
}

// renderHTMLBlock does the same with HTML on lines of its own.
func renderHTMLBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	lines := *n.Lines()
	if closure := n.(*ast.HTMLBlock).ClosureLine; closure.Stop > closure.Start {
		lines.Append(closure)
	}
	if block := asText(&lines, source); len(block) > 0 {
		fmt.Fprintf(w, "<p>%s</p>\n", block)
	}
	return ast.WalkContinue, nil
}

// asText returns HTML as text, and nothing for a comment.
func asText(lines *text.Segments, source []byte) []byte {
	html := bytes.TrimSpace(lines.Value(source))
	if bytes.HasPrefix(html, []byte("<!--")) {
		return nil
	}
	return util.EscapeHTML(html)
}

// renderCell writes a cell. Cells of the first row are heads of columns, and the first cell of any
// other row is the head of that row unless it is empty.
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

// noteText is the attribute of a reference with its footnote.
const noteText = "note"

// renderReference writes the number of a footnote, and for the first reference the footnote itself.
// The style sheet shows it in the margin if there is room, and else the list of footnotes at the end
// of the page.
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
	note, ok := n.AttributeString(noteText)
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

// wordsOf returns the text of a node without its markup.
func wordsOf(n ast.Node, source []byte) string {
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
			b.WriteString(spoken(inlineTeX(n, source)))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
