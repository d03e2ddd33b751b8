package view

import "strings"

// Listed writes names as running text lists them: "depth, init and rules".
func Listed(names []string) string { return listed(names, "and") }

// ListedOr joins names of which any is meant: a, b or c.
func ListedOr(names []string) string { return listed(names, "or") }

func listed(names []string, last string) string {
	n := len(names) - 1
	if n < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n], ", ") + " " + last + " " + names[n]
}
