package show

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"mcsim/sim/result"
)

// JSON prints a value as indented JSON.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// Print prints value as JSON, or calls text, which prints it for people. The caller must check the
// writer for errors of text.
func Print(w io.Writer, asJSON bool, value any, text func()) error {
	if asJSON {
		return JSON(w, value)
	}
	text()
	return nil
}

// Table is a table that is printed for people or as CSV. A cell is a text, an integer or a
// [result.Number].
type Table struct {
	columns []string
	rows    [][]string
}

// NewTable returns a table without rows.
func NewTable(columns ...string) *Table { return &Table{columns: columns} }

// Add adds a row; missing cells at its end are empty.
func (r *Table) Add(cells ...any) {
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
	r.rows = append(r.rows, row)
}

// Print prints the table with aligned columns and without spaces at the ends of lines.
func (r *Table) Print(w io.Writer) {
	const gap = 2 // spaces between columns
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 0, gap, ' ', 0)
	fmt.Fprintln(t, strings.Join(r.columns, "\t"))
	for _, row := range r.rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	t.Flush()
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
}

// CSV prints the table as CSV. Absent numbers are empty.
func (r *Table) CSV(w io.Writer) error {
	return csv.NewWriter(w).WriteAll(append([][]string{r.columns}, r.rows...))
}
