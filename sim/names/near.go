package names

import (
	"strings"
	"unicode/utf8"

	"github.com/agext/levenshtein"
)

// nearest is the name of the fewest changes: of one letter in three of the unknown one at
// most, since a wrong guess is worse than none.
func nearest(name string, valid []string) (best string) {
	letters := utf8.RuneCountInString(strings.TrimLeft(name, "-")) // the dashes of flags are no evidence
	least := min(max(1, letters/3)+1, letters)
	for _, v := range valid {
		if d := levenshtein.Distance(strings.ToLower(name), strings.ToLower(v), nil); d < least {
			best, least = v, d
		}
	}
	return best
}

// holding are the names that contain a part, of two letters at least.
func holding(part string, valid []string) (found []string) {
	for _, name := range valid {
		if len(part) >= 2 && strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			found = append(found, name)
		}
	}
	return found
}
