package show

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Width is how many characters a line of prose has at most, but for one longer word.
const Width = 80

// Paragraph prints a text behind its heading, in lines that fit a screen; all but the
// first begin with as many spaces as the heading is padded to. A value stays with its error or its interval,
// and digits and units with theirs.
func Paragraph(w io.Writer, heading string, indent int, text string) {
	put := func(line string) { fmt.Fprintln(w, strings.ReplaceAll(line, "\x1f", " ")) }
	line := heading + strings.Repeat(" ", max(0, indent-utf8.RuneCountInString(heading)))
	empty := true
	for _, word := range words(together(text)) {
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

// together keeps a value on one line with its error, or with the interval behind it.
func together(text string) string {
	text = strings.ReplaceAll(text, " ± ", "\x1f±\x1f")
	return interval.ReplaceAllStringFunc(text, func(found string) string {
		return strings.ReplaceAll(found, " ", "\x1f")
	})
}

// interval is one in brackets, with the digit or the power of ten before it.
var interval = regexp.MustCompile(`\S+ \[[^\[\] ]+, [^\[\] ]+\]`)

// words are those of a text between spaces at which a line may end: not those within numbers.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
}
