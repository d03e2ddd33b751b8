package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hidden reports a character that no name, no text of a plan and none of a document has,
// since a reader cannot see what it does: control characters, which a terminal obeys,
// marks that turn the direction of what stands behind them, and what has no width. Breaks
// of lines are among them: every text is one line.
func Hidden(r rune) bool {
	return (r < ' ' || r > '~') && (!unicode.IsGraphic(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r))
}

// FirstHidden finds the first hidden character of a text, or its first byte that is not
// UTF-8, which it calls utf8.RuneError.
func FirstHidden(text string) (r rune, found bool) {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return r, true
			}
		}
		if Hidden(r) {
			return r, true
		}
	}
	return 0, false
}

// Printable is a text on one line, with a sign in place of each hidden character.
func Printable(text string) string {
	visible := func(r rune) rune {
		if Hidden(r) {
			return unicode.ReplacementChar
		}
		return r
	}
	return strings.Map(visible, strings.Join(strings.Fields(text), " "))
}
