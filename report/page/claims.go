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

// claimsView is the data of the page claims. Its first fields are numbers.
type claimsView struct {
	ClaimCount, SourceCount, HoldingCount, WrongCount, ErrorCount string
	// NotSampledCount is the number of claims that need more samples, or "" if there are none.
	NotSampledCount string
	Counts          Table
	Mistakes        []mistake
	Sources         []holdingSource
}

// mistake is a kind of mistake, with the claims that make it.
type mistake struct {
	Name, Title string
	Cards       []card
}

// card is a claim that does not hold, as Markdown. Published and Recomputed have its published and
// its recomputed numbers, and Why has the reason of the verdict.
type card struct{ Claim, Verdict, Source, Published, Recomputed, Why string }

// holdingSource is a text with its claims that hold.
type holdingSource struct {
	Name   string
	Claims []string
}

// newClaimsView returns the data of the page claims.
func newClaimsView(s *Source) any {
	claims := s.Doc.Claims
	order, bySource := ClaimsBySource(claims)
	byVerdict := ClaimsByVerdict(claims)
	wrong := byVerdict[names.ClaimWrong]
	holding := slices.Concat(byVerdict[names.ClaimHolds], byVerdict[names.ClaimRounding])
	v := claimsView{
		ClaimCount:   formatCount(claims),
		SourceCount:  formatCount(order),
		HoldingCount: formatCount(holding),
		WrongCount:   formatCount(wrong),
		ErrorCount:   digits.Count(int64(CountErrors(wrong))),
		Counts:       claimCounts(order, bySource),
	}
	isSampled := func(c result.Claim) bool { return len(c.NotSampled) == 0 }
	if notSampled := slices.DeleteFunc(slices.Clone(claims), isSampled); len(notSampled) > 0 {
		v.NotSampledCount = formatCount(notSampled)
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
			v.Sources = append(v.Sources, holdingSource{sourceTitle(name), names.Map(claims, formatHoldingClaim)})
		}
	}
	return v
}

func formatCount[T any](list []T) string { return digits.Count(int64(len(list))) }

// sourceTitle returns the title of a source as Markdown.
func sourceTitle(source string) string {
	return markdown.EscapeExceptVariables(names.EntryOf(names.GroupValue, source).Title)
}

// formatHoldingClaim writes a claim that holds, with its reason if it has one.
func formatHoldingClaim(c result.Claim) string {
	text := linkToClaim(c, markdown.EscapeExceptVariables(capitalize(c.Text)))
	if c.Why != "" {
		text += ". " + markdown.EscapeExceptVariables(c.Why)
	}
	return text
}

// linkToClaim links a text to the address of a claim, if it has one.
func linkToClaim(c result.Claim, text string) string {
	if c.Address == "" {
		return text
	}
	return "[" + text + "](" + c.Address + ")"
}

// newCard returns the card of a claim. The card of a claim in words with a reason does not have
// recomputed numbers.
func newCard(c result.Claim) card {
	v := card{
		Claim:   markdown.EscapeExceptVariables(capitalize(c.Text)),
		Verdict: c.Verdict,
		Source:  linkToClaim(c, sourceTitle(c.Source)),
		Why:     markdown.EscapeExceptVariables(c.Why),
	}
	if c.Kind == names.KindDocument {
		v.Why = markdown.EscapeExceptVariables(capitalize(c.Evidence) + " (Found on " + c.Dated + ".)")
		return v
	}
	if len(c.Published) > 0 {
		v.Published = markdown.EscapeExceptVariables(PublishedText(c))
	}
	if v.Published != "" || c.Why == "" {
		v.Recomputed = markdown.EscapeExceptVariables(strings.Join(RecomputedTexts(c), "; "))
	}
	return v
}

// capitalize writes the first letter of a text as a capital, unless it is a symbol such as d_k.
func capitalize(text string) string {
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
	addLine := func(title string, claims []result.Claim) {
		cells := []string{title, fmt.Sprint(len(claims))}
		byVerdict := ClaimsByVerdict(claims)
		for _, verdict := range names.ClaimVerdicts {
			cells = append(cells, fmt.Sprint(len(byVerdict[verdict])))
		}
		t.Rows = append(t.Rows, cells)
	}
	var total []result.Claim
	for _, name := range order {
		addLine(sourceTitle(name), bySource[name])
		total = append(total, bySource[name]...)
	}
	addLine("all", total)
	return t
}
