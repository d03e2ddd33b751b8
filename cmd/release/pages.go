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

// body is what help prints, a section under each of its headings. What is indented there are
// lists, formulas, examples and flags, which stand as they are.
func body(b *strings.Builder, help string) {
	as, gap := false, false // whether lines stand as they are, and whether an empty one went before
	for line := range strings.SplitSeq(strings.TrimSpace(help), "\n") {
		heading, ends := strings.CutSuffix(line, ":")
		indented := strings.HasPrefix(line, " ")
		switch {
		case as && !indented && line != "":
			b.WriteString(".fi\n")
		case !as && indented:
			b.WriteString(".nf\n")
		}
		as = indented || as && line == ""
		switch {
		case ends && !indented && !strings.Contains(heading, ". "):
			fmt.Fprintf(b, ".SH %s\n", escaped(strings.ToUpper(heading)))
		case line == "" && !as:
			gap = true
			continue
		case gap && !as:
			fmt.Fprintf(b, ".PP\n%s\n", escaped(line))
		default:
			b.WriteString(escaped(line) + "\n")
		}
		gap = false
	}
	if as {
		b.WriteString(".fi\n")
	}
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
