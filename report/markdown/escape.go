package markdown

import (
	"regexp"
	"strings"

	"mcsim/sim/names"
)

// special are the characters that Markdown, its extensions or a typographer
// may read as markup.
const special = "\\`*_{}[]<>#+!|~^$&:@\"'="

// Escape writes a string that comes from a plan so that Markdown, in a
// paragraph or in a cell of a table, shows it as it is. Line ends become
// spaces and what else does not show goes.
func Escape(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			r = ' '
			b.WriteRune(r)
		case names.Hidden(r):
			continue
		case strings.ContainsRune(special, r), (r == '-' || r == '.') && r == last, r == '.' && last == 'w':
			// A dash or dot after its like would be set as – or …, and a
			// code host makes a link of www and a dot.
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// subscripted is a letter with a letter below it, as escape writes it.
var subscripted = regexp.MustCompile(`\b(\pL)\\_(\pL)([^\pL\pN\\]|\\[^_]|$)`)

// WithSubscripts writes a string as escape does, but leaves W_Q, d_k and their
// like to the notation of the pages.
func WithSubscripts(s string) string { return subscripted.ReplaceAllString(Escape(s), "${1}_${2}${3}") }

// Code makes a string text inside a span of code, where only a backtick, a
// line break and what is hidden could do harm.
func Code(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '`' || r == '\n' || r == '\r' || r == '\t':
			return ' '
		case names.Hidden(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}
