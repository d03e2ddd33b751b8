package view

import (
	"fmt"
	"io"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/page"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Claims prints the shown claims under the titles of their sources, and then counts all claims by
// verdict.
func Claims(w io.Writer, shown, allClaims []result.Claim, title func(source string) string) {
	sources, bySource := page.ClaimsBySource(shown)
	for _, name := range sources {
		heading := name
		if text := title(name); text != "" && text != name {
			heading += ": " + text
		}
		show.Paragraph(w, "", 0, heading)
		fmt.Fprintln(w)
		for _, c := range bySource[name] {
			printClaim(w, c)
		}
	}
	byVerdict := page.ClaimsByVerdict(allClaims)
	var parts []string
	for _, v := range names.ClaimVerdicts {
		if n := len(byVerdict[v]); n > 0 {
			part := fmt.Sprintf("%d %s", n, v)
			errorCount := page.CountErrors(byVerdict[v])
			if v == names.ClaimWrong && errorCount < n {
				part += fmt.Sprintf(" (%s)", show.FormatCount(errorCount, "error"))
			}
			parts = append(parts, part)
		}
	}
	documentClaims := 0 // claims that rest on a document as evidence
	for _, c := range allClaims {
		if c.Kind == names.KindDocument {
			documentClaims++
		}
	}
	text := fmt.Sprintf("%s: %s.", show.FormatCount(len(allClaims), "claim"), strings.Join(parts, ", "))
	if documentClaims > 0 {
		verbs := "rest on evidence and were"
		if documentClaims == 1 {
			verbs = "rests on evidence and was"
		}
		text += fmt.Sprintf(" Of these, %d %s not computed.", documentClaims, verbs)
	}
	show.Paragraph(w, "", 0, text)
	if len(shown) > 0 {
		show.Paragraph(w, "", 0, page.BracketsNote)
	}
}

// printClaim prints a claim with its verdict and the numbers that support it.
func printClaim(w io.Writer, c result.Claim) {
	show.Paragraph(w, c.ID, len(c.ID)+2, fmt.Sprintf("%s: %s", strings.ToUpper(c.Verdict), c.Text))
	printLine := func(label, text string) {
		if text != "" {
			show.Paragraph(w, "    "+label, len("    published  "), text)
		}
	}
	if len(c.Published) > 0 {
		printLine("published", page.PublishedText(c))
	}
	for _, text := range page.RecomputedTexts(c) {
		printLine("value", text)
	}
	printLine("of", page.ReferenceText(c))
	printLine("off", page.DeviationText(c))
	printLine("why", c.Why)
	fmt.Fprintln(w)
}
