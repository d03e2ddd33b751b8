package markdown

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markup shows HTML that stands in a template as the text that it is, and leaves
// out comments.
type markup struct{}

func (markup) Extend(m goldmark.Markdown) {
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(markup{}, 100)))
}

func (markup) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.Write(asText(n.(*ast.RawHTML).Segments, source))
		}
		return ast.WalkSkipChildren, nil
	})
	reg.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		lines := *n.Lines()
		if closure := n.(*ast.HTMLBlock).ClosureLine; closure.Stop > closure.Start {
			lines.Append(closure)
		}
		if block := asText(&lines, source); len(block) > 0 {
			_, _ = w.WriteString("<p>")
			_, _ = w.Write(block)
			_, _ = w.WriteString("</p>\n")
		}
		return ast.WalkContinue, nil
	})
}

// asText is a piece of HTML as text; of a comment nothing.
func asText(lines *text.Segments, source []byte) []byte {
	var b bytes.Buffer
	for i := range lines.Len() {
		line := lines.At(i)
		b.Write(line.Value(source))
	}
	if bytes.HasPrefix(bytes.TrimSpace(b.Bytes()), []byte("<!--")) {
		return nil
	}
	return util.EscapeHTML(bytes.TrimSpace(b.Bytes()))
}
