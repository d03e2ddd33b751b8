package markdown

import (
	"regexp"
	"strings"
	"sync"

	"mcsim/report/label"
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
	for _, r := range label.Printable(s) {
		if strings.ContainsRune(special, r) || (r == '-' || r == '.') && r == last || r == '.' && last == 'w' {
			// A dash or dot after its like would be set as – or …, and a
			// code host makes a link of www and a dot.
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// scripted finds what may be letters with subscripts and powers, and whole words with
// underscores; variable says which of these the notation of the pages reads. Nothing in
// the brackets of a script is Markdown's but the bar, which tables read.
var (
	scripted = longest(`(?:‖|[\p{Ll}\p{Lu}\p{Nd}_]*)(?:[_^](?:[\p{Ll}\p{Lu}\p{Nd}]+|\([\p{Ll}\p{Lu}\p{N}+−/·√| ]{1,30}\)))+_*`)
	variable = lazily(`^(?:(?:‖|[\p{Ll}\p{Lu}])_(?:[\p{Ll}\p{Lu}]+|\([^()]*\))|[\p{Ll}\p{Lu}]?)(?:\^(?:[\p{Ll}\p{Lu}\p{Nd}]|\([^()]*\)))?$`)
)

// longest is lazily, of a pattern that finds the longest match.
func longest(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		r := regexp.MustCompile(pattern)
		r.Longest()
		return r
	})
}

// WithSubscripts writes a string as Escape does, but leaves W_Q, d_k^p and their like to the
// notation of the pages.
func WithSubscripts(s string) string {
	var b strings.Builder
	from := 0
	for _, at := range scripted().FindAllStringIndex(s, -1) {
		if run := s[at[0]:at[1]]; variable().MatchString(run) {
			b.WriteString(Escape(s[from:at[0]]))
			b.WriteString(strings.ReplaceAll(run, "|", `\|`))
			from = at[1]
		}
	}
	return b.String() + Escape(s[from:])
}

// Code makes a string text inside a span of code, where only a backtick, a
// line break and what is hidden could do harm.
func Code(s string) string { return strings.ReplaceAll(label.Printable(s), "`", " ") }
