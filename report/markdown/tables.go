package markdown

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// scroller is a box in which a wide table scrolls.
type scroller struct {
	ast.BaseBlock
	caption string // id of what names it; empty where its table has no caption
	number  int    // of its table among those of the page
}

// folded is a table of which the caption alone is seen until a reader opens it.
type folded struct{ ast.BaseBlock }

// summary is the caption of a folded table.
type summary struct {
	ast.BaseBlock
	id, size string
}

var (
	kindScroller = ast.NewNodeKind("Scroller")
	kindFolded   = ast.NewNodeKind("Folded")
	kindSummary  = ast.NewNodeKind("Summary")
)

func (n *scroller) Kind() ast.NodeKind       { return kindScroller }
func (n *folded) Kind() ast.NodeKind         { return kindFolded }
func (n *summary) Kind() ast.NodeKind        { return kindSummary }
func (n *scroller) Dump(s []byte, level int) { ast.DumpHelper(n, s, level, nil, nil) }
func (n *folded) Dump(s []byte, level int)   { ast.DumpHelper(n, s, level, nil, nil) }
func (n *summary) Dump(s []byte, level int)  { ast.DumpHelper(n, s, level, nil, nil) }

// What encloses a folded table in Markdown, as code hosts read it too.
const (
	foldStart  = "<details>\n<summary>"
	foldMiddle = "</summary>"
	foldEnd    = "</details>"
)

// Fold writes a table so that it is seen only once a reader opens what stands in its
// place. The paragraph above it is its caption.
func Fold(inPlace, table string) string {
	return foldStart + inPlace + foldMiddle + "\n\n" + table + "\n" + foldEnd + "\n"
}

// foldOf is the start of a fold around a table, what stands in the table's place, and its
// end; ok is false where the table is not folded.
func foldOf(t ast.Node, source []byte) (start, end ast.Node, inPlace string, ok bool) {
	start, end = t.PreviousSibling(), t.NextSibling()
	if start == nil || end == nil || !endsFold(end, source) {
		return nil, nil, "", false
	}
	inPlace, ok = summaryOf(start, source)
	return start, end, inPlace, ok
}

// frameTable puts a table, with the caption above it if there is one, in a frame, and
// that in a fold if it stands in one. It returns the node behind all of it.
func frameTable(doc ast.Node, t ast.Node, source []byte, anchors map[string]string) (next ast.Node) {
	classify(t, source)
	box := &scroller{number: 1 + len(every[*scroller](doc))}
	start, end, inPlace, isFolded := foldOf(t, source)
	above := t.PreviousSibling()
	if isFolded {
		above = start.PreviousSibling()
	}
	next = t.NextSibling()
	if above == nil || !labelled(above, source, "Table ") {
		doc.ReplaceChild(doc, t, box)
		box.AppendChild(box, t)
		return next
	}
	f := &frame{class: "table", id: identity(above, source, anchors)}
	if t.FirstChild().ChildCount() > 5 {
		f.class = "table wide"
	}
	box.caption = f.id + "-caption"
	doc.InsertBefore(doc, above, f)
	c := captionOf(doc, above)
	if isFolded {
		next = end.NextSibling()
		doc.RemoveChild(doc, start)
		doc.RemoveChild(doc, end)
		fold(doc, f, c, box.caption, inPlace)
	} else {
		c.id = box.caption
		f.AppendChild(f, c)
	}
	doc.RemoveChild(doc, t)
	box.AppendChild(box, t)
	f.AppendChild(f, box)
	return next
}

// fold puts a frame into a fold below a summary, which is the caption. What a link leads
// to stands within the fold, since browsers open a fold for that alone.
func fold(doc ast.Node, f *frame, c *caption, id, size string) {
	s := &summary{id: id, size: size}
	for n := c.FirstChild(); n != nil; n = c.FirstChild() {
		s.AppendChild(s, n)
	}
	d := &folded{}
	doc.ReplaceChild(doc, f, d)
	d.AppendChild(d, s)
	d.AppendChild(d, f)
}

// longCell is how many letters stand on one line where a table scrolls.
const longCell = 28

// classify gives cells classes that the style sheet reads: columns of numbers,
// verdicts that are not a pass, and texts that need several lines.
func classify(t ast.Node, source []byte) {
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cell := c.(*extast.TableCell)
			class := ""
			if cell.Alignment == extast.AlignRight {
				class = "num"
			}
			if strong, ok := cell.FirstChild().(*ast.Emphasis); ok && strong.Level == 2 {
				class = strings.TrimSpace(class + " alarm")
			}
			if utf8.RuneCount(wordsOf(cell, source)) > longCell {
				class = strings.TrimSpace(class + " long")
			}
			if class != "" {
				cell.SetAttributeString("class", []byte(class))
			}
		}
	}
}

// renderCell writes a cell. A cell of the first line is the head of its column, and the
// first cell of any other line that of its line, unless nothing stands in it.
func renderCell(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*extast.TableCell)
	tag, scope := "td", ""
	switch {
	case n.Parent().Kind() == extast.KindTableHeader:
		tag, scope = "th", ` scope="col"`
	case n.PreviousSibling() == nil && n.HasChildren():
		tag, scope = "th", ` scope="row"`
	}
	if !entering {
		_, _ = fmt.Fprintf(w, "</%s>\n", tag)
		return ast.WalkContinue, nil
	}
	class := ""
	if c, ok := n.AttributeString("class"); ok {
		class = fmt.Sprintf(" class=%q", c)
	}
	_, _ = fmt.Fprintf(w, "<%s%s%s>", tag, scope, class)
	return ast.WalkContinue, nil
}

// renderScroller writes the box of a table, which can be reached by the keyboard and has
// the name of its caption.
func renderScroller(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	s := n.(*scroller)
	name := fmt.Sprintf(`aria-labelledby="%s"`, s.caption)
	if s.caption == "" {
		name = fmt.Sprintf(`aria-label="table without a caption, the %d. of the page"`, s.number)
	}
	return within(`<div class="scroll" tabindex="0" role="group" `+name+">\n", "</div>\n")(w, source, n, entering)
}

// renderSummary writes the caption of a folded table, and how large the table is.
func renderSummary(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	s := n.(*summary)
	size := string(util.EscapeHTML([]byte(s.size)))
	return within(fmt.Sprintf("<summary id=%q>", s.id), ` <span class="size">`+size+"</span></summary>\n")(w, source, n, entering)
}
