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

// types returns the lists of types.txt: groups of values of model_type. keys returns the lists of
// keys.txt by their title: the keys of config.json that have the meaning which the title states.
var (
	types = sync.OnceValue(func() []list { return readLists(typesText) })
	keys  = sync.OnceValue(func() map[string][]string {
		keysOf := map[string][]string{}
		for _, l := range readLists(keysText) {
			keysOf[l.title] = l.items
		}
		return keysOf
	})
)

// list is a title line of a text and the words in the indented lines below it.
type list struct {
	title string
	items []string
}

// readLists reads the lists after the first paragraph of a text. A line that begins with a space
// has words of the current list, and a line that begins with # is a comment. Any other line is the
// title of a new list.
func readLists(text string) (lists []list) {
	_, text, _ = strings.Cut(text, "\n\n")
	for line := range strings.Lines(text) {
		switch title := strings.TrimSpace(line); {
		case title == "" || line[0] == '#':
		case line[0] != ' ':
			lists = append(lists, list{title: title})
		default:
			last := &lists[len(lists)-1]
			last.items = append(last.items, strings.Fields(line)...)
		}
	}
	return lists
}

// isInGroup reports whether types.txt has the config's model_type in the list with the given title.
func (c *Config) isInGroup(title string) bool {
	return slices.ContainsFunc(types(), func(group list) bool {
		return group.title == title && slices.Contains(group.items, c.Type)
	})
}

// isKnown reports whether the config's model_type is in one of the groups about the scale. The
// groups after "root of d_k" are about layouts and norms of tokens.
func (c *Config) isKnown() bool {
	for _, group := range types() {
		if slices.Contains(group.items, c.Type) {
			return true
		}
		if group.title == "root of d_k" {
			return false
		}
	}
	return false
}

// isOneOf reports whether the config's model_type is one of the given types, separated by spaces.
func (c *Config) isOneOf(types string) bool {
	return c.Type != "" && slices.Contains(strings.Fields(types), c.Type)
}
