package markdown

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// narrow ends the names of figures that are drawn for one column of print or a telephone.
const narrow = "-narrow"

// Size is that of an image in CSS pixels.
type Size struct{ Width, Height int }

// attributes tell a browser the shape of an image before it has loaded.
func (s Size) attributes() string {
	if s == (Size{}) {
		return ""
	}
	return fmt.Sprintf(` width="%d" height="%d"`, s.Width, s.Height)
}

// imagesKey holds the sizes of the images of the site, by their names, while a page is
// parsed.
var imagesKey = parser.NewContextKey()

// variants are the forms of a figure, the first that a browser's media admit
// being shown. The width is that from which the page has room for the wide form
// with text that can be read (style.css).
var variants = []struct{ media, suffix string }{
	{"(max-width: 44.99rem)", narrow},
}

// listsFiles reports a paragraph that begins with a link to a figure's file.
func listsFiles(n ast.Node) bool {
	if n == nil || n.Kind() != ast.KindParagraph {
		return false
	}
	link, ok := n.FirstChild().(*ast.Link)
	return ok && bytes.HasPrefix(link.Destination, []byte("figures/"))
}

// pictureOf sets a chart in all its variants, of which a browser loads the one that
// it shows, when it comes near; the first of a page is in sight when that opens.
func pictureOf(n *ast.Image, source []byte, sizes map[string]Size, first bool) *span {
	address := string(util.EscapeHTML(util.URLEscape(n.Destination, true)))
	base, size, lazy := strings.TrimSuffix(address, ".svg"), sizes[address].attributes(), ` loading="lazy"`
	if first {
		lazy = ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<a href="%s"><picture>`, address)
	for _, v := range variants {
		if other, ok := sizes[base+v.suffix+".svg"]; ok {
			fmt.Fprintf(&b, `<source media="%s" srcset="%s%s.svg"%s>`, v.media, base, v.suffix, other.attributes())
		}
	}
	fmt.Fprintf(&b, `<img src="%s" alt="%s"%s%s></picture></a>`+"\n", address, util.EscapeHTML(wordsOf(n, source)), size, lazy)
	// A browser does not choose again among the variants when it prints, so
	// paper has an image of its own, which is loaded only then.
	fmt.Fprintf(&b, `<img class="paper" src="%s" alt=""%s loading="lazy">`+"\n", address, size)
	return &span{start: b.String()}
}
