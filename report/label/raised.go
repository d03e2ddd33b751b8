package label

import (
	"regexp"
	"strings"
)

// Running text has powers of ten in superscript digits, which few fonts have
// all of, and LaTeX's none.
const superscript = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"

var (
	power       = regexp.MustCompile("(10)?[" + superscript + "]+")
	plainDigits = strings.NewReplacer("⁻", "-",
		"⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")
)

// PlainDigits writes superscript digits as plain ones.
func PlainDigits(s string) string { return plainDigits.Replace(s) }

// Raised writes them as mathematics.
func Raised(text string) string {
	return power.ReplaceAllStringFunc(text, func(s string) string {
		base := ""
		if rest, ok := strings.CutPrefix(s, "10"); ok {
			base, s = "10", rest
		}
		return "$" + base + "^{" + plainDigits.Replace(s) + "}$"
	})
}
