package names

import (
	"strings"
	"unicode/utf8"

	"github.com/agext/levenshtein"
)

// findNearest returns the valid name with the smallest edit distance. It returns "" if the distance
// of all names exceeds a third of the letters of name (or 1), since no suggestion is better than a
// wrong one.
func findNearest(name string, valid []string) (best string) {
	letters := utf8.RuneCountInString(strings.TrimLeft(name, "-")) // without the dashes of flags
	upperBound := min(max(1, letters/3)+1, letters)                // distances must be smaller
	for _, v := range valid {
		distance := levenshtein.Distance(strings.ToLower(name), strings.ToLower(v), nil)
		if distance < upperBound {
			best, upperBound = v, distance
		}
	}
	return best
}

// findContaining returns the valid names that contain part, but no name if part has fewer than two
// bytes. Case is ignored.
func findContaining(part string, valid []string) (found []string) {
	if len(part) < 2 {
		return nil
	}
	for _, name := range valid {
		if strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			found = append(found, name)
		}
	}
	return found
}
