package names

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"
)

// Suggest ends a message about an unknown name: with the nearest of the valid
// names, or with those that contain it, or with all of them where none does. A name
// that shares no letter with the unknown one is not near.
func Suggest(name string, valid []string) string {
	best, distance := "", max(3, 1+len(name)/2)
	for _, v := range valid {
		if d := levenshtein.Distance(strings.ToLower(name), strings.ToLower(v), nil); d < min(distance, max(len(name), len(v))) {
			best, distance = v, d
		}
	}
	if best != "" {
		return "; did you mean " + best + "?"
	}
	if found := holding(name, valid); len(found) > 0 {
		return "; did you mean " + strings.Join(found, " or ") + "?"
	}
	return "; it is one of " + strings.Join(valid, ", ")
}

// holding are the names that contain a part, of two letters at least.
func holding(part string, valid []string) []string {
	var found []string
	for _, name := range valid {
		if len(part) >= 2 && strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			found = append(found, name)
		}
	}
	return found
}

// UnknownError says that a name is not among those that its kind has.
type UnknownError struct {
	Kind, Name string
	Names      []string
}

func (e UnknownError) Error() string {
	return fmt.Sprintf("unknown %s %q%s", e.Kind, e.Name, Suggest(e.Name, e.Names))
}
