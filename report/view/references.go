package view

import (
	"fmt"
	"regexp"
	"strings"

	"mcsim/report/markdown"
)

// reference finds in the text of a source what can be linked to: a repository at a commit
// or tag, a file with its lines, and a paper. A semicolon ends what is said of a
// repository.
var reference = regexp.MustCompile(`;|\b([A-Za-z0-9-]+/[A-Za-z0-9_.-]+)@([A-Za-z0-9.]+)|([A-Za-z0-9_./-]+\.[A-Za-z]+):([0-9]+(?:-[0-9]+)?(?:,[0-9]+(?:-[0-9]+)?)*)|arXiv[: ]([0-9]{4}\.[0-9]{4,5})`)

// References writes the text of a source with links to the papers, the repositories and the
// lines of files that it names.
func References(source string) string {
	var b strings.Builder
	repository, from := "", 0
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
			repository = ""
			b.WriteString(text)
		case group(1) != "":
			repository = "https://github.com/" + group(1) + "/blob/" + group(2) + "/"
			fmt.Fprintf(&b, "[%s](https://github.com/%s/tree/%s)", markdown.Escape(text), group(1), group(2))
		case group(3) != "" && repository != "":
			b.WriteString(lines(repository+group(3), group(3), group(4)))
		case group(5) != "":
			fmt.Fprintf(&b, "[%s](https://arxiv.org/abs/%s)", markdown.Escape(text), group(5))
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
