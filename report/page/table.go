package page

import (
	"slices"
	"strings"

	"mcsim/report/markdown"
)

// Equals is an equals sign between no-break spaces.
const Equals = "\u00a0=\u00a0"

// Table is a table of finished Markdown strings. The first column is text,
// the others are aligned to the right unless Left names them.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]string
	Left    []int
}

// Markdown writes the table below its numbered caption.
func (t Table) Markdown(label string) string {
	return t.caption(label) + t.grid()
}

// Folded writes the table so that a reader sees only its caption until opening it.
func (t Table) Folded(label string) string {
	lines := count(t.Rows) + " lines"
	if len(t.Rows) == 1 {
		lines = "one line"
	}
	return t.caption(label) + markdown.Fold("Show the table: "+lines, t.grid())
}

// caption is the numbered caption, a paragraph.
func (t Table) caption(label string) string { return "**" + label + ".** " + t.Caption + "\n\n" }

// grid is the table without its caption.
func (t Table) grid() string {
	var b strings.Builder
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
