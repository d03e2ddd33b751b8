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

// Paragraph prints a text after its heading, in lines that fit a screen. The heading is padded to
// indent, and the other lines begin with as many spaces. A value stays on one line with its error
// or its interval, and its unit.
func Paragraph(w io.Writer, heading string, indent int, text string) {
	put := func(line string) { fmt.Fprintln(w, strings.ReplaceAll(line, "\x1f", " ")) }
	line := heading + strings.Repeat(" ", max(0, indent-utf8.RuneCountInString(heading)))
	empty := true
	for _, word := range splitWords(joinValues(text)) {
		switch {
		case empty:
			line += word
		case utf8.RuneCountInString(line+word) >= Width:
			put(line)
			line = strings.Repeat(" ", indent) + word
		default:
			line += " " + word
		}
		empty = false
	}
	put(line)
}

// joinValues joins a value and its error, or its interval, by a character at which no line ends.
func joinValues(text string) string {
	text = strings.ReplaceAll(text, " ± ", "\x1f±\x1f")
	return interval.ReplaceAllStringFunc(text, func(found string) string {
		return strings.ReplaceAll(found, " ", "\x1f")
	})
}

// interval matches an interval in brackets with the value before it.
var interval = regexp.MustCompile(`\S+ \[[^\[\] ]+, [^\[\] ]+\]`)

// splitWords splits a text at spaces where a line may end, which narrow spaces in numbers are not.
func splitWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
}
