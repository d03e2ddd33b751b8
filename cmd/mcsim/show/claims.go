package show

import (
	"fmt"
	"io"
	"strings"

	"mcsim/report/page"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Claims prints claims under the titles of their sources, and then the number of all claims with each
// verdict.
func Claims(w io.Writer, shown, all []result.Claim, title func(source string) string) {
	sources, bySource := page.ClaimsBySource(shown)
	for _, name := range sources {
		heading := name
		if text := title(name); text != "" && text != name {
			heading += ": " + text
		}
		Paragraph(w, "", 0, heading)
		fmt.Fprintln(w)
		for _, c := range bySource[name] {
			printClaim(w, c)
		}
	}
	byVerdict := page.ClaimsByVerdict(all)
	var parts []string
	for _, v := range names.ClaimVerdicts {
		if n := len(byVerdict[v]); n > 0 {
			part := fmt.Sprintf("%d %s", n, v)
			if errors := page.CountErrors(byVerdict[v]); v == names.ClaimWrong && errors < n {
				part += fmt.Sprintf(" (%s)", Counted(errors, "error"))
			}
			parts = append(parts, part)
		}
	}
	evidence := 0
	for _, c := range all {
		if c.Kind == names.KindDocument {
			evidence++
		}
	}
	text := fmt.Sprintf("%s: %s.", Counted(len(all), "claim"), strings.Join(parts, ", "))
	if evidence > 0 {
		rest := "rest on evidence and were"
		if evidence == 1 {
			rest = "rests on evidence and was"
		}
		text += fmt.Sprintf(" Of these, %d %s not computed.", evidence, rest)
	}
	Paragraph(w, "", 0, text)
	if len(shown) > 0 {
		Paragraph(w, "", 0, page.BracketsNote)
	}
}

// printClaim prints a claim with its verdict and the numbers that it rests on.
func printClaim(w io.Writer, c result.Claim) {
	Paragraph(w, c.ID, len(c.ID)+2, fmt.Sprintf("%s: %s", strings.ToUpper(c.Verdict), c.Text))
	line := func(what, text string) {
		if text != "" {
			Paragraph(w, "    "+what, len("    published  "), text)
		}
	}
	if len(c.Published) > 0 {
		line("published", page.PublishedText(c))
	}
	for _, text := range page.RecomputedTexts(c) {
		line("value", text)
	}
	line("of", page.ReferenceText(c))
	line("off", page.DeviationText(c))
	line("why", c.Why)
	fmt.Fprintln(w)
}
