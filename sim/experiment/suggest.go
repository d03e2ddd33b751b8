package experiment

import (
	"strings"

	"github.com/agext/levenshtein"
)

// Suggest ends a message about an unknown name: with the nearest of the valid
// names, or with all of them where none is near.
func Suggest(name string, valid []string) string {
	best, distance := "", max(3, 1+len(name)/2)
	for _, v := range valid {
		if d := levenshtein.Distance(strings.ToLower(name), strings.ToLower(v), nil); d < distance {
			best, distance = v, d
		}
	}
	if best != "" {
		return "; did you mean " + best + "?"
	}
	return "; it is one of " + strings.Join(valid, ", ")
}
