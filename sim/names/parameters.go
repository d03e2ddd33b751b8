package names

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// OmittedParams returns the parameters whose default value the rows of an experiment omit. Omitted
// is that value. A table can thus tell an omitted parameter from one that the experiment does not
// have.
func OmittedParams(experiment string) []Entry { return omittedParams()[experiment] }

// omittedParams maps experiments to the parameters that their rows may omit.
var omittedParams = sync.OnceValue(func() map[string][]Entry {
	byExperiment := map[string][]Entry{}
	for _, e := range table {
		if e.omittingExperiment != "" {
			byExperiment[e.omittingExperiment] = append(byExperiment[e.omittingExperiment], e)
		}
	}
	return byExperiment
})

// toSentence returns a title with a full stop, and with a capital unless it begins with a symbol.
func toSentence(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	word, _, _ := strings.Cut(title, " ")
	if next, _ := utf8.DecodeRuneInString(title[size:]); unicode.IsLower(next) && !strings.ContainsAny(word, "._(") {
		first = unicode.ToUpper(first)
	}
	return string(first) + title[size:] + "."
}
