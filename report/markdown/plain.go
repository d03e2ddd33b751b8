package markdown

import (
	"regexp"
	"strings"
)

// symbol finds the letters of a formula: words, and variables of one letter. The T of a
// transpose is no letter of the word before it, and the e of 1e-6 is none at all.
var symbol = regexp.MustCompile(`\p{Nd}e-?\p{Nd}|[\p{Ll}\p{Lu}_][\p{Ll}\p{Lu}\p{Nd}_]*`)

// article is what stands behind an a that is a word among others, and no variable.
var article = regexp.MustCompile(`^ [\p{Ll}\p{Lu}]{2}`)

// Formula writes a formula, and what words it has, with its variables in italics.
func Formula(formula string) string { return withNotation(formula, slanted) }

// slanted writes text without subscripts and powers, its single letters in italics.
func slanted(text string) string {
	var b strings.Builder
	from := 0
	for _, at := range symbol.FindAllStringIndex(text, -1) {
		w := text[at[0]:at[1]]
		if len(w) > 1 || strings.Contains("pqk_", w) || w == "a" && article.MatchString(text[at[1]:]) { // the notation sets p, q and k
			continue
		}
		b.WriteString(Escape(text[from:at[0]]) + "*" + w + "*")
		from = at[1]
	}
	b.WriteString(Escape(text[from:]))
	return b.String()
}
