package page

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// claimsView is the view of the page on claims.
type claimsView struct {
	All, Texts, Holding, Wrong, Errors string
	Undrawn                            string // claims that read rows which are not drawn; empty for none
	Counts                             Table
	Mistakes                           []mistake
	Sources                            []holdingSource
}

// mistake is a kind of mistake with the claims that make it.
type mistake struct {
	Name, Title string
	Cards       []card
}

// card is a claim that does not hold: what it says or prints, what is true, and why, as Markdown.
type card struct{ Claim, Verdict, Source, Prints, Is, Why string }

// holdingSource is a text with its claims that hold.
type holdingSource struct {
	Name   string
	Claims []string
}

// claimsOf fills the page on claims.
func claimsOf(s *Source) any {
	all := s.Doc.Claims
	order, bySource := ClaimsBySource(all)
	byVerdict := ClaimsByVerdict(all)
	wrong := byVerdict[names.ClaimWrong]
	holding := slices.Concat(byVerdict[names.ClaimHolds], byVerdict[names.ClaimRounding])
	v := claimsView{
		All:     count(all),
		Texts:   count(order),
		Holding: count(holding),
		Wrong:   count(wrong),
		Errors:  digits.Count(int64(CountErrors(wrong))),
		Counts:  claimCounts(order, bySource),
	}
	isDrawn := func(c result.Claim) bool { return len(c.NotSampled) == 0 }
	if undrawn := slices.DeleteFunc(slices.Clone(all), isDrawn); len(undrawn) > 0 {
		v.Undrawn = count(undrawn)
	}
	faulty := slices.Concat(wrong, byVerdict[names.ClaimImprecise], byVerdict[names.ClaimNotSettled])
	_, byMistake := groupBy(faulty, func(c result.Claim) string { return c.Mistake })
	for _, m := range names.ClaimMistakes {
		if claims := byMistake[m.Name]; len(claims) > 0 {
			v.Mistakes = append(v.Mistakes, mistake{Name: m.Name, Title: m.Title, Cards: names.Map(claims, newCard)})
		}
	}
	_, holdingBySource := ClaimsBySource(holding)
	for _, name := range order {
		if claims := holdingBySource[name]; len(claims) > 0 {
			v.Sources = append(v.Sources, holdingSource{sourceTitle(name), names.Map(claims, holdingText)})
		}
	}
	return v
}

// count writes the length of a list.
func count[T any](list []T) string { return digits.Count(int64(len(list))) }

// sourceTitle returns the title of a source, or its name if it has none, as Markdown.
func sourceTitle(source string) string {
	return markdown.WithSubscripts(names.EntryOf(names.GroupValue, source).Title)
}

// holdingText writes a claim that holds, with its reason if it has one.
func holdingText(c result.Claim) string {
	text := linked(c, markdown.WithSubscripts(capitalised(c.Text)))
	if c.Why != "" {
		text += ". " + markdown.WithSubscripts(c.Why)
	}
	return text
}

// linked links a text to the line of the claim, if the source is public.
func linked(c result.Claim, text string) string {
	if c.Address == "" {
		return text
	}
	return "[" + text + "](" + c.Address + ")"
}

// newCard returns the card of a claim. If a claim in words has a reason, the card leaves out what
// was found.
func newCard(c result.Claim) card {
	out := card{
		Claim:   markdown.WithSubscripts(capitalised(c.Text)),
		Verdict: c.Verdict,
		Source:  linked(c, sourceTitle(c.Source)),
		Why:     markdown.WithSubscripts(c.Why),
	}
	if c.Kind == names.KindDocument {
		out.Why = markdown.WithSubscripts(capitalised(c.Evidence) + " (Found on " + c.Dated + ".)")
		return out
	}
	if len(c.Published) > 0 {
		out.Prints = markdown.WithSubscripts(PublishedText(c))
	}
	if out.Prints != "" || c.Why == "" {
		out.Is = markdown.WithSubscripts(strings.Join(Recomputed(c), "; "))
	}
	return out
}

// capitalised writes the first letter as a capital, unless it is a symbol of one letter.
func capitalised(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[size:])
	if !unicode.IsLetter(second) && second != ' ' {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// claimCounts counts the claims of each source by their verdicts.
func claimCounts(order []string, bySource map[string][]result.Claim) Table {
	t := Table{Caption: "Claims by text and verdict.", Head: append([]string{"text", "claims"}, names.ClaimVerdicts...)}
	addRow := func(title string, claims []result.Claim) {
		cells := []string{title, fmt.Sprint(len(claims))}
		byVerdict := ClaimsByVerdict(claims)
		for _, verdict := range names.ClaimVerdicts {
			cells = append(cells, fmt.Sprint(len(byVerdict[verdict])))
		}
		t.Rows = append(t.Rows, cells)
	}
	var all []result.Claim
	for _, name := range order {
		addRow(sourceTitle(name), bySource[name])
		all = append(all, bySource[name]...)
	}
	addRow("all", all)
	return t
}
