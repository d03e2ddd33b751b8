package markdown

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// What encloses something folded in Markdown, as code hosts read it too.
const (
	foldStart  = "<details>\n<summary>"
	foldMiddle = "</summary>"
	foldEnd    = "</details>"
)

// Fold writes Markdown so that it is seen only once a reader opens what stands in its
// place, which is plain text. The paragraph above a table is its caption.
func Fold(inPlace, folded string) string {
	return foldStart + inPlace + foldMiddle + "\n\n" + folded + "\n" + foldEnd + "\n"
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
func frameTable(doc, t ast.Node, source []byte, anchors map[string]string, number int) (next ast.Node) {
	classify(t, source)
	start, end, inPlace, isFolded := foldOf(t, source)
	above := t.PreviousSibling()
	if isFolded {
		above = start.PreviousSibling()
	}
	next = t.NextSibling()
	if above == nil || !labelled(above, source, "Table ") {
		s := scroller(fmt.Sprintf(`aria-label="table without a caption, the %d. of the page"`, number))
		doc.ReplaceChild(doc, t, s)
		s.AppendChild(s, t)
		return next
	}
	class, id := "table", identity(above, source, anchors)
	if t.FirstChild().ChildCount() > 5 {
		class = "table wide"
	}
	f, name := frameOf(class, id), id+"-caption"
	if isFolded {
		next = end.NextSibling()
		doc.RemoveChild(doc, end)
		doc.ReplaceChild(doc, start, fold(captionOf(doc, above, name), f, name, inPlace))
	} else {
		doc.InsertBefore(doc, above, f)
		f.AppendChild(f, captionOf(doc, above, name))
	}
	s := scroller(fmt.Sprintf(`aria-labelledby="%s"`, name))
	s.AppendChild(s, t)
	f.AppendChild(f, s)
	return next
}

// scroller is a box in which a wide table scrolls. It can be reached by the keyboard, and
// has the name of its caption.
func scroller(name string) *box {
	return &box{start: `<div class="scroll" tabindex="0" role="group" ` + name + ">\n", end: "</div>\n"}
}

// fold puts a frame into a fold below a summary, which is the caption and how large the
// table is. What a link leads to stands within the fold, since browsers open a fold for
// that alone.
func fold(caption, f *box, id, size string) *box {
	caption.start, caption.closed = fmt.Sprintf("<summary id=%q>", id), true
	caption.end = ` <span class="size">` + string(util.EscapeHTML([]byte(size))) + "</span></summary>\n"
	d := &box{start: `<details class="fold">` + "\n", end: "</details>\n"}
	d.AppendChild(d, caption)
	d.AppendChild(d, f)
	return d
}

// longCell is how many letters stand on one line where a table scrolls.
const longCell = 28

// shadeMark stands before the digit of a shade, at the start of a cell: of private use.
const shadeMark = "\ue000"

// Shaded begins a cell that is the darker the greater the part, from 0 to 1.
func Shaded(part float64) string {
	return shadeMark + string(rune('0'+int(math.Round(9*min(max(part, 0), 1)))))
}

// classify gives cells classes that the style sheet reads: columns of numbers,
// verdicts that are not a pass, shades, and texts that need several lines.
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
			if text, ok := cell.FirstChild().(*ast.Text); ok {
				if shade, marked := strings.CutPrefix(string(text.Segment.Value(source)), shadeMark); marked {
					class = strings.TrimSpace(class + " shade-" + shade[:1])
					text.Segment = text.Segment.WithStart(text.Segment.Start + len(shadeMark) + 1)
				}
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
	class := ""
	if c, ok := n.AttributeString("class"); ok {
		class = fmt.Sprintf(" class=%q", c)
	}
	_, _ = w.WriteString(choose(entering, "<"+tag+scope+class+">", "</"+tag+">\n"))
	return ast.WalkContinue, nil
}
