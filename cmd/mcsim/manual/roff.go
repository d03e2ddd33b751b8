package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/flag"
)

// Page is a command's page for man, in the macros of man(7). The date may be empty.
func Page(c *cobra.Command, date, version string) []byte {
	p := page{}
	p.line(`.TH "%s" "1" "%s" "mcsim %s" "mcsim"`, strings.ToUpper(pageName(c)), date, version)
	p.line(".nh\n.ad l") // words and numbers are not to be parted
	p.line(".SH NAME\n%s \\- %s", escaped(pageName(c)), escaped(c.Short))
	p.line(".SH SYNOPSIS\n.B %s", escaped(synopsis(c)))
	p.line(".SH DESCRIPTION")
	p.prose(c.Long)
	for _, g := range c.Groups() {
		p.line(".SS %s", escaped(g.Title))
		for _, sub := range listed(c) {
			if sub.GroupID == g.ID {
				p.line(".TP\n.B %s\n%s", escaped(sub.Name()), escaped(sub.Short))
			}
		}
	}
	p.options(c)
	if c.Example != "" {
		p.line(".SH EXAMPLES")
		p.verbatim(strings.Split(c.Example, "\n"))
	}
	p.seeAlso(c)
	return []byte(p.text.String())
}

// page is the text of a page as it grows.
type page struct{ text strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n", args...) }

// options lists the flags of a command.
func (p *page) options(c *cobra.Command) {
	titles, sets := flag.Grouped(c.LocalFlags())
	for i, title := range titles {
		if i == 0 {
			p.line(".SH OPTIONS")
		}
		p.line(".SS %s", escaped(title))
		sets[i].VisitAll(func(f *pflag.Flag) {
			one := pflag.NewFlagSet(f.Name, pflag.ContinueOnError)
			one.AddFlag(f)
			name, help, _ := strings.Cut(strings.TrimSpace(one.FlagUsages()), "  ")
			p.line(".TP\n.B %s\n%s", escaped(name), escaped(strings.TrimSpace(help)))
		})
	}
}

// seeAlso leads to the pages around a command's.
func (p *page) seeAlso(c *cobra.Command) {
	var others []string
	if c.HasParent() {
		others = append(others, c.Parent().CommandPath())
	}
	for _, sub := range listed(c) {
		others = append(others, pageName(sub))
	}
	for i, name := range others {
		others[i] = `\fB` + escaped(name) + `\fR(1)`
	}
	if len(others) > 0 {
		p.line(".SH SEE ALSO\n%s", strings.Join(others, ",\n"))
	}
}

// prose sets paragraphs, and indented lines, which are lists and formulas, as they stand.
func (p *page) prose(text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		lines := strings.Split(strings.Trim(paragraph, "\n"), "\n")
		if i > 0 && hanging(lines) < 2 { // an item parts itself from what stands above
			p.line(".PP")
		}
		for len(lines) > 0 {
			if n := hanging(lines); n > 1 {
				p.item(lines[:n])
				lines = lines[n:]
				continue
			}
			plain := 0
			for plain < len(lines) && !strings.HasPrefix(lines[plain], " ") && hanging(lines[plain:]) < 2 {
				p.line("%s", escaped(lines[plain]))
				plain++
			}
			lines = lines[plain:]
			indented := 0
			for indented < len(lines) && strings.HasPrefix(lines[indented], " ") {
				indented++
			}
			if indented > 0 {
				p.verbatim(lines[:indented])
			}
			lines = lines[indented:]
		}
	}
}

// hanging is how many lines belong to the first, which begins with a heading and a colon: it,
// and those that are indented to what stands behind them.
func hanging(lines []string) int {
	heading, _, ok := strings.Cut(lines[0], ": ")
	if !ok || heading == "" || strings.HasPrefix(heading, " ") {
		return 0
	}
	indent, n := strings.Repeat(" ", len(heading)+2), 1
	for n < len(lines) && strings.HasPrefix(lines[n], indent) && !strings.HasPrefix(lines[n], indent+" ") {
		n++
	}
	return n
}

// item sets lines that hang below their heading.
func (p *page) item(lines []string) {
	heading, rest, _ := strings.Cut(lines[0], ": ")
	p.line(".TP\n.B %s:\n%s", escaped(heading), escaped(rest))
	for _, l := range lines[1:] {
		p.line("%s", escaped(strings.TrimSpace(l)))
	}
}

// verbatim sets lines that are not filled.
func (p *page) verbatim(lines []string) {
	p.line(".nf")
	for _, l := range lines {
		p.line("%s", escaped(l))
	}
	p.line(".fi")
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

// pageName is the name of a command's page: mcsim-run.
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }
