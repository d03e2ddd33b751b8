package markdown

import (
	"regexp"
	"strings"
)

// plainFormula is a formula of which the notation of the pages makes
// subscripts and powers, and that holds nothing else which Markdown reads.
var plainFormula = regexp.MustCompile(`^(?:[\pL\pN ()/·√+−|=,;‖]|\b\pL_\pL\b|\^\pL\b|\^\()+$`)

// symbolsOf finds the letters of a formula: words, and variables with what they
// carry. The T of a transpose is no letter of the word before it.
var symbolsOf = regexp.MustCompile(`[\p{Ll}\p{Lu}]+(?:_\pL)?`)

// Formula writes a formula with its variables in italics; a text that is none
// stands as it is.
func Formula(formula string) string {
	if !plainFormula.MatchString(formula) {
		return WithSubscripts(formula)
	}
	text := symbolsOf.ReplaceAllStringFunc(formula, func(w string) string {
		if len(w) > 1 || strings.Contains("pqk", w) { // the notation sets these
			return w
		}
		return "*" + w + "*"
	})
	return strings.ReplaceAll(text, "|", `\|`)
}
