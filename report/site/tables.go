package site

import (
	"fmt"
	"strings"

	"mcsim/report/markdown"
	"mcsim/report/view"
)

// table writes a table below its numbered caption.
func (w *writer) table(name string, t view.Table) string {
	if len(t.Rows) == 0 {
		return ""
	}
	label := w.number(name)
	t.Caption += w.explained(t.Notation())
	return t.Markdown(label)
}

// folded writes a table of details, of which the caption is seen until a reader opens it.
func (w *writer) folded(name string, t view.Table) string {
	if len(t.Rows) == 0 {
		return ""
	}
	label := w.number(name)
	w.notation = append(w.notation, t.Notation()...)
	return t.Folded(label)
}

// number gives a table its number, and notes its anchor, which is made of a name.
func (w *writer) number(name string) (label string) {
	w.tables++
	label = fmt.Sprintf("Table %d", w.tables)
	w.anchors[markdown.Slug(label)] = "table-" + markdown.Slug(name)
	return label
}

// explained notes which signs the page is to explain, and returns a link to where it
// does, for a caption.
func (w *writer) explained(meanings []string) string {
	if len(meanings) == 0 {
		return ""
	}
	w.notation = append(w.notation, meanings...)
	return " ([Notation](#" + markdown.NotationID + ").)"
}

// box says what the signs mean that the page, or the one document, has used.
func (w *writer) box() string {
	if len(w.notation) == 0 {
		return ""
	}
	var b strings.Builder
	if w.single { // a code host gives an anchor to headings alone
		fmt.Fprintf(&b, "\n<a id=\"%s\"></a>\n", markdown.NotationID)
	}
	b.WriteString("\n" + markdown.NotationLabel + "\n\n")
	for _, meaning := range view.InOrder(w.notation) {
		b.WriteString("- " + meaning + "\n")
	}
	return b.String()
}
