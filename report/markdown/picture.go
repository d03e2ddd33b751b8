package markdown

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// narrow ends the names of figures that are drawn for one column of print or
// a telephone, dark those for dark paper.
const (
	narrow = "-narrow"
	dark   = "-dark"
)

// filesKey holds the names of the files of the site while a page is parsed.
var filesKey = parser.NewContextKey()

// variants are the forms of a figure, the first that a browser's media admit
// being shown.
var variants = []struct{ media, suffix string }{
	{"(max-width: 34rem) and (prefers-color-scheme: dark)", narrow + dark},
	{"(max-width: 34rem)", narrow},
	{"(prefers-color-scheme: dark)", dark},
}

// offered is the attribute of an image that lists its variants.
const offered = "variants"

// offer notes which variants of an image there are.
func offer(image *ast.Image, files map[string]bool) {
	base, ok := strings.CutSuffix(string(image.Destination), ".svg")
	if !ok {
		return
	}
	var found []int
	for i, v := range variants {
		if files[base+v.suffix+".svg"] {
			found = append(found, i)
		}
	}
	image.SetAttributeString(offered, found)
}

// renderImage sets an image, and a chart of ours in all its variants.
func renderImage(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.Image)
	address := string(util.EscapeHTML(util.URLEscape(n.Destination, true)))
	if html.IsDangerousURL(n.Destination) {
		address = ""
	}
	alt := util.EscapeHTML(plain(n, source))
	list, ok := n.AttributeString(offered)
	if !ok {
		fmt.Fprintf(w, `<img src="%s" alt="%s">`, address, alt)
		return ast.WalkSkipChildren, nil
	}
	fmt.Fprintf(w, `<a href="%s"><picture>`, address)
	for _, i := range list.([]int) {
		v := variants[i]
		fmt.Fprintf(w, `<source media="%s" srcset="%s%s.svg">`, v.media, strings.TrimSuffix(address, ".svg"), v.suffix)
	}
	fmt.Fprintf(w, `<img src="%s" alt="%s"></picture></a>`+"\n", address, alt)
	// A browser does not choose again among the variants when it prints, so
	// paper has an image of its own; it is the one that light screens load.
	fmt.Fprintf(w, `<img class="paper" src="%s" alt="">`+"\n", address)
	return ast.WalkSkipChildren, nil
}
