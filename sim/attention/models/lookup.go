package models

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"mcsim/sim/names"
)

// wordPattern matches a part of a model's name: letters, or a version such as 3.1.
var wordPattern = regexp.MustCompile(`\pL+|\d+(?:\.\d+)*`)

// words returns the parts of a name in lower case: llama, 3.1, 405 and b for Llama-3.1-405B.
func words(name string) []string { return wordPattern.FindAllString(strings.ToLower(name), -1) }

// maxListed is the largest number of models that an error lists.
const maxListed = 8

// Lookup returns the model with the given name or alias in any spelling. The first words of the
// name suffice if no other model has them: Llama 3 is llama-3-8b, not Llama 3.1. An owner before
// the name, as on Hugging Face, is ignored. Errors name the models that begin with the same words
// or have a similar spelling.
func Lookup(text string) (Model, error) {
	if strings.TrimSpace(text) == "" {
		return Model{}, errors.New("the name of a model is empty")
	}
	base := path.Base(text)
	for _, name := range []string{text, base} { // with the slash first: ViT-B is not the owner in ViT-B/16
		for _, m := range All() {
			isName := func(known string) bool { return spelling(words(known)) == spelling(words(name)) }
			if slices.ContainsFunc(append(strings.FieldsFunc(m.Alias, func(r rune) bool { return r == ';' }), m.Name), isName) {
				return m, nil
			}
		}
	}
	wanted := words(base)
	models, sharedWords := findNearest(wanted)
	typedNames := names.Map(models, Model.TypedName)
	switch {
	case sharedWords == 0:
		return Model{}, fmt.Errorf("unknown model %q; %s", text, suggestion(base))
	case sharedWords == len(wanted) && len(models) == 1:
		return models[0], nil
	case sharedWords == len(wanted):
		return Model{}, fmt.Errorf("model %q may be %s", text, joinNames(typedNames))
	case isNumber(wanted[sharedWords]):
		return Model{}, fmt.Errorf("unknown model %q; the ledger has %s", text, joinNames(typedNames))
	}
	if len(typedNames) == 1 {
		return Model{}, fmt.Errorf("unknown model %q; did you mean %s?", text, typedNames[0])
	}
	return Model{}, names.UnknownError{Kind: "model", Name: base, Names: typedNames}
}

// spelling joins the words of a name, with a hyphen between adjacent numbers only. Then GPT-NeoX
// and gptneox have the same spelling, but Llama-2-7B and Llama-27B do not.
func spelling(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 && isNumber(w) && isNumber(words[i-1]) {
			b.WriteByte('-')
		}
		b.WriteString(w)
	}
	return b.String()
}

// findNearest returns the models whose names share the largest number of leading words with the
// given words, and this number. It returns no models if the number is 0.
func findNearest(wanted []string) (found []Model, sharedWords int) {
	for _, m := range All() {
		n := 0
		for known := words(m.Name); n < min(len(known), len(wanted)) && known[n] == wanted[n]; n++ {
		}
		if n > sharedWords {
			found, sharedWords = nil, n
		}
		if n == sharedWords && n > 0 {
			found = append(found, m)
		}
	}
	return found, sharedWords
}

// suggestion returns the end of the error for a name whose first word no model has. It names the
// models whose first words or whose whole names have a similar spelling. It never names another
// version of a model, so that numbers must be equal.
func suggestion(name string) string {
	wanted := words(name)
	byFirstWords := map[string][]string{} // models by the spelling of their first words
	var sameVersion []string              // models with the same numbers, or all models if name has no number
	for _, m := range All() {
		known := words(m.Name)
		first := known[:min(len(wanted), len(known))]
		if slices.Equal(numbers(first), numbers(wanted)) {
			byFirstWords[spelling(first)] = append(byFirstWords[spelling(first)], m.TypedName())
		}
		if n := numbers(wanted); len(n) == 0 || slices.Equal(numbers(known), n) {
			sameVersion = append(sameVersion, m.TypedName())
		}
	}
	var found []string
	for _, similar := range names.FindSimilar(spelling(wanted), slices.Sorted(maps.Keys(byFirstWords))) {
		found = append(found, byFirstWords[similar]...)
	}
	if len(found) == 0 {
		found = names.FindSimilar(name, sameVersion)
	}
	if len(found) == 0 {
		return "mcsim models lists them all"
	}
	return "did you mean " + joinNames(found) + "?"
}

// numbers returns the words that are numbers.
func numbers(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !isNumber(w) })
}

func isNumber(word string) bool { return word[0] >= '0' && word[0] <= '9' }

// joinNames joins names with "or". If there are more than maxListed, it counts the others.
func joinNames(list []string) string {
	if len(list) > maxListed {
		return names.List(list, ", ", maxListed)
	}
	return strings.Join(list, " or ")
}
