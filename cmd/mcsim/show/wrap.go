package show

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// screen is how many characters a line of prose has at most, but for one longer word.
const screen = 80

// Paragraph prints a text behind its heading, in lines that fit a screen; all but the
// first begin with as many spaces as the heading is padded to. A value stays with its error.
func Paragraph(w io.Writer, heading string, indent int, text string) {
	put := func(line string) { fmt.Fprintln(w, strings.ReplaceAll(line, "\x1f", " ")) }
	line := heading + strings.Repeat(" ", max(0, indent-utf8.RuneCountInString(heading)))
	empty := true
	for _, word := range strings.Fields(strings.ReplaceAll(text, " ± ", "\x1f±\x1f")) {
		switch {
		case empty:
			line += word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > screen:
			put(line)
			line = strings.Repeat(" ", indent) + word
		default:
			line += " " + word
		}
		empty = false
	}
	put(line)
}
