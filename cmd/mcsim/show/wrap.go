package show

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Width is the maximum number of characters in a line of prose, and minWidth the maximum on a very
// narrow terminal. Only a longer word exceeds it.
const (
	Width    = 80
	minWidth = 40
)

// WidthOf returns the maximum number of characters in a line of prose on w: Width, or less on a
// narrower terminal.
func WidthOf(w io.Writer) int { return min(Width, columnsOf(w)) }

// columnsOf returns the number of columns of a terminal, at least minWidth, or a large number if w is
// not a terminal.
func columnsOf(w io.Writer) int {
	t, _ := w.(Terminal)
	if t == nil || t.Columns() == 0 {
		return math.MaxInt
	}
	return max(minWidth, t.Columns())
}

// Linef prints a line. On a terminal it breaks the line between words.
func Linef(w io.Writer, format string, args ...any) {
	lines := []string{fmt.Sprintf(format, args...)}
	if utf8.RuneCountInString(lines[0]) > columnsOf(w) {
		lines = breakLines("", 0, lines[0], columnsOf(w))
	}
	fmt.Fprintln(w, strings.Join(lines, "\n"))
}

// Reflow prints a text that has lines of at most Width characters. On a narrower terminal it breaks
// longer lines again.
func Reflow(w io.Writer, text string) {
	if WidthOf(w) == Width {
		fmt.Fprintln(w, text)
		return
	}
	for i, block := range strings.Split(text, "\n\n") {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if !strings.Contains("\n"+block, "\n ") {
			Paragraph(w, "", 0, block)
			continue
		}
		reflowList(w, strings.Split(block, "\n"))
	}
}

// labelPattern matches the label of an item of a list, or the indentation of a line without a label.
var labelPattern = regexp.MustCompile(`^( *\S+(?: \S+)*  +|\S+: | +)`)

// reflowList prints a list, in which the text of an item may continue on lines that are indented
// like the text.
func reflowList(w io.Writer, lines []string) {
	for i := 0; i < len(lines); {
		label := labelPattern.FindString(lines[i])
		indent := utf8.RuneCountInString(label)
		text := strings.TrimPrefix(lines[i], label)
		for i++; i < len(lines) && indent > 0 && strings.HasPrefix(lines[i], strings.Repeat(" ", indent)); i++ {
			text += "\n" + lines[i]
		}
		Paragraph(w, label, indent, text)
	}
}

// noBreak takes the place of a space at which a line must not end, until the line is printed.
const noBreak = "\x1f"

// Paragraph prints a text after its heading, in lines of at most WidthOf(w) characters. The heading is
// padded with spaces to indent characters, and the other lines are indented by as many spaces. A
// value stays on one line with its unit, and with its error or its interval.
func Paragraph(w io.Writer, heading string, indent int, text string) {
	fmt.Fprintln(w, strings.Join(breakLines(heading, indent, text, WidthOf(w)), "\n"))
}

// breakLines returns the lines of a paragraph.
func breakLines(heading string, indent int, text string, width int) (lines []string) {
	line := heading + strings.Repeat(" ", max(0, indent-utf8.RuneCountInString(heading)))
	isEmpty := true
	for _, word := range splitWords(joinValues(text)) {
		switch {
		case isEmpty:
			line += word
		case utf8.RuneCountInString(line+word) >= width:
			lines = append(lines, strings.ReplaceAll(line, noBreak, " "))
			line = strings.Repeat(" ", indent) + word
		default:
			line += " " + word
		}
		isEmpty = false
	}
	return append(lines, strings.ReplaceAll(line, noBreak, " "))
}

// joinValues replaces the spaces between a value and its error or its interval by noBreak.
func joinValues(text string) string {
	text = strings.ReplaceAll(text, " ± ", noBreak+"±"+noBreak)
	return intervalPattern.ReplaceAllStringFunc(text, func(found string) string {
		return strings.ReplaceAll(found, " ", noBreak)
	})
}

// intervalPattern matches an interval in brackets with the value before it.
var intervalPattern = regexp.MustCompile(`\S+ \[[^\[\] ]+, [^\[\] ]+\]`)

// splitWords splits a text at white space, but not at the narrow spaces in numbers.
func splitWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
}
