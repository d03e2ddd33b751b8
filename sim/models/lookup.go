package models

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/names"
)

// word matches a part of a model's name: letters, or a version such as 3.1.
var word = regexp.MustCompile(`\pL+|\d+(?:\.\d+)*`)

// words returns the parts of a name in small letters: llama, 3.1 and 405 and b of Llama-3.1-405B.
func words(name string) []string { return word.FindAllString(strings.ToLower(name), -1) }

// maxNamed bounds the number of models that an error names.
const maxNamed = 8

// Lookup finds a model by its name or alias, however it is spelt, or by the first words of its name
// if no other model has them: Llama 3 is llama-3-8b, not Llama 3.1. An error names the models that
// begin alike.
func Lookup(text string) (Model, error) {
	for _, m := range All() {
		spelling := func(name string) bool { return letters(name) == letters(text) }
		if slices.ContainsFunc(append(m.aliases(), m.Name), spelling) {
			return m, nil
		}
	}
	found, shared := nearest(words(text))
	typed := names.Each(found, Model.Typed)
	switch {
	case shared == 0:
		return Model{}, names.UnknownError{Kind: "model", Name: text, Names: sameNumbers(text)}
	case shared == len(words(text)) && len(found) == 1:
		return found[0], nil
	case shared == len(words(text)):
		return Model{}, fmt.Errorf("model %q may be %s", text, list(typed))
	case isNumber(words(text)[shared]):
		return Model{}, fmt.Errorf("unknown model %q; the ledger has %s", text, list(typed))
	}
	if len(typed) == 1 {
		return Model{}, fmt.Errorf("unknown model %q; did you mean %s?", text, typed[0])
	}
	return Model{}, names.UnknownError{Kind: "model", Name: text, Names: typed}
}

// nearest returns the models whose names share most words with the given ones from the first on, and
// how many these are.
func nearest(want []string) (found []Model, shared int) {
	for _, m := range All() {
		n := 0
		for have := words(m.Name); n < min(len(have), len(want)) && have[n] == want[n]; n++ {
		}
		if n > shared {
			found, shared = nil, n
		}
		if n == shared && n > 0 {
			found = append(found, m)
		}
	}
	return found, shared
}

// sameNumbers returns the models of the ledger whose names hold the same numbers as a text; all if
// none does. So a suggestion never changes a version.
func sameNumbers(text string) []string {
	numbers := func(name string) []string {
		return slices.DeleteFunc(words(name), func(w string) bool { return !isNumber(w) })
	}
	same := slices.DeleteFunc(Names(), func(name string) bool { return !slices.Equal(numbers(name), numbers(text)) })
	if len(same) == 0 {
		return Names()
	}
	return same
}

func isNumber(word string) bool { return word[0] >= '0' && word[0] <= '9' }

// list joins names by "or", and counts those beyond maxNamed.
func list(all []string) string {
	if more := len(all) - maxNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:maxNamed], ", "), more)
	}
	return strings.Join(all, " or ")
}
