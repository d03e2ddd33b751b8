// Package sense says what fields of JSON mean in places where the definition that they share
// with others of their name, in package names, would be false or say nothing.
package sense

import (
	"strings"

	"mcsim/sim/names"
)

// Sense is what a field means in one place, where the definition that it shares with
// others of its name would be false or say nothing.
type Sense struct {
	Output     string // a file, or a command that prints an object
	Path       string // from the whole object on
	Definition string
}

// Name is that of the field.
func (s Sense) Name() string { return s.Path[strings.LastIndex(s.Path, ".")+1:] }

// Place is how texts name the place of a field.
func (s Sense) Place() string { return Place(s.Output, s.Path) }

// Place is how texts name the place of a field of an output.
func Place(output, path string) string { return output + ": " + path }

// At is the entry of a field of an output, as it is meant there.
func At(output, path string) (names.Entry, bool) {
	for _, s := range senses {
		if s.Output == output && s.Path == path {
			return names.Entry{Group: names.GroupField, Name: s.Name(), Title: s.Name(), Definition: s.Definition}, true
		}
	}
	return names.Field(Sense{Path: path}.Name())
}

// All lists all of them. Nobody may change them.
func All() []Sense { return senses }

// Of are those of an entry that [names.Field] returns for its name; none of any other.
func Of(e names.Entry) (found []Sense) {
	if own, ok := names.Field(e.Name); !ok || own.Group != e.Group {
		return nil
	}
	for _, s := range senses {
		if s.Name() == e.Name {
			found = append(found, s)
		}
	}
	return found
}

// in are the senses of fields of an output: a path and its definition in turn.
func in(output string, pairs ...string) (found []Sense) {
	for i := 0; i < len(pairs); i += 2 {
		found = append(found, Sense{output, pairs[i], pairs[i+1]})
	}
	return found
}
