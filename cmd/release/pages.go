package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// listed is a line of help that names a command.
var listed = regexp.MustCompile(`(?m)^  ([a-z]+) +(\S.*)$`)

// pages are a page for man of the program and one of each of its commands, made of what its
// help prints.
func pages(program string, s state) (files []content, err error) {
	text, err := output(program, "help")
	if err != nil {
		return nil, err
	}
	_, named, _ := strings.Cut(text, "\nExamples:\n")
	files = []content{page(s, "mcsim", "", text)}
	for _, found := range listed.FindAllStringSubmatch(named, -1) {
		if found[1] == "mcsim" {
			continue // an example
		}
		text, err := output(program, "help", found[1])
		if err != nil {
			return nil, err
		}
		files = append(files, page(s, "mcsim-"+found[1], found[2], text))
	}
	return files, nil
}

// page is a page for man, in the macros of man(7).
func page(s state, name, short, help string) content {
	var b strings.Builder
	date := time.Unix(s.seconds, 0).UTC().Format(time.DateOnly)
	fmt.Fprintf(&b, ".TH \"%s\" \"1\" \"%s\" \"mcsim %s\" \"mcsim\"\n.nh\n.ad l\n", strings.ToUpper(name), date, s.version)
	if short == "" {
		short, _, _ = strings.Cut(strings.TrimPrefix(strings.Join(strings.Fields(help), " "), "mcsim "), ".")
	}
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH DESCRIPTION\n", escaped(name), escaped(short))
	body(&b, help)
	return content{name: "man/man1/" + name + ".1", text: []byte(b.String())}
}

// body is what help prints, as it is, a section under each of its headings.
func body(b *strings.Builder, help string) {
	b.WriteString(".nf\n")
	for line := range strings.SplitSeq(strings.TrimSpace(help), "\n") {
		if heading, ends := strings.CutSuffix(line, ":"); ends && !strings.HasPrefix(line, " ") && !strings.Contains(heading, ". ") {
			fmt.Fprintf(b, ".fi\n.SH %s\n.nf\n", escaped(strings.ToUpper(heading)))
		} else {
			b.WriteString(escaped(line) + "\n")
		}
	}
	b.WriteString(".fi\n")
}

// escaped is a text that troff sets as it is: backslashes, hyphens that are typed, lines
// that begin as requests do, and characters beyond ASCII by their numbers.
func escaped(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case i == 0 && (r == '.' || r == '\''):
			b.WriteString(`\&` + string(r))
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-', r == '~', r == '^', r == '`', r == '\'':
			b.WriteString(map[rune]string{'-': `\-`, '~': `\(ti`, '^': `\(ha`, '`': `\(ga`, '\'': `\(aq`}[r])
		case r > 126:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
