package show

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Width is the maximum number of characters in a line of prose. Only a longer word exceeds it.
const Width = 80

// noBreak takes the place of a space at which a line must not end, until the line is printed.
const noBreak = "\x1f"

// Paragraph prints a text after its heading, in lines of at most Width characters. The heading is
// padded with spaces to indent characters, and the other lines are indented by as many spaces. A
// value stays on one line with its unit, and with its error or its interval.
func Paragraph(w io.Writer, heading string, indent int, text string) {
	printLine := func(line string) { fmt.Fprintln(w, strings.ReplaceAll(line, noBreak, " ")) }
	line := heading + strings.Repeat(" ", max(0, indent-utf8.RuneCountInString(heading)))
	isEmpty := true
	for _, word := range splitWords(joinValues(text)) {
		switch {
		case isEmpty:
			line += word
		case utf8.RuneCountInString(line+word) >= Width:
			printLine(line)
			line = strings.Repeat(" ", indent) + word
		default:
			line += " " + word
		}
		isEmpty = false
	}
	printLine(line)
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
