package names

import (
	"fmt"
	"slices"
	"strings"
)

// Suggest returns the end of a message about an unknown name: similar valid names, or all valid
// names if none is similar.
func Suggest(name string, valid []string) string {
	if found := FindSimilar(name, valid); len(found) > 0 {
		return "; did you mean " + strings.Join(found, " or ") + "?"
	}
	const maxShown = 24
	return "; choose from " + List(valid, ", ", maxShown)
}

// UnknownError is the error that Name, for example of an experiment (Kind), is not one of the valid
// Names or Aliases. Aliases are other accepted names, which the message may suggest but never
// lists.
type UnknownError struct {
	Kind, Name string
	Names      []string
	Aliases    []string
}

func (e UnknownError) Error() string {
	if best := findNearest(e.Name, slices.Concat(e.Names, e.Aliases)); slices.Contains(e.Aliases, best) {
		return fmt.Sprintf("unknown %s %q; did you mean %s?", e.Kind, e.Name, best)
	}
	return fmt.Sprintf("unknown %s %q%s", e.Kind, e.Name, Suggest(e.Name, e.Names))
}
