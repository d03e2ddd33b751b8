// Package near finds the names that an unknown one may be meant for.
package near

import (
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// Nearest is the name of the fewest changes, none where all are far; one that shares no
// letter with the unknown one is not near.
func Nearest(name string, valid []string) string {
	best, distance := "", max(3, 1+len(name)/2)
	for _, v := range valid {
		if d := levenshtein.Distance(strings.ToLower(name), strings.ToLower(v), nil); d < min(distance, max(len(name), len(v))) {
			best, distance = v, d
		}
	}
	return best
}

// Closest are so many names of the fewest changes, however many these are.
func Closest(name string, valid []string, n int) []string {
	far := func(v string) int { return levenshtein.Distance(strings.ToLower(name), strings.ToLower(v), nil) }
	sorted := slices.Clone(valid)
	slices.SortStableFunc(sorted, func(a, b string) int { return far(a) - far(b) })
	return sorted[:min(n, len(sorted))]
}

// Holding are the names that contain a part, of two letters at least.
func Holding(part string, valid []string) []string {
	var found []string
	for _, name := range valid {
		if len(part) >= 2 && strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			found = append(found, name)
		}
	}
	return found
}
