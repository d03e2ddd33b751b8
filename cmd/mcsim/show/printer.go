package show

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf16"
	"unicode/utf8"

	"mcsim/report/markdown"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// JSON prints a value as indented JSON. It escapes hidden characters, such as those that change the
// direction of a text.
func JSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	text := b.String()
	if _, hasHidden := names.FirstHidden(strings.ReplaceAll(text, "\n", "")); hasHidden {
		text = escapeHidden(text)
	}
	_, err := io.WriteString(w, text)
	return err
}

// escapeHidden replaces the hidden characters of JSON by their escapes.
func escapeHidden(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || !names.IsHidden(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, "\\u%04x", unit)
		}
	}
	return b.String()
}

// Print prints value as JSON if asJSON is true; otherwise it calls printText, which prints the
// value for people. The caller must check the writer for errors of printText.
func Print(w io.Writer, asJSON bool, value any, printText func()) error {
	if asJSON {
		return JSON(w, value)
	}
	printText()
	return nil
}

// Table is a table that is printed for people or as CSV. A cell of the table is a text, an integer
// or a [result.Number].
type Table struct {
	columns []string
	rows    [][]string
}

// NewTable returns a table without rows.
func NewTable(columns ...string) *Table { return &Table{columns: columns} }

// Add adds a row, which may have fewer cells than the table has columns. The cell of an absent
// number is empty.
func (t *Table) Add(cells ...any) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		number, isNumber := cell.(result.Number)
		switch {
		case !isNumber:
			row[i] = fmt.Sprint(cell)
		case number.Present():
			row[i] = strconv.FormatFloat(float64(number), 'g', -1, 64)
		}
	}
	t.rows = append(t.rows, row)
}

// columnGap is the number of spaces between columns, and before a continued row.
const columnGap = 2

// Print prints the table with aligned columns and without spaces at the ends of lines. On a terminal
// that is too narrow, a row takes several lines, of which the first columns fill the first.
func (t *Table) Print(w io.Writer) {
	rows := append([][]string{t.columns}, t.rows...)
	lines := make([][]string, len(rows))
	for first := 0; first < len(t.columns); {
		end := t.countFitting(rows, first, columnsOf(w))
		for i, line := range alignColumns(rows, first, end) {
			if first == 0 || line != "" {
				lines[i] = append(lines[i], strings.Repeat(" ", min(first, 1)*columnGap)+line)
			}
		}
		first = end
	}
	for _, row := range lines {
		fmt.Fprintln(w, strings.Join(row, "\n"))
	}
}

// countFitting returns the end of the columns from first on that fit in a line of the given width, at
// least one.
func (t *Table) countFitting(rows [][]string, first, width int) int {
	left := width - min(first, 1)*columnGap
	for column := first; column < len(t.columns); column++ {
		widest := 0
		for _, row := range rows {
			if column < len(row) {
				widest = max(widest, utf8.RuneCountInString(row[column]))
			}
		}
		if left < widest && column > first {
			return column
		}
		left -= widest + columnGap
	}
	return math.MaxInt // also a cell without a column
}

// alignColumns returns a line for each row, with the columns in [first, end).
func alignColumns(rows [][]string, first, end int) (lines []string) {
	var text strings.Builder
	aligned := tabwriter.NewWriter(&text, 0, 0, columnGap, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(aligned, strings.Join(row[min(first, len(row)):min(end, len(row))], "\t"))
	}
	aligned.Flush()
	for line := range strings.Lines(text.String()) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return lines
}

// Markdown returns the table in Markdown.
func (t *Table) Markdown() string {
	line := func(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
	text := line(t.columns) + strings.Repeat("|---", len(t.columns)) + "|\n"
	for _, row := range t.rows {
		escaped := make([]string, len(row))
		for i, cell := range row {
			escaped[i] = markdown.Escape(cell)
		}
		text += line(escaped)
	}
	return text
}

// CSV prints the table as CSV.
func (t *Table) CSV(w io.Writer) error {
	return csv.NewWriter(w).WriteAll(append([][]string{t.columns}, t.rows...))
}
