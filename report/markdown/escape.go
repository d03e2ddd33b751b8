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

// Escape writes a string that comes from a plan so that Markdown, in a paragraph or in a cell of a
// table, shows it as it is. Line ends become spaces, and characters that are not visible go.
func Escape(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range label.RemoveUnprintable(s) {
		// Two dashes or dots would be set as – or …, and a code host makes a link of www and a dot.
		isRepeated := (r == '-' || r == '.') && r == last
		if strings.ContainsRune(special, r) || isRepeated || r == '.' && last == 'w' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// scripted matches candidates for letters with subscripts and powers, and whole words with
// underscores. Of the characters in the brackets of a script, Markdown reads only the bar, in tables.
var scripted = sync.OnceValue(func() *regexp.Regexp {
	r := regexp.MustCompile(`(?:‖|[\p{Ll}\p{Lu}\p{Nd}_]*)` +
		`(?:[_^](?:[\p{Ll}\p{Lu}\p{Nd}]+|\([\p{Ll}\p{Lu}\p{N}+−/·√| ]{1,30}\)))+_*`)
	r.Longest()
	return r
})

// scriptedVariable matches the candidates that the notation of the pages reads.
var scriptedVariable = lazily(`^(?:(?:‖|[\p{Ll}\p{Lu}])_(?:[\p{Ll}\p{Lu}]+|\([^()]*\))|[\p{Ll}\p{Lu}]?)` +
	`(?:\^(?:[\p{Ll}\p{Lu}\p{Nd}]|\([^()]*\)))?$`)

// WithSubscripts writes a string like Escape, but leaves variables such as W_Q and d_k^p to the
// notation of the pages.
func WithSubscripts(s string) string {
	var b strings.Builder
	end := 0
	for _, m := range scripted().FindAllStringIndex(s, -1) {
		if run := s[m[0]:m[1]]; scriptedVariable().MatchString(run) {
			b.WriteString(Escape(s[end:m[0]]))
			b.WriteString(strings.ReplaceAll(run, "|", `\|`))
			end = m[1]
		}
	}
	return b.String() + Escape(s[end:])
}

// Code makes a string text inside a span of code, in which only a backtick, a
// line break and hidden characters could do harm.
func Code(s string) string { return strings.ReplaceAll(label.RemoveUnprintable(s), "`", " ") }

// whys are the quotations of choices.
var whys = regexp.MustCompile(`(?m)^  > .*\n`)

// WithoutWhys removes the reasons of choices, for a document in which nobody can choose.
func WithoutWhys(source []byte) []byte { return whys.ReplaceAll(source, nil) }
