package site

import (
	"fmt"
	"strings"

	"mcsim/report/markdown"
	"mcsim/report/page"
)

// captionedTable writes a table below its numbered caption. The caption links to the explanation of
// the table's signs.
func (w *writer) captionedTable(name string, t page.Table) string {
	if len(t.Rows) == 0 {
		return ""
	}
	number := w.addTable(name)
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
	number := w.addTable(name)
	w.notation = append(w.notation, t.Notation()...)
	return t.Folded(number)
}

// addTable numbers a table, records its anchor, which contains its name, and returns its label,
// such as "Table 3".
func (w *writer) addTable(name string) string {
	w.tables++
	number := fmt.Sprintf("Table %d", w.tables)
	w.anchors[markdown.Slug(number)] = "table-" + markdown.Slug(name)
	return number
}

// notationBox returns a list that explains the signs on the page, or in the single document.
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
