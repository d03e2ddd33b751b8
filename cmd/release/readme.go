package main

import (
	"regexp"
	"slices"
	"strings"
)

const readmeFile = "README.md"

// elsewhere is said below the title of the archive's README. The repository has no address
// of its own that a link could lead to.
const elsewhere = "*This is the README of the source. `make`, and the files under `docs` and `out` that are named\nwithout a link, are there, and not in this archive of the program.*\n"

// link is one of Markdown, or a picture.
var link = regexp.MustCompile(`(!?)\[([^\]]*)\]\(([^)\s]+)\)`)

// pictures are the files that a text in Markdown shows.
func pictures(text string) (found []string) {
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		if m[1] == "!" && !strings.Contains(m[3], "://") {
			found = append(found, m[3])
		}
	}
	return found
}

// unlinked is the README as an archive with some files has it: what leads to other files of
// the repository is plain text.
func unlinked(text string, has []string) string {
	text = link.ReplaceAllStringFunc(text, func(whole string) string {
		m := link.FindStringSubmatch(whole)
		if m[1] == "!" || strings.Contains(m[3], "://") || strings.HasPrefix(m[3], "#") || slices.Contains(has, m[3]) {
			return whole
		}
		return m[2]
	})
	title, rest, _ := strings.Cut(text, "\n")
	return title + "\n\n" + elsewhere + rest
}
