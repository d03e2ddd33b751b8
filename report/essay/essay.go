// Package essay reads the templates of the report's essay, and checks its findings, which are
// sentences with conditions.
//
// A comment before each finding has its conditions, in the grammar of claims (package sim/claim):
//
//	<!-- finding
//	- {row: "exponents.scaled_variance[d_k=512, exponent=1/2]", is: in 0.99..1.01}
//	- {gates: variance.score_variance}
//	-->
//	Divided by √d_k a score keeps a variance of {{measured "…"}}.
//
// The finding is the text after the comment in its paragraph, list item or table, up to the next
// comment. A comment <!-- given: a reason --> means that the rest of its section has no findings,
// since it only defines, derives, cites or asks.
package essay

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcsim/report/markdown"
	"mcsim/sim/claim"
	"mcsim/sim/result"
)

// Text is the template of a page.
type Text struct {
	Name     string // name of the page
	source   string
	findings []Finding
	refs     []*claim.RowRef // estimates of conditions and of numbers in the text
	steps    [][]string      // steps of worked examples: call, its arguments, example and step
}

// Finding is a piece of text with its conditions.
type Finding struct {
	Page       string `json:"page"`
	Text       string `json:"text"` // text with … in place of numbers and figures
	written    string // text on one line, with the calls of the template
	start, end int    // range of the text in the source
	conditions *claim.Conditions
}

// Unmet is a finding that a document does not support: it contradicts the finding or, if IsOpen is
// true, it does not have enough samples or gates to decide. Reasons lists the numbers.
type Unmet struct {
	Finding
	IsOpen  bool     `json:"open"`
	Reasons []string `json:"why"`
}

// mark returns the words before the text of the finding, or a sentence before its table or figure.
func (u Unmet) mark() string {
	switch {
	case strings.HasPrefix(u.written, "|"):
		return "**This run " + u.verb() + " what the next table says.**\n\n"
	case strings.HasPrefix(u.written, "{{figure"):
		return "**This run " + u.verb() + " what the next figure's caption says.**\n\n"
	}
	return "**This run " + u.verb() + " this statement:** "
}

func (u Unmet) verb() string {
	if u.IsOpen {
		return "does not settle"
	}
	return "does not bear out"
}

var (
	commentPattern = regexp.MustCompile(`(?s)<!-- (finding\n|given: )(.*?)-->[ ]?\n?`)
	callPattern    = regexp.MustCompile(`\{\{[^}]*\}\}`)
	figureCaption  = regexp.MustCompile(`^\{\{figure "[^"]*" "([^"]*)"`)
	numberCall     = regexp.MustCompile(`\{\{-? *(?:measured|percent|precise|cell|count|begins) "([^"]*)"`)
	stepCall       = regexp.MustCompile(`\{\{-? *(?:matrix|heat|entry) ("([^"]*)" "([^"]*)")`)
	findingEnd     = regexp.MustCompile(`\n\s*\n|\n[-*] |\n\d+\. |<!-- `) // empty line, next item, or comment
	// allowedCall matches the calls that a finding may contain, and forbiddenMarkdown the Markdown
	// that it must not contain. An unmet finding is repeated on one line at the top of the page.
	allowedCall = regexp.MustCompile(`^\{\{figure "[^"]*"( "[^"]*")?\}\}\s*$|` +
		`\{\{-? *(measured|percent|precise|cell|count|begins|entry|cite|link|ref) [^{}]*\}\}`)
	forbiddenMarkdown = regexp.MustCompile("(?m)\\A[ \t]|^[ \t]*(#|>|[+] |```|~~~|\\$\\$|</?[a-zA-Z])|\\{\\{")
)

// Read reads the template of a page. Its errors begin with the file and the line.
func Read(name, source string) (*Text, error) {
	t := &Text{Name: name, source: source}
	errorAt := func(position int, format string, values ...any) error {
		prefix := fmt.Sprintf("%s.md:%d: ", name, 1+strings.Count(source[:position], "\n"))
		return fmt.Errorf(prefix+format, values...)
	}
	if !strings.HasPrefix(source, "# ") {
		return nil, errorAt(0, "a page begins with its heading, # and its title")
	}
	blanked := commentPattern.ReplaceAllStringFunc(source, func(c string) string { return strings.Repeat(" ", len(c)) })
	if position := strings.Index(blanked, "<!--"); position >= 0 { // a comment of no known kind
		return nil, errorAt(position,
			"a comment is <!-- finding, a line for each condition and -->, or <!-- given: reason -->")
	}
	for _, m := range commentPattern.FindAllStringSubmatchIndex(source, -1) {
		if source[m[2]:m[3]] == "given: " {
			continue
		}
		linesBefore := strings.Count(source[:m[4]], "\n")
		c, err := claim.ParseConditions(name+".md", linesBefore, source[m[4]:m[5]])
		if err != nil {
			return nil, err
		}
		f := Finding{Page: name, start: m[1], end: len(source), conditions: c}
		if end := findingEnd.FindStringIndex(source[f.start:]); end != nil {
			f.end = f.start + end[0]
		}
		f.written = strings.Join(strings.Fields(source[f.start:f.end]), " ")
		f.Text = callPattern.ReplaceAllStringFunc(f.written, func(call string) string {
			if m := figureCaption.FindStringSubmatch(call); m != nil {
				return m[1]
			}
			return "…"
		})
		if f.Text == "" || source[f.start] == '\n' {
			return nil, errorAt(m[2], "nothing follows the conditions of a finding")
		}
		withoutCalls := allowedCall.ReplaceAllString(source[f.start:f.end], "…")
		if found := forbiddenMarkdown.FindString(withoutCalls); found != "" {
			return nil, errorAt(f.start,
				"a finding is a paragraph, an item of a list, a table or a figure, and must not contain %q", found)
		}
		t.findings, t.refs = append(t.findings, f), append(t.refs, c.Rows()...)
	}
	t.steps = stepCall.FindAllStringSubmatch(source, -1)
	for _, m := range numberCall.FindAllStringSubmatchIndex(source, -1) {
		r, err := claim.ParseRow(source[m[2]:m[3]])
		if err != nil {
			return nil, errorAt(m[2], "%w", err)
		}
		t.refs = append(t.refs, r)
	}
	return t, nil
}

// Missing returns the estimates and the steps of worked examples that the text reads and that the
// document does not have, each once.
func (t *Text) Missing(doc *result.Document) (missing []string) {
	for _, r := range t.refs {
		if r.Find(doc) == nil && !slices.Contains(missing, r.Text) {
			missing = append(missing, r.Text)
		}
	}
	for _, s := range t.steps {
		if _, ok := doc.Example(s[2]).Step(s[3]); !ok && !slices.Contains(missing, s[1]) {
			missing = append(missing, s[1])
		}
	}
	return missing
}

// UnmetFindings returns the findings of the text that a document does not support, with the
// reasons.
func (t *Text) UnmetFindings(doc *result.Document) (unmet []Unmet) {
	for _, f := range t.findings {
		if why, open := f.conditions.Unmet(doc); len(why) > 0 {
			unmet = append(unmet, Unmet{f, open, why})
		}
	}
	return unmet
}

// WithMarks returns the template without its comments. Unmet findings are marked, and listed
// below the heading of the page.
func (t *Text) WithMarks(unmet []Unmet) string {
	var b strings.Builder
	position := 0
	write := func(end int) {
		b.WriteString(commentPattern.ReplaceAllString(t.source[position:end], ""))
		position = end
	}
	for _, u := range unmet {
		write(u.start)
		itemMarker := listItem.FindString(t.source[u.start:u.end])
		b.WriteString(itemMarker + u.mark())
		position += len(itemMarker)
		write(u.end)
	}
	write(len(t.source))
	return addNotice(b.String(), unmet)
}

var (
	listItem      = regexp.MustCompile(`^([-*]|\d+\.) +`)       // the start of an item of a list
	link          = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`) // a link, with its text
	firstSentence = regexp.MustCompile(`^.*?[.?!](?: |$)`)
)

// addNotice lists unmet findings below the first heading, and folds the conditions that decide.
func addNotice(source string, unmet []Unmet) string {
	if len(unmet) == 0 {
		return source
	}
	// A contradicted statement determines the words above the list.
	isContradicted := func(u Unmet) bool { return !u.IsOpen }
	verb := unmet[max(0, slices.IndexFunc(unmet, isContradicted))].verb()
	statements, reasons := "", ""
	for _, u := range unmet {
		text := link.ReplaceAllString(strings.ReplaceAll(listItem.ReplaceAllString(u.Text, ""), "**", ""), "$1")
		if strings.HasPrefix(text, "|") {
			text = "What a table says."
		}
		statements += "> - " + cmp.Or(strings.TrimSpace(firstSentence.FindString(text)), text) + "\n"
		reasons += "- `" + markdown.EscapeCode(strings.Join(u.Reasons, "; ")) + "`\n"
	}
	heading, rest, _ := strings.Cut(source, "\n")
	return heading + "\n\n> **This run " + verb + " what this page states:**\n" + statements + "\n" +
		markdown.Fold("The conditions that decide, in the same order", reasons) + rest
}

// Report is the result of comparing the findings of all pages with a document.
type Report struct {
	Findings  []Finding         // findings of all pages
	Unmet     []Unmet           // findings that the document does not support
	Estimates []result.Estimate // estimates that the essay reads
	// Missing are the estimates and steps that the essay reads and the document does not have. If
	// there are any, the site has no essay.
	Missing []string
}

// Judge compares the findings of all pages with a document.
func Judge(texts []*Text, doc *result.Document) (r Report) {
	indexed := *doc
	indexed.Index()
	for _, t := range texts {
		r.Findings = append(r.Findings, t.findings...)
		r.Unmet = append(r.Unmet, t.UnmetFindings(&indexed)...)
		for _, ref := range t.refs {
			if e := ref.Find(&indexed); e != nil {
				r.Estimates = append(r.Estimates, *e)
			}
		}
		for _, text := range t.Missing(&indexed) {
			if !slices.Contains(r.Missing, text) {
				r.Missing = append(r.Missing, text)
			}
		}
	}
	return r
}
