package page

import (
	"slices"
	"strings"

	"mcsim/report/markdown"
)

// Equals is an equals sign between no-break spaces.
const Equals = "\u00a0=\u00a0"

// Table is a table whose caption and cells are Markdown.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]string
	Left    []int // columns that are aligned to the left, in addition to column 0
}

// Markdown returns the table below its caption, which begins with a label such as "Table 3".
func (t Table) Markdown(label string) string {
	return t.captionMarkdown(label) + t.gridMarkdown()
}

// Folded returns the same as Markdown, except that the table is in a fold, which a reader opens.
func (t Table) Folded(label string) string {
	lines := formatCount(t.Rows) + " lines"
	if len(t.Rows) == 1 {
		lines = "one line"
	}
	return t.captionMarkdown(label) + markdown.Fold("Show the table: "+lines, t.gridMarkdown())
}

func (t Table) captionMarkdown(label string) string {
	return "**" + label + ".** " + t.Caption + "\n\n"
}

// gridMarkdown returns the table without its caption.
func (t Table) gridMarkdown() string {
	var b strings.Builder
	writeLine := func(cells []string) {
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	writeLine(t.Head)
	delimiters := make([]string, len(t.Head))
	for i := range delimiters {
		delimiters[i] = "--:"
		if i == 0 || slices.Contains(t.Left, i) {
			delimiters[i] = ":--"
		}
	}
	writeLine(delimiters)
	for _, cells := range t.Rows {
		writeLine(cells)
	}
	return b.String()
}
