package label

import (
	"regexp"
	"strings"
)

// superscriptDigits are the characters of the exponents of powers of ten in running text. Few fonts
// have all of them, and LaTeX's fonts have none of them.
const superscriptDigits = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"

var (
	powerOfTen  = regexp.MustCompile("(10)?[" + superscriptDigits + "]+")
	plainDigits = strings.NewReplacer("⁻", "-",
		"⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")
)

// NormalizeSuperscripts replaces superscript digits by plain digits, and the superscript minus sign
// by a hyphen.
func NormalizeSuperscripts(s string) string { return plainDigits.Replace(s) }

// SuperscriptsToMath writes superscript digits as mathematics of labels and of LaTeX: 10⁻² becomes
// $10^{-2}$.
func SuperscriptsToMath(text string) string {
	return powerOfTen.ReplaceAllStringFunc(text, func(s string) string {
		base := ""
		if rest, ok := strings.CutPrefix(s, "10"); ok {
			base, s = "10", rest
		}
		return "$" + base + "^{" + plainDigits.Replace(s) + "}$"
	})
}
