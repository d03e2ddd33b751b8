package markdown

import (
	"bytes"
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
	{"(max-width: 44.99rem) and (prefers-color-scheme: dark)", narrow + dark},
	{"(max-width: 44.99rem)", narrow},
	{"(prefers-color-scheme: dark)", dark},
}

// picture is a chart of ours in the variants that there are of it.
type picture struct {
	ast.BaseInline
	image *ast.Image
	sizes map[string]Size
	first bool // on its page, and so in sight when that opens
}

var kindPicture = ast.NewNodeKind("Picture")

func (n *picture) Kind() ast.NodeKind            { return kindPicture }
func (n *picture) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// fileList is the line of links to the other forms of a figure.
type fileList struct{ ast.BaseBlock }

var kindFileList = ast.NewNodeKind("FileList")

func (n *fileList) Kind() ast.NodeKind            { return kindFileList }
func (n *fileList) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// listsFiles reports a paragraph that begins with a link to a figure's file.
func listsFiles(n ast.Node) bool {
	if n == nil || n.Kind() != ast.KindParagraph {
		return false
	}
	link, ok := n.FirstChild().(*ast.Link)
	return ok && bytes.HasPrefix(link.Destination, []byte("figures/"))
}

// fileListOf takes a paragraph out of the document to be a list of files.
func fileListOf(doc, paragraph ast.Node) *fileList {
	l := &fileList{}
	doc.RemoveChild(doc, paragraph)
	for n := paragraph.FirstChild(); n != nil; n = paragraph.FirstChild() {
		l.AppendChild(l, n)
	}
	return l
}

// renderImage sets an image that is no chart of ours.
func renderImage(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		n := node.(*ast.Image)
		fmt.Fprintf(w, `<img src="%s" alt="%s">`, addressOf(n), util.EscapeHTML(wordsOf(n, source)))
	}
	return ast.WalkSkipChildren, nil
}

// addressOf is the address of an image, as an attribute.
func addressOf(n *ast.Image) string {
	if html.IsDangerousURL(n.Destination) {
		return ""
	}
	return string(util.EscapeHTML(util.URLEscape(n.Destination, true)))
}

// renderPicture sets a chart in all its variants, of which a browser loads the one that
// it shows, when it comes near.
func renderPicture(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*picture)
	address := addressOf(n.image)
	base, size, lazy := strings.TrimSuffix(address, ".svg"), n.sizes[address].attributes(), ` loading="lazy"`
	if n.first {
		lazy = ""
	}
	fmt.Fprintf(w, `<a href="%s"><picture>`, address)
	for _, v := range variants {
		if other, ok := n.sizes[base+v.suffix+".svg"]; ok {
			fmt.Fprintf(w, `<source media="%s" srcset="%s%s.svg"%s>`, v.media, base, v.suffix, other.attributes())
		}
	}
	fmt.Fprintf(w, `<img src="%s" alt="%s"%s%s></picture></a>`+"\n", address, util.EscapeHTML(wordsOf(n.image, source)), size, lazy)
	// A browser does not choose again among the variants when it prints, so
	// paper has an image of its own, which is loaded only then.
	fmt.Fprintf(w, `<img class="paper" src="%s" alt=""%s loading="lazy">`+"\n", address, size)
	return ast.WalkContinue, nil
}
