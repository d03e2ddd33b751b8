package view

import (
	"fmt"
	"regexp"
	"strings"

	"mcsim/report/markdown"
)

// reference finds in the text of a source what can be linked to: a repository at a commit
// or tag, a file with its lines, a paper, and a request that a repository took, the last
// named one if it names none. A semicolon ends what is said of a
// repository.
var reference = regexp.MustCompile(`;|\b([A-Za-z0-9-]+/[A-Za-z0-9_.-]+)@([A-Za-z0-9.]+)|([A-Za-z0-9_./-]+\.[A-Za-z]+):([0-9]+(?:-[0-9]+)?(?:,[0-9]+(?:-[0-9]+)?)*)|arXiv[: ]([0-9]{4}\.[0-9]{4,5})|(?:\b([A-Za-z0-9-]+/[A-Za-z0-9_.-]+) )?PR #([0-9]+)`)

// host has the repositories.
const host = "https://github.com/"

// References writes the text of a source with links to the papers, the repositories and the
// lines of files that it names.
func References(source string) string {
	var b strings.Builder
	repository, tree, from := "", "", 0 // the address of the repository, and of its files at the commit
	for _, at := range reference.FindAllStringSubmatchIndex(source, -1) {
		b.WriteString(markdown.WithSubscripts(source[from:at[0]]))
		from = at[1]
		group := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return source[at[2*i]:at[2*i+1]]
		}
		switch text := group(0); {
		case text == ";":
			repository, tree = "", ""
			b.WriteString(text)
		case group(1) != "":
			repository = host + group(1)
			tree = repository + "/blob/" + group(2) + "/"
			fmt.Fprintf(&b, "[%s](%s/tree/%s)", markdown.Escape(text), repository, group(2))
		case group(3) != "" && tree != "":
			b.WriteString(lines(tree+group(3), group(3), group(4)))
		case group(5) != "":
			fmt.Fprintf(&b, "[%s](https://arxiv.org/abs/%s)", markdown.Escape(text), group(5))
		case group(6) != "":
			fmt.Fprintf(&b, "[%s](%s%s/pull/%s)", markdown.Escape(text), host, group(6), group(7))
		case group(7) != "" && repository != "":
			fmt.Fprintf(&b, "[%s](%s/pull/%s)", markdown.Escape(text), repository, group(7))
		default:
			b.WriteString(markdown.Escape(text))
		}
	}
	b.WriteString(markdown.WithSubscripts(source[from:]))
	return b.String()
}

// lines links to the lines of a file, as 50,53-60: the first by the name of the file.
// GitHub shows no lines of Markdown unless it is asked for the plain text.
func lines(address, file, numbers string) string {
	var links []string
	if strings.HasSuffix(file, ".md") {
		address += "?plain=1"
	}
	for i, n := range strings.Split(numbers, ",") {
		text := n
		if i == 0 {
			text = file + ":" + n
		}
		links = append(links, fmt.Sprintf("[%s](%s#L%s)", markdown.Escape(text), address, strings.Replace(n, "-", "-L", 1)))
	}
	return strings.Join(links, ",")
}
