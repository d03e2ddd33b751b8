package names

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Omitted lists the parameters of which rows of an experiment leave a value out, each
// with that value: so that a table can tell one that is left out from one that the
// experiment has not.
func Omitted(experiment string) []Entry { return omissions()[experiment] }

// omissions are the parameters that rows leave out, by experiment.
var omissions = sync.OnceValue(func() map[string][]Entry {
	by := map[string][]Entry{}
	for _, e := range table {
		if e.omittedBy != "" {
			by[e.omittedBy] = append(by[e.omittedBy], e)
		}
	}
	return by
})

// sentence makes a sentence of a title.
func sentence(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	word, _, _ := strings.Cut(title, " ")
	if next, _ := utf8.DecodeRuneInString(title[size:]); unicode.IsLower(next) && !strings.ContainsAny(word, "._(") {
		first = unicode.ToUpper(first)
	}
	return string(first) + title[size:] + "."
}
