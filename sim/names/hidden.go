package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsHidden reports whether a reader cannot see what a character does: control characters, which a
// terminal obeys, marks that change the direction of the text after them, and characters without
// width. Names and the texts of plans and documents do not have them. Line breaks are among them,
// since every text is one line.
func IsHidden(r rune) bool {
	return (r < ' ' || r > '~') && (!unicode.IsGraphic(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r))
}

// FirstHidden returns the first hidden character of a text, or utf8.RuneError for a byte that is
// not UTF-8, whichever is first.
func FirstHidden(text string) (r rune, found bool) {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return r, true
			}
		}
		if IsHidden(r) {
			return r, true
		}
	}
	return 0, false
}

// Printable returns the text on one line, with U+FFFD in place of each hidden character.
func Printable(text string) string {
	visible := func(r rune) rune {
		if IsHidden(r) {
			return unicode.ReplacementChar
		}
		return r
	}
	return strings.Map(visible, strings.Join(strings.Fields(text), " "))
}
