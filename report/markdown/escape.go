package markdown

import (
	"regexp"
	"strings"
	"sync"

	"mcsim/report/escape"
	"mcsim/sim/names"
)

// Escape is [escape.Markdown].
func Escape(s string) string { return escape.Markdown(s) }

// scriptCandidate matches texts that may be variables with subscripts or powers, and also whole
// words with underscores. The only special character that it allows in the brackets of a script is
// the bar, which separates cells in tables.
var scriptCandidate = sync.OnceValue(func() *regexp.Regexp {
	r := regexp.MustCompile(`(?:‖|[\p{Ll}\p{Lu}\p{Nd}_]*)` +
		`(?:[_^](?:[\p{Ll}\p{Lu}\p{Nd}]+|\([\p{Ll}\p{Lu}\p{N}+−/·√| ]{1,30}\)))+_*`)
	r.Longest()
	return r
})

// variablePattern matches a candidate that is a variable in the notation of the pages
// (notation.go).
var variablePattern = compileLazily(`^(?:\p{Nd}*(?:‖|[\p{Ll}\p{Lu}])_(?:[\p{Ll}\p{Lu}]+|\([^()]*\))|[\p{Ll}\p{Lu}]?|\p{Nd}+)` +
	`(?:\^(?:[\p{Ll}\p{Lu}\p{Nd}]|\([^()]*\)))?$`)

// EscapeExceptVariables escapes a string like Escape, except variables such as W_Q and d_k^p, which
// are in the notation of the pages, and apostrophes, so that they become curly.
func EscapeExceptVariables(s string) string {
	var b strings.Builder
	end := 0
	for _, m := range scriptCandidate().FindAllStringIndex(s, -1) {
		candidate := s[m[0]:m[1]]
		if variablePattern().MatchString(candidate) {
			b.WriteString(Escape(s[end:m[0]]))
			b.WriteString(strings.ReplaceAll(candidate, "|", `\|`))
			end = m[1]
		}
	}
	return strings.ReplaceAll(b.String()+Escape(s[end:]), `\'`, "'")
}

// EscapeCode prepares a string for a code span. It replaces backticks and line breaks by spaces,
// and removes invisible characters.
func EscapeCode(s string) string { return strings.ReplaceAll(names.RemoveUnprintable(s), "`", " ") }

// explanationQuote matches the quotations below the choices of a question.
var explanationQuote = regexp.MustCompile(`(?m)^  > .*\n`)

// RemoveExplanations removes the explanations of the choices of questions, for a document in which
// a reader cannot choose.
func RemoveExplanations(source []byte) []byte { return explanationQuote.ReplaceAll(source, nil) }
