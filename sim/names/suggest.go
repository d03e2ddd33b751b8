package names

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/near"
)

// Suggest ends a message about an unknown name: with the nearest of the valid
// names, or with those that contain it, or with all of them where none does, the nearest
// alone if they are many. A name
// that shares no letter with the unknown one is not near.
func Suggest(name string, valid []string) string {
	if best := near.Nearest(name, valid); best != "" {
		return "; did you mean " + best + "?"
	}
	if found := near.Holding(name, valid); len(found) > 0 {
		return "; did you mean " + strings.Join(found, " or ") + "?"
	}
	if len(valid) > mostListed {
		return fmt.Sprintf("; the nearest of %d are %s", len(valid), strings.Join(near.Closest(name, valid, 3), ", "))
	}
	return "; it is one of " + strings.Join(valid, ", ")
}

// mostListed is how many names one line lists.
const mostListed = 40

// UnknownError says that a name is not among those that its kind has.
type UnknownError struct {
	Kind, Name string
	Names      []string
	Aliases    []string // other names that are read, which are suggested and not listed
}

func (e UnknownError) Error() string {
	if best := near.Nearest(e.Name, slices.Concat(e.Names, e.Aliases)); slices.Contains(e.Aliases, best) {
		return fmt.Sprintf("unknown %s %q; did you mean %s?", e.Kind, e.Name, best)
	}
	return fmt.Sprintf("unknown %s %q%s", e.Kind, e.Name, Suggest(e.Name, e.Names))
}
