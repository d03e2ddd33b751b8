package markdown

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// margins sets the text of a footnote beside the line that refers to it as
// well. The style sheet shows it there where there is room, and the list of
// footnotes at the end of the page where there is not.
type margins struct{}

// noteText is the attribute of a reference that holds its footnote.
const noteText = "note"

// Transform hands every first reference to a note the note itself.
func (margins) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	notes := map[int]ast.Node{}
	for _, n := range every[*extast.Footnote](doc) {
		notes[n.Index] = n.FirstChild()
	}
	for _, l := range every[*extast.FootnoteLink](doc) {
		if note := notes[l.Index]; note != nil && l.RefIndex == 0 {
			l.SetAttributeString(noteText, note)
		}
	}
}

// renderReference sets the number of a note, and the note beside it.
func renderReference(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*extast.FootnoteLink)
	back := fmt.Sprintf("fnref:%d", n.Index)
	if n.RefIndex > 0 {
		back = fmt.Sprintf("fnref%d:%d", n.RefIndex, n.Index)
	}
	fmt.Fprintf(w, `<sup id="%s"><a href="#fn:%d" class="footnote-ref" role="doc-noteref" aria-label="note %d">%d</a></sup>`, back, n.Index, n.Index, n.Index)
	note, ok := n.AttributeString(noteText)
	if !ok {
		return ast.WalkContinue, nil
	}
	fmt.Fprintf(w, `<span class="note"><sup>%d</sup> `, n.Index)
	for c := note.(ast.Node).FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() == extast.KindFootnoteBacklink {
			continue
		}
		if err := dialect().Renderer().Render(w, source, c); err != nil {
			return ast.WalkStop, err
		}
	}
	_, _ = w.WriteString("</span>")
	return ast.WalkContinue, nil
}
