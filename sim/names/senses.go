package names

import "strings"

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

// FieldAt is the entry of a field of an output, as it is meant there.
func FieldAt(output, path string) (Entry, bool) {
	for _, s := range senses {
		if s.Output == output && s.Path == path {
			return Entry{Group: GroupField, Name: s.Name(), Title: s.Name(), Definition: s.Definition}, true
		}
	}
	return Field(Sense{Path: path}.Name())
}

// Senses lists all of them. Nobody may change them.
func Senses() []Sense { return senses }

// SensesOf are those of an entry that Field returns for its name; none of any other.
func SensesOf(e Entry) (found []Sense) {
	if own, ok := Field(e.Name); !ok || own.Group != e.Group {
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
