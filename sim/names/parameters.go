package names

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// OmittedParams returns the parameters whose default value, Omitted, the estimates of an experiment
// omit. A table of estimates needs them to distinguish an omitted parameter from a parameter that
// the experiment does not have.
func OmittedParams(experiment string) []Entry { return omittedParams()[experiment] }

// omittedParams returns by experiment the parameters that its estimates may omit.
var omittedParams = sync.OnceValue(func() map[string][]Entry {
	byExperiment := map[string][]Entry{}
	for _, e := range table {
		if e.omittingExperiment != "" {
			byExperiment[e.omittingExperiment] = append(byExperiment[e.omittingExperiment], e)
		}
	}
	return byExperiment
})

// toSentence returns a title as a sentence, with a full stop and a capital. The capital is omitted
// if the title begins with a symbol: one letter, or a word with a dot, an underscore or a
// parenthesis.
func toSentence(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	word, _, _ := strings.Cut(title, " ")
	second, _ := utf8.DecodeRuneInString(title[size:])
	isSymbol := !unicode.IsLower(second) || strings.ContainsAny(word, "._(")
	if !isSymbol {
		first = unicode.ToUpper(first)
	}
	return string(first) + title[size:] + "."
}
