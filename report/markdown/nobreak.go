package markdown

import (
	"bytes"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// noBreaks hold a formula on one line with what is written close to it: a
// browser would break the line before a comma, or between a symbol and the
// no-break space in front of its value.
type noBreaks struct{}

// noBreak is a part of a line that does not break.
type noBreak struct{ ast.BaseInline }

var kindNoBreak = ast.NewNodeKind("NoBreak")

func (n *noBreak) Kind() ast.NodeKind            { return kindNoBreak }
func (n *noBreak) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// Transform puts every formula and the text that touches it into one span.
func (noBreaks) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	for _, f := range every[*passthrough.PassthroughInline](doc) {
		if isFormula(f, reader.Source()) {
			join(f, reader.Source())
		}
	}
}

const blank = " \t\n"

// join puts a formula and the text that touches it in one part.
func join(formula ast.Node, source []byte) {
	k := &noBreak{}
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
			return
		}
		cut := bytes.IndexAny(after.Segment.Value(source), blank)
		switch {
		case cut == 0:
			return
		case cut > 0:
			k.AppendChild(k, ast.NewTextSegment(after.Segment.WithStop(after.Segment.Start+cut)))
			after.Segment = after.Segment.WithStart(after.Segment.Start + cut)
			return
		case after.SoftLineBreak() || after.HardLineBreak():
			k.AppendChild(k, ast.NewTextSegment(after.Segment))
			after.Segment = after.Segment.WithStart(after.Segment.Stop)
			return
		}
		k.AppendChild(k, after) // which takes it from its parent
	}
}

// renderNoBreak encloses what there is to keep together.
func renderNoBreak(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if n.ChildCount() < 2 {
		return ast.WalkContinue, nil
	}
	return within(`<span class="keep">`, "</span>")(w, source, n, entering)
}
