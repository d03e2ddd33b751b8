package markdown

import (
	"bytes"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// noBreaks hold a formula on one line with what is written close to it: a
// browser would break the line before a comma, or between a symbol and the
// no-break space in front of its value.
type noBreaks struct{}

// Transform puts every formula and the text that touches it into one span.
func (noBreaks) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	for _, f := range every[*passthrough.PassthroughInline](doc) {
		if isFormula(f, reader.Source()) {
			if k := join(f, reader.Source()); k.ChildCount() > 1 {
				k.start, k.end = `<span class="keep">`, "</span>"
			}
		}
	}
}

const blank = " \t\n"

// join puts a formula and the text that touches it in one part.
func join(formula ast.Node, source []byte) *span {
	k := &span{}
	parent := formula.Parent()
	before, _ := formula.PreviousSibling().(*ast.Text)
	parent.ReplaceChild(parent, formula, k)
	if before != nil && !before.SoftLineBreak() && !before.HardLineBreak() {
		// What ends in a space has nothing behind it.
		cut := bytes.LastIndexAny(before.Segment.Value(source), blank) + 1
		if cut < before.Segment.Len() {
			k.AppendChild(k, ast.NewTextSegment(before.Segment.WithStart(before.Segment.Start+cut)))
			before.Segment = before.Segment.WithStop(before.Segment.Start + cut)
		}
	}
	k.AppendChild(k, formula)
	for {
		after, ok := k.NextSibling().(*ast.Text)
		if !ok || after.Segment.Len() == 0 {
			return k
		}
		cut := bytes.IndexAny(after.Segment.Value(source), blank)
		switch {
		case cut == 0:
			return k
		case cut > 0:
			k.AppendChild(k, ast.NewTextSegment(after.Segment.WithStop(after.Segment.Start+cut)))
			after.Segment = after.Segment.WithStart(after.Segment.Start + cut)
			return k
		case after.SoftLineBreak() || after.HardLineBreak():
			k.AppendChild(k, ast.NewTextSegment(after.Segment))
			after.Segment = after.Segment.WithStart(after.Segment.Stop)
			return k
		}
		k.AppendChild(k, after) // which takes it from its parent
	}
}
