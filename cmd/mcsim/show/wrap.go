package show

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Width is the maximum number of characters of a line of prose, unless one word is longer.
const Width = 80

// Paragraph prints a text after its heading, in lines of at most Width characters. The heading is
// padded to indent, and the other lines are indented as far. A value stays on one line with its
// error or its interval, and its unit.
func Paragraph(w io.Writer, heading string, indent int, text string) {
	printLine := func(line string) { fmt.Fprintln(w, strings.ReplaceAll(line, "\x1f", " ")) }
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

// joinValues replaces the spaces between a value and its error or interval by a character that
// does not end a line.
func joinValues(text string) string {
	text = strings.ReplaceAll(text, " ± ", "\x1f±\x1f")
	return intervalPattern.ReplaceAllStringFunc(text, func(found string) string {
		return strings.ReplaceAll(found, " ", "\x1f")
	})
}

// intervalPattern matches an interval in brackets with the value before it.
var intervalPattern = regexp.MustCompile(`\S+ \[[^\[\] ]+, [^\[\] ]+\]`)

// splitWords splits a text at white space, but not at the narrow spaces in numbers.
func splitWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
}
