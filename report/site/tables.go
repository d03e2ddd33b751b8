package site

import (
	"fmt"
	"strings"

	"mcsim/report/markdown"
	"mcsim/report/page"
)

// captionedTable writes a table below its numbered caption, which links to the explanation of the
// table's signs.
func (w *writer) captionedTable(name string, t page.Table) string {
	if len(t.Rows) == 0 {
		return ""
	}
	number := w.nextTable(name)
	if meanings := t.Notation(); len(meanings) > 0 {
		w.notation = append(w.notation, meanings...)
		t.Caption += " ([Notation](#" + markdown.NotationID + ").)"
	}
	return t.Markdown(number)
}

// foldedTable writes a table like captionedTable, but a reader sees only the caption until opening
// the table.
func (w *writer) foldedTable(name string, t page.Table) string {
	if len(t.Rows) == 0 {
		return ""
	}
	number := w.nextTable(name)
	w.notation = append(w.notation, t.Notation()...)
	return t.Folded(number)
}

// nextTable returns the numbered label of the next table, and records its anchor, which contains
// its name.
func (w *writer) nextTable(name string) (number string) {
	w.tables++
	number = fmt.Sprintf("Table %d", w.tables)
	w.anchors[markdown.Slug(number)] = "table-" + markdown.Slug(name)
	return number
}

// notationBox explains the signs that the page, or the single document, uses.
func (w *writer) notationBox() string {
	if len(w.notation) == 0 {
		return ""
	}
	var b strings.Builder
	if w.single { // a code host gives anchors only to headings
		fmt.Fprintf(&b, "\n<a id=\"%s\"></a>\n", markdown.NotationID)
	}
	b.WriteString("\n" + markdown.NotationLabel + "\n\n")
	for _, meaning := range page.SortMeanings(w.notation) {
		b.WriteString("- " + meaning + "\n")
	}
	return b.String()
}
