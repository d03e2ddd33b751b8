package markdown

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// renderListing sets a block of code in a box that can be reached, and so
// scrolled, by the keyboard.
func renderListing(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		fmt.Fprintf(w, "<pre tabindex=\"0\"><code>%s</code></pre>\n", util.EscapeHTML(n.Lines().Value(source)))
	}
	return ast.WalkSkipChildren, nil
}
