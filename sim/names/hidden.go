package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsHidden reports whether a character has an effect or a meaning that a reader cannot see. These
// are control characters, which a terminal obeys, marks that change the direction of the text after
// them, and characters without width. Line breaks are hidden characters, too, since every text is
// one line. Names and the texts of plans and documents must not have hidden characters.
func IsHidden(r rune) bool {
	return (r < ' ' || r > '~') && (!unicode.IsGraphic(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r))
}

// FirstHidden returns the first hidden character of a text, where a byte that is not UTF-8 counts
// as the hidden character utf8.RuneError.
func FirstHidden(text string) (r rune, found bool) {
	for i, r := range text {
		if r == utf8.RuneError {
			// The size is 1 for a byte that is not UTF-8, and 3 for the valid character U+FFFD.
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

// Printable returns the text on one line, with single spaces, and with U+FFFD in place of each
// hidden character.
func Printable(text string) string {
	visible := func(r rune) rune {
		if IsHidden(r) {
			return unicode.ReplacementChar
		}
		return r
	}
	return strings.Map(visible, strings.Join(strings.Fields(text), " "))
}

// RemoveUnprintable removes the characters of a string that are invisible or that XML forbids. It
// replaces line breaks and tabs by spaces.
func RemoveUnprintable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case IsHidden(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}
