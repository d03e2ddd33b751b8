package modelconfig

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

var (
	//go:embed types.txt
	typesText string
	//go:embed keys.txt
	keysText string
)

// types returns the groups of types.txt. keys returns the keys of config.json by the field that
// they set.
var (
	types = sync.OnceValue(func() []list { return readLists(typesText) })
	keys  = sync.OnceValue(func() map[string][]string {
		all := map[string][]string{}
		for _, l := range readLists(keysText) {
			all[l.name] = l.items
		}
		return all
	})
)

// list is a line of a text and the words below it.
type list struct {
	name  string
	items []string
}

// readLists reads the lists after the first paragraph of a text. A line that begins with a space
// has words of the list above it. A line that begins with # is a comment.
func readLists(text string) (lists []list) {
	_, text, _ = strings.Cut(text, "\n\n")
	for line := range strings.Lines(text) {
		switch name := strings.TrimSpace(line); {
		case name == "" || line[0] == '#':
		case line[0] != ' ':
			lists = append(lists, list{name: name})
		default:
			last := &lists[len(lists)-1]
			last.items = append(last.items, strings.Fields(line)...)
		}
	}
	return lists
}

// isIn reports whether the config's model_type is in the group with the given name.
func (c *Config) isIn(name string) bool {
	return slices.ContainsFunc(types(), func(group list) bool {
		return group.name == name && slices.Contains(group.items, c.Type)
	})
}

// isKnown reports whether the config's model_type is in one of the groups about the scale. Groups
// after "root of d_k" are about layouts and norms of tokens.
func (c *Config) isKnown() bool {
	for _, group := range types() {
		if slices.Contains(group.items, c.Type) {
			return true
		}
		if group.name == "root of d_k" {
			return false
		}
	}
	return false
}

// isAny reports whether the config's model_type is one of the types, which are separated by spaces.
func (c *Config) isAny(types string) bool {
	return c.Type != "" && slices.Contains(strings.Fields(types), c.Type)
}
