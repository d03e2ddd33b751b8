// Package escape escapes texts for Markdown. It is apart from package markdown, since programs that
// run in a browser need it without a converter.
package escape

import (
	"strings"

	"mcsim/sim/names"
)

// specialCharacters are the characters that Markdown or its extensions may read as markup.
const specialCharacters = "\\`*_{}[]<>#+!|~^$&:@\"'="

// Markdown escapes a string of a plan so that Markdown shows it literally in a paragraph and in a
// cell of a table. It replaces line breaks by spaces, and removes invisible characters.
func Markdown(s string) string {
	var b strings.Builder
	var previous rune
	for _, r := range names.RemoveUnprintable(s) {
		isRepeated := (r == '-' || r == '.') && r == previous // would become – or …
		isAfterW := r == '.' && previous == 'w'               // code hosts make links of www and a dot
		if strings.ContainsRune(specialCharacters, r) || isRepeated || isAfterW {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		previous = r
	}
	return b.String()
}
