// Package essay reads the templates of the report's essay: sentences that a person wrote,
// with their conditions.
//
// A sentence with a finding follows a comment with its conditions, in the
// grammar of claims (package sim/claim):
//
//	<!-- finding
//	- {row: "exponents.scaled_variance[d_k=512, exponent=1/2]", is: in 0.99..1.01}
//	- {gates: variance.score_variance}
//	-->
//	Divided by √d_k a score keeps a variance of {{measured "…"}}.
//
// The comment is about the text that follows in its paragraph, list item or table, up to the next
// comment. A comment <!-- given: a reason --> means that the rest of its section defines, derives,
// cites or asks, and has no finding.
package essay

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcsim/report/markdown"
	"mcsim/sim/claim"
	"mcsim/sim/result"
)

// Text is the template of one page.
type Text struct {
	Name     string // of the page
	source   string
	findings []Finding
	rows     []*claim.RowRef // that conditions read, and that numbers are
	steps    [][]string      // of worked examples: how it names them, the example and the step
}

// Finding is a piece of text with its conditions.
type Finding struct {
	Page       string `json:"page"`
	Text       string `json:"text"` // with … in place of numbers and figures
	written    string // as the template has it
	from, to   int    // of the text in the source
	conditions *claim.Conditions
}

// Unmet is a finding that a document does not support, with the numbers that contradict it, or one
// that is open since draws or gates are missing.
type Unmet struct {
	Finding
	Open bool     `json:"open"`
	Why  []string `json:"why"`
}

// Mark returns the words before the text.
func (u Unmet) Mark() string {
	if u.Open {
		return "**Not settled by this run:** "
	}
	return "**Not borne out by this run:** "
}

var (
	comment = regexp.MustCompile(`(?s)<!-- (finding\n|given: )(.*?)-->[ ]?\n?`)
	calls   = regexp.MustCompile(`\{\{[^}]*\}\}`)
	message = regexp.MustCompile(`^\{\{figure "[^"]*" "([^"]*)"`)
	number  = regexp.MustCompile(`\{\{-? *(?:measured|precise|cell|count|begins) "([^"]*)"`)
	step    = regexp.MustCompile(`\{\{-? *(?:matrix|heat|entry) ("([^"]*)" "([^"]*)")`)
	block   = regexp.MustCompile(`\n\s*\n|\n[-*] |\n\d+\. |<!-- `) // what ends the text of a finding
	// What a finding may call, and what it cannot be or hold, since it is marked and repeated.
	inText = regexp.MustCompile(`^\{\{figure "[^"]*"( "[^"]*")?\}\}\s*$|` +
		`\{\{-? *(measured|precise|cell|count|begins|entry|cite|link|ref) [^{}]*\}\}`)
	unfit = regexp.MustCompile("(?m)\\A[ \t]|^[ \t]*(#|>|[+] |```|~~~|\\$\\$|</?[a-zA-Z])|\\{\\{")
)

// Read reads the template of a page. Errors say in which line they are.
func Read(name, source string) (*Text, error) {
	t := &Text{Name: name, source: source}
	errorAt := func(position int, format string, values ...any) error {
		place := fmt.Sprintf("%s.md:%d: ", name, 1+strings.Count(source[:position], "\n"))
		return fmt.Errorf(place+format, values...)
	}
	if !strings.HasPrefix(source, "# ") {
		return nil, errorAt(0, "a page begins with its heading, # and its title")
	}
	blanked := comment.ReplaceAllStringFunc(source, func(c string) string { return strings.Repeat(" ", len(c)) })
	if position := strings.Index(blanked, "<!--"); position >= 0 {
		return nil, errorAt(position,
			"a comment is <!-- finding, a line for each condition and -->, or <!-- given: reason -->")
	}
	for _, at := range comment.FindAllStringSubmatchIndex(source, -1) {
		if source[at[2]:at[3]] == "given: " {
			continue
		}
		lines := strings.Count(source[:at[4]], "\n")
		c, err := claim.ParseConditions(name+".md", lines, source[at[4]:at[5]])
		if err != nil {
			return nil, err
		}
		f := Finding{Page: name, from: at[1], to: len(source), conditions: c}
		if end := block.FindStringIndex(source[f.from:]); end != nil {
			f.to = f.from + end[0]
		}
		f.written = strings.Join(strings.Fields(source[f.from:f.to]), " ")
		f.Text = calls.ReplaceAllStringFunc(f.written, func(call string) string {
			if m := message.FindStringSubmatch(call); m != nil {
				return m[1]
			}
			return "…"
		})
		if f.Text == "" || source[f.from] == '\n' {
			return nil, errorAt(at[2], "nothing follows the conditions of a finding")
		}
		if found := unfit.FindString(inText.ReplaceAllString(source[f.from:f.to], "…")); found != "" {
			return nil, errorAt(f.from,
				"a finding is a paragraph, an item of a list, a table or a figure, and holds no %q", found)
		}
		t.findings, t.rows = append(t.findings, f), append(t.rows, c.Rows()...)
	}
	t.steps = step.FindAllStringSubmatch(source, -1)
	for _, at := range number.FindAllStringSubmatchIndex(source, -1) {
		r, err := claim.ParseRow(source[at[2]:at[3]])
		if err != nil {
			return nil, errorAt(at[2], "%w", err)
		}
		t.rows = append(t.rows, r)
	}
	return t, nil
}

// Lacks returns the rows, and the steps of worked examples, that the text reads and a document
// does not have, each once.
func (t *Text) Lacks(rows *result.Document) (all []string) {
	for _, r := range t.rows {
		if r.Find(rows) == nil && !slices.Contains(all, r.Text) {
			all = append(all, r.Text)
		}
	}
	for _, s := range t.steps {
		if _, ok := rows.Example(s[2]).Step(s[3]); !ok && !slices.Contains(all, s[1]) {
			all = append(all, s[1])
		}
	}
	return all
}

// Unmet returns the findings of the text that a document does not support.
func (t *Text) Unmet(rows *result.Document) (all []Unmet) {
	for _, f := range t.findings {
		if why, open := f.conditions.Unmet(rows); len(why) > 0 {
			all = append(all, Unmet{f, open, why})
		}
	}
	return all
}

// Marked returns the template without its comments. Unmet findings are marked, and listed
// below the heading of the page.
func (t *Text) Marked(unmet []Unmet) string {
	var b strings.Builder
	last := 0
	write := func(to int) {
		b.WriteString(comment.ReplaceAllString(t.source[last:to], ""))
		last = to
	}
	for _, u := range unmet {
		write(u.from)
		text, lead := t.source[u.from:u.to], ""
		switch {
		case item.MatchString(text):
			lead = item.FindString(text)
			b.WriteString(lead + u.Mark())
		case strings.HasPrefix(text, "|") || strings.HasPrefix(text, "{{figure"):
			b.WriteString(strings.TrimSpace(u.Mark()) + "\n\n")
		default:
			b.WriteString(u.Mark())
		}
		last += len(lead)
		write(u.to)
	}
	write(len(t.source))
	return announce(b.String(), unmet)
}

// item matches the start of an item of a list.
var item = regexp.MustCompile(`^([-*]|\d+\.) +`)

// announce lists unmet findings below the first heading.
func announce(source string, unmet []Unmet) string {
	if len(unmet) == 0 {
		return source
	}
	notice := "> **This run does not bear out what this page says of it in " + places(len(unmet)) + ":**\n"
	if !slices.ContainsFunc(unmet, func(u Unmet) bool { return !u.Open }) {
		notice = "> **This run does not settle what this page says of it in " + places(len(unmet)) + ":**\n"
	}
	for _, u := range unmet {
		text := item.ReplaceAllString(u.written, "")
		switch {
		case strings.HasPrefix(text, "|"):
			text = "a table"
		case strings.HasPrefix(text, "{{figure"):
			text = "a figure: " + u.Text
		}
		notice += "> - " + text + " (`" + markdown.Code(strings.Join(u.Why, "; ")) + "`)\n"
	}
	heading, rest, _ := strings.Cut(source, "\n")
	return heading + "\n\n" + notice + rest
}

func places(n int) string {
	if n == 1 {
		return "one place"
	}
	return fmt.Sprintf("%d places", n)
}

// Report says which findings of all pages a document supports.
type Report struct {
	Findings []Finding // all
	Unmet    []Unmet
	Rows     []result.Estimate // that the essay reads
	Lacks    []string          // what the essay reads and the document does not hold, so that it is not written
}

// Judge judges the findings of all pages by a document.
func Judge(texts []*Text, doc *result.Document) (r Report) {
	rows := *doc
	rows.Index()
	for _, t := range texts {
		r.Findings = append(r.Findings, t.findings...)
		r.Unmet = append(r.Unmet, t.Unmet(&rows)...)
		for _, of := range t.rows {
			if e := of.Find(&rows); e != nil {
				r.Rows = append(r.Rows, *e)
			}
		}
		for _, lacks := range t.Lacks(&rows) {
			if !slices.Contains(r.Lacks, lacks) {
				r.Lacks = append(r.Lacks, lacks)
			}
		}
	}
	return r
}
