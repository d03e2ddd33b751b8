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

// frame is a figure element that holds a caption and a table or an image.
type frame struct {
	ast.BaseBlock
	class string
	id    string
}

// caption is the figcaption of a frame.
type caption struct {
	ast.BaseBlock
	id string // empty where nothing refers to it
}

var (
	kindFrame   = ast.NewNodeKind("Frame")
	kindCaption = ast.NewNodeKind("Caption")
)

func (n *frame) Kind() ast.NodeKind         { return kindFrame }
func (n *caption) Kind() ast.NodeKind       { return kindCaption }
func (n *frame) Dump(s []byte, level int)   { ast.DumpHelper(n, s, level, nil, nil) }
func (n *caption) Dump(s []byte, level int) { ast.DumpHelper(n, s, level, nil, nil) }

// Transform puts every figure and every table of a document into its frame.
func (frames) Transform(doc *ast.Document, reader text.Reader, context parser.Context) {
	source := reader.Source()
	sizes, _ := context.Get(imagesKey).(map[string]Size)
	anchors, _ := context.Get(anchorsKey).(map[string]string)
	first := true // of the charts
	for n := doc.FirstChild(); n != nil; {
		next := n.NextSibling()
		switch {
		case n.Kind() == extast.KindTable:
			next = frameTable(doc, n, source, anchors)
		case lone(n) && next != nil && labelled(next, source, "Figure "):
			after := next.NextSibling()
			image := &picture{image: n.FirstChild().(*ast.Image), sizes: sizes, first: first}
			first = false
			f := &frame{class: "chart", id: identity(next, source, anchors)}
			doc.ReplaceChild(doc, n, f)
			f.AppendChild(f, image)
			text := captionOf(doc, next)
			f.AppendChild(f, text)
			if next = after; listsFiles(after) {
				next = after.NextSibling()
				text.AppendChild(text, fileListOf(doc, after))
				next = takeReveal(doc, text, next, source)
			}
		case next != nil && next.Kind() == ast.KindList && labelled(n, source, notation):
			next = boxNotation(doc, n, next)
		}
		n = next
	}
}

// takeReveal puts a fold that stands below the files of a figure into its caption, and
// returns what comes behind it.
func takeReveal(doc, into, n ast.Node, source []byte) (next ast.Node) {
	if n == nil {
		return nil
	}
	r := revealFrom(doc, n, source)
	if r == nil {
		return n
	}
	next = n.NextSibling()
	doc.RemoveChild(doc, n)
	into.AppendChild(into, r)
	return next
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

// captionOf takes a paragraph out of the document to be a caption.
func captionOf(doc, paragraph ast.Node) *caption {
	c := &caption{}
	doc.RemoveChild(doc, paragraph)
	for n := paragraph.FirstChild(); n != nil; n = paragraph.FirstChild() {
		c.AppendChild(c, n)
	}
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
		case *formula:
			b.WriteString(n.text)
		case *passthrough.PassthroughInline:
			b.WriteString(spoken(inlineTeX(n, source)))
		}
		return ast.WalkContinue, nil
	})
	return b.Bytes()
}

func renderFrame(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	f := n.(*frame)
	return within(fmt.Sprintf("<figure class=%q id=%q>\n", f.class, f.id), "</figure>\n")(w, source, n, entering)
}

// renderCaption writes a caption, and its name where something refers to it.
func renderCaption(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	start := "<figcaption>"
	if id := n.(*caption).id; id != "" {
		start = fmt.Sprintf("<figcaption id=%q>", id)
	}
	return within(start, "</figcaption>\n")(w, source, n, entering)
}
