package markdown

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// renderMarkup shows HTML that stands in the text of a template as the text that
// it is, and leaves out comments.
func renderMarkup(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.Write(asText(n.(*ast.RawHTML).Segments, source))
	}
	return ast.WalkSkipChildren, nil
}

// renderMarkupBlock does the same with HTML on lines of its own.
func renderMarkupBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
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

// asText is a piece of HTML as text; of a comment nothing.
func asText(lines *text.Segments, source []byte) []byte {
	piece := bytes.TrimSpace(lines.Value(source))
	if bytes.HasPrefix(piece, []byte("<!--")) {
		return nil
	}
	return util.EscapeHTML(piece)
}
