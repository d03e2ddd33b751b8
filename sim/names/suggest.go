package names

import (
	"fmt"
	"slices"
	"strings"
)

// Suggest ends a message about an unknown name: with the nearest of the valid
// names, or with those that contain it, or with all of them where none does.
func Suggest(name string, valid []string) string {
	if found := Near(name, valid); len(found) > 0 {
		return "; did you mean " + strings.Join(found, " or ") + "?"
	}
	return "; it is one of " + strings.Join(valid, ", ")
}

// UnknownError says that a name is not among those that its kind has.
type UnknownError struct {
	Kind, Name string
	Names      []string
	Aliases    []string // other names that are read, which are suggested and not listed
}

func (e UnknownError) Error() string {
	if best := nearest(e.Name, slices.Concat(e.Names, e.Aliases)); slices.Contains(e.Aliases, best) {
		return fmt.Sprintf("unknown %s %q; did you mean %s?", e.Kind, e.Name, best)
	}
	return fmt.Sprintf("unknown %s %q%s", e.Kind, e.Name, Suggest(e.Name, e.Names))
}
