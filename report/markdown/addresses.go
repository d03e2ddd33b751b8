package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// addresses let a line break behind the slashes of an address that is shown, as
// that of a DOI, which else breaks off in the middle of a number.
type addresses struct{}

// breakable is a place where a line may break.
type breakable struct{ ast.BaseInline }

var kindBreakable = ast.NewNodeKind("Breakable")

func (n *breakable) Kind() ast.NodeKind            { return kindBreakable }
func (n *breakable) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// Transform cuts the text of links that are addresses behind each slash.
func (addresses) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	source := reader.Source()
	for _, link := range every[*ast.Link](doc) {
		shown, ok := link.FirstChild().(*ast.Text)
		if !ok || shown.NextSibling() != nil || bytes.ContainsAny(shown.Segment.Value(source), blank) {
			continue
		}
		for {
			cut := bytes.IndexByte(shown.Segment.Value(source), '/') + 1
			if cut == 0 || cut == shown.Segment.Len() {
				break
			}
			rest := ast.NewTextSegment(shown.Segment.WithStart(shown.Segment.Start + cut))
			shown.Segment = shown.Segment.WithStop(shown.Segment.Start + cut)
			link.AppendChild(link, &breakable{})
			link.AppendChild(link, rest)
			shown = rest
		}
	}
}

func renderBreakable(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<wbr>")
	}
	return ast.WalkContinue, nil
}
