package show

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// Terminal is a writer that may show colours.
type Terminal interface {
	io.Writer
	Coloured() bool // whether a person sees them, and wants them
	Width() int     // characters of a line; 0: it is no terminal
}

// Table prints a line for each row under the headings, with tabs between cells.
func Table[T any](w io.Writer, headings string, rows []T, line func(T) string) {
	lines := []string{headings}
	for _, r := range rows {
		lines = append(lines, line(r))
	}
	Lines(w, lines)
}

// Lines prints a table of lines with tabs between cells; a line without is a heading. On a
// terminal that is too narrow for it, it breaks every line between cells, at the same columns; in
// files and pipes a line stays one, so that programs find it.
func Lines(w io.Writer, lines []string) {
	var wide []int
	var rows [][]string
	for _, line := range lines {
		cells := strings.Split(line, "\t")
		rows = append(rows, cells)
		for i, cell := range cells {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			if len(cells) > 1 {
				wide[i] = max(wide[i], visible(cell))
			}
		}
	}
	text := laid(rows, wide, make([]bool, len(wide)))
	if width := widthOf(w); width > 0 && longest(text) > width {
		text = laid(rows, wide, breaks(wide, width))
	}
	io.WriteString(w, text)
}

// Between columns of a table, and before what a line is broken into.
const columnGap, brokenIndent = 2, 4

// laid are the lines of a table whose columns are so wide, of which some begin a line. Blanks
// at the ends of lines are left out, and so are empty lines behind another.
func laid(rows [][]string, wide []int, starts []bool) string {
	var text strings.Builder
	put := func(line string) {
		if line = strings.TrimRight(line, " "); line != "" || !strings.HasSuffix(text.String(), "\n\n") {
			text.WriteString(line + "\n")
		}
	}
	for _, cells := range rows {
		line := ""
		for i, cell := range cells {
			switch {
			case i == 0:
			case starts[i]:
				put(line)
				line = strings.Repeat(" ", brokenIndent)
			default:
				line += strings.Repeat(" ", columnGap)
			}
			line += cell + strings.Repeat(" ", max(0, wide[i]-visible(cell)))
		}
		put(line)
	}
	return text.String()
}

// breaks are the columns of which each begins a line. Lines are filled from the last one, so
// that what a row is about stands before its numbers.
func breaks(wide []int, width int) []bool {
	starts, used := make([]bool, len(wide)), brokenIndent-columnGap
	for i := len(wide) - 1; i > 0; i-- {
		if used += columnGap + wide[i]; used+columnGap+wide[i-1] > width {
			starts[i], used = true, brokenIndent-columnGap
		}
	}
	return starts
}

// Say prints a sentence in one line, and in several on a terminal that is too narrow for it.
func Say(w io.Writer, format string, args ...any) {
	text, width := fmt.Sprintf(format, args...), widthOf(w)
	if width == 0 || visible(text) <= width {
		fmt.Fprintln(w, text)
		return
	}
	fill(w, "", 0, text, min(Width, width))
}

// widthOf is how many characters a line of a terminal has, 0 of what is none.
func widthOf(w io.Writer) int {
	switch t := w.(type) {
	case Terminal:
		return t.Width()
	case *os.File:
		return LineOf(t)
	}
	return 0
}

// LineOf is how many characters a line of a terminal has, 0 where a file is none or it does not say.
func LineOf(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// colour is what a terminal takes for one.
var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

// visible is how many characters of a text are seen.
func visible(text string) int { return utf8.RuneCountInString(colour.ReplaceAllString(text, "")) }

// longest is the number of characters of the longest line.
func longest(text string) (most int) {
	for line := range strings.Lines(text) {
		most = max(most, visible(strings.TrimSuffix(line, "\n")))
	}
	return most
}
