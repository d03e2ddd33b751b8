package names

import (
	"strings"
	"unicode/utf8"

	"github.com/agext/levenshtein"
)

// findNearest returns the valid name with the smallest edit distance, "" if more than a third of
// the letters differ, since a wrong guess is worse than none.
func findNearest(name string, valid []string) (best string) {
	letters := utf8.RuneCountInString(strings.TrimLeft(name, "-")) // dashes of flags do not count
	limit := min(max(1, letters/3)+1, letters)
	for _, v := range valid {
		distance := levenshtein.Distance(strings.ToLower(name), strings.ToLower(v), nil)
		if distance < limit {
			best, limit = v, distance
		}
	}
	return best
}

// findContaining returns the names that contain part, none if part has fewer than two letters.
func findContaining(part string, valid []string) (found []string) {
	for _, name := range valid {
		if len(part) >= 2 && strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			found = append(found, name)
		}
	}
	return found
}
