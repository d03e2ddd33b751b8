package show

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"mcsim/sim/names"
)

// Table prints a line for each row under the headings, with tabs between cells.
func Table[T any](w io.Writer, headings string, rows []T, line func(T) string) {
	Lines(w, append([]string{headings}, names.Each(rows, line)...))
}

// columnGap is between columns of a table.
const columnGap = 2

// Lines prints a table of lines with tabs between cells; a line without is a heading. Blanks at
// the ends of lines are left out.
func Lines(w io.Writer, lines []string) {
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 0, columnGap, ' ', 0)
	fmt.Fprintln(t, strings.Join(lines, "\n"))
	t.Flush()
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
}
