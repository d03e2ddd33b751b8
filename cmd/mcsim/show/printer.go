// Package show prints texts and tables for people, JSON for programs, and answers about models.
package show

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"mcsim/report/escape"
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

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// Print prints the table with aligned columns and without spaces at the ends of lines. On a terminal
// that is too narrow, a row continues on lines of its own.
func (t *Table) Print(w io.Writer) {
	const gap = "  "
	rows := append([][]string{t.columns}, t.rows...)
	widths := map[int]int{} // of the columns; a row may have notes after the last one
	for _, row := range rows {
		for i, cell := range row[:max(0, len(row)-1)] { // the last cell may be longer than its column
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	width := columnsOf(w)
	for _, row := range rows {
		line, used := "", 0
		for i, cell := range row {
			length := utf8.RuneCountInString(cell)
			if i > 0 && used+max(length, widths[i]) > width {
				fmt.Fprintln(w, strings.TrimRight(line, " "))
				line, used = gap, len(gap)
			}
			line += cell + strings.Repeat(" ", max(0, widths[i]-length)) + gap
			used += max(length, widths[i]) + len(gap)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// Markdown returns the table in Markdown.
func (t *Table) Markdown() string {
	line := func(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
	text := line(t.columns) + strings.Repeat("|---", len(t.columns)) + "|\n"
	for _, row := range t.rows {
		escaped := make([]string, len(row))
		for i, cell := range row {
			escaped[i] = escape.Markdown(cell)
		}
		text += line(escaped)
	}
	return text
}

// CSV prints the table as CSV.
func (t *Table) CSV(w io.Writer) error {
	return csv.NewWriter(w).WriteAll(append([][]string{t.columns}, t.rows...))
}
