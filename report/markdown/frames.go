package markdown

import (
	"bytes"
	"fmt"
	stdhtml "html"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// frames makes HTML figures: of an image that stands alone and the paragraph
// "Figure n." below it, and of a table and the paragraph "Table n." above it.
// In Markdown both stay what they are.
type frames struct{}

// Transform puts every figure and every table of a document into its frame.
func (frames) Transform(doc *ast.Document, reader text.Reader, context parser.Context) {
	source := reader.Source()
	sizes, _ := context.Get(imagesKey).(map[string]Size)
	anchors, _ := context.Get(anchorsKey).(map[string]string)
	charts, tables := 0, 0
	for n := doc.FirstChild(); n != nil; {
		next := n.NextSibling()
		switch {
		case n.Kind() == extast.KindTable:
			tables++
			next = frameTable(doc, n, source, anchors, tables)
		case lone(n) && next != nil && labelled(next, source, "Figure "):
			charts++
			image := pictureOf(n.FirstChild().(*ast.Image), source, sizes, charts == 1)
			next = frameChart(doc, n, next, image, source, identity(next, source, anchors))
		case next != nil && next.Kind() == ast.KindList && labelled(n, source, notation):
			next = boxNotation(doc, n, next)
		}
		n = next
	}
}

// frameChart puts an image, its caption and the links to its files into a frame, and
// returns what comes behind them.
func frameChart(doc, n, below, image ast.Node, source []byte, id string) (next ast.Node) {
	f := frameOf("chart", id)
	next = below.NextSibling()
	doc.ReplaceChild(doc, n, f)
	f.AppendChild(f, image)
	c := captionOf(doc, below, "")
	f.AppendChild(f, c)
	if !listsFiles(next) {
		return next
	}
	files := &box{start: `<p class="files">`, end: "</p>\n"}
	moveAll(next, files)
	c.AppendChild(c, files)
	next = removed(doc, next)
	if next == nil {
		return nil
	}
	if fold := revealFrom(doc, next, source); fold != nil {
		c.AppendChild(c, fold)
		next = removed(doc, next)
	}
	return next
}

// removed takes a node out of the document and returns the one behind it.
func removed(doc, n ast.Node) (next ast.Node) {
	next = n.NextSibling()
	doc.RemoveChild(doc, n)
	return next
}

// frameOf is the figure element of a class.
func frameOf(class, id string) *box {
	return &box{start: fmt.Sprintf("<figure class=%q id=%q>\n", class, id), end: "</figure>\n"}
}

// lone reports a paragraph that is one image.
func lone(n ast.Node) bool {
	return n.Kind() == ast.KindParagraph && n.ChildCount() == 1 && n.FirstChild().Kind() == ast.KindImage
}

// labelled reports a paragraph that begins with a label in bold.
func labelled(n ast.Node, source []byte, label string) bool {
	if n.Kind() != ast.KindParagraph {
		return false
	}
	strong, ok := n.FirstChild().(*ast.Emphasis)
	return ok && strong.Level == 2 && bytes.HasPrefix(wordsOf(strong, source), []byte(label))
}

// anchorsKey holds the anchors of what has a number while a page is parsed.
var anchorsKey = parser.NewContextKey()

// identity is the anchor of a label: "Figure 1." is figure-1 unless it has one of a name.
func identity(paragraph ast.Node, source []byte, anchors map[string]string) string {
	numbered := Slug(string(wordsOf(paragraph.FirstChild(), source)))
	if named, ok := anchors[numbered]; ok {
		return named
	}
	return numbered
}

// captionOf takes a paragraph out of the document to be a caption, with a name where
// something refers to it.
func captionOf(doc, paragraph ast.Node, id string) *box {
	c := &box{start: "<figcaption>", end: "</figcaption>\n"}
	if id != "" {
		c.start = fmt.Sprintf("<figcaption id=%q>", id)
	}
	doc.RemoveChild(doc, paragraph)
	moveAll(paragraph, c)
	return c
}

// wordsOf returns the text of a node without its markup.
func wordsOf(n ast.Node, source []byte) []byte {
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
		case *ast.String: // what the typographer sets
			b.WriteString(stdhtml.UnescapeString(string(n.Value)))
		case *span:
			b.WriteString(n.plain)
		case *passthrough.PassthroughInline:
			b.WriteString(spoken(inlineTeX(n, source)))
		}
		return ast.WalkContinue, nil
	})
	return b.Bytes()
}
