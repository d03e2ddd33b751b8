package view

import (
	"slices"
	"strings"

	"mcsim/report/digits"
)

// Equals stands in labels, which do not break there.
const Equals = "\u00a0=\u00a0"

// Table is a table of finished Markdown strings. The first column is text,
// the others are aligned to the right unless Left names them.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]string
	Left    []int
}

// marks of cells, and the notes that explain them below their table.
var marks = []struct{ mark, note string }{{digits.Unsure, unsureNote}, {Limiting, limitingNote}}

// fullCaption is the caption with a note on each mark that a cell has.
func (t Table) fullCaption() string {
	text := t.Caption
	for _, m := range marks {
		if slices.ContainsFunc(t.Rows, func(row []string) bool {
			return slices.ContainsFunc(row, func(cell string) bool { return strings.HasSuffix(cell, m.mark) })
		}) {
			text += m.note
		}
	}
	return text
}

// Markdown writes the table below its numbered caption; a table without rows
// is nothing.
func (t Table) Markdown(label string) string {
	if len(t.Rows) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("**" + label + ".** " + t.fullCaption() + "\n\n")
	line := func(cells []string) {
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	line(t.Head)
	rule := make([]string, len(t.Head))
	for i := range rule {
		rule[i] = "--:"
		if i == 0 || slices.Contains(t.Left, i) {
			rule[i] = ":--"
		}
	}
	line(rule)
	for _, row := range t.Rows {
		line(row)
	}
	return b.String()
}
