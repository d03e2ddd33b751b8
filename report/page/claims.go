package page

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/sim/claim"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// claimsView is the data of the page claims. Its counts are formatted as text.
type claimsView struct {
	ClaimCount      string
	SourceCount     string // number of texts that make the claims
	HoldingCount    string
	WrongCount      string
	ErrorCount      string // number of different errors of the wrong claims
	NotSampledCount string // number of claims that need more samples; "" for 0
	Counts          Table
	Mistakes        []mistake
	Sources         []holdingSource
	BugCount, Keys  string // number of public bugs, and of keys in the rows that show their effect
	Bugs            []bugKind
}

// mistake is a kind of mistake, with a card for each claim that makes it. Others are imprecise or not
// settled.
type mistake struct {
	Name, Title   string
	Wrong, Others []card
}

// card is a claim that does not hold, as Markdown.
type card struct {
	Claim      string
	Verdict    string
	Source     string
	Published  string // published numbers
	Recomputed string // recomputed numbers or conditions
	Why        string // reason for the verdict
}

// holdingSource is a text with its claims that hold.
type holdingSource struct {
	Name   string
	Claims []string
}

// newClaimsView returns the data of the page claims.
func newClaimsView(s *Source) any {
	claims, bugs := s.Doc.Claims, claim.JudgeBugs()
	sources, bySource := ClaimsBySource(claims)
	byVerdict := ClaimsByVerdict(claims)
	wrong := byVerdict[names.ClaimWrong]
	holding := slices.Concat(byVerdict[names.ClaimHolds], byVerdict[names.ClaimRounding])
	v := claimsView{
		ClaimCount:   formatCount(claims),
		SourceCount:  formatCount(sources),
		HoldingCount: formatCount(holding),
		WrongCount:   formatCount(wrong),
		ErrorCount:   digits.Count(int64(CountErrors(wrong))),
		Counts:       claimCounts(sources, bySource),
		BugCount:     formatCount(bugs),
		Keys:         digits.Count(claim.MuseumKeys),
		Bugs:         groupBugs(bugs),
	}
	isSampled := func(c result.Claim) bool { return len(c.NotSampled) == 0 }
	if notSampled := slices.DeleteFunc(slices.Clone(claims), isSampled); len(notSampled) > 0 {
		v.NotSampledCount = formatCount(notSampled)
	}
	faulty := slices.Concat(wrong, byVerdict[names.ClaimImprecise], byVerdict[names.ClaimNotSettled])
	_, byMistake := groupBy(faulty, func(c result.Claim) string { return c.Mistake })
	for _, m := range names.ClaimMistakes {
		if group := byMistake[m.Name]; len(group) > 0 {
			verdicts := ClaimsByVerdict(group)
			others := slices.Concat(verdicts[names.ClaimImprecise], verdicts[names.ClaimNotSettled])
			v.Mistakes = append(v.Mistakes, mistake{Name: m.Name, Title: m.Title,
				Wrong: names.Map(verdicts[names.ClaimWrong], newCard), Others: names.Map(others, newCard)})
		}
	}
	_, holdingBySource := ClaimsBySource(holding)
	for _, name := range sources {
		if group := holdingBySource[name]; len(group) > 0 {
			v.Sources = append(v.Sources, holdingSource{sourceTitle(name), names.Map(group, formatHoldingClaim)})
		}
	}
	return v
}

func formatCount[T any](list []T) string { return digits.Count(int64(len(list))) }

// sourceTitle returns the title of a source as Markdown.
func sourceTitle(source string) string {
	return markdown.EscapeExceptVariables(names.EntryOf(names.GroupValue, source).Title)
}

// formatHoldingClaim writes a claim that holds, and then the reason for the verdict if there is
// one.
func formatHoldingClaim(c result.Claim) string {
	text := linkToClaim(c, markdown.EscapeExceptVariables(capitalize(c.Text)))
	if c.Why != "" {
		text += ". " + markdown.EscapeExceptVariables(c.Why)
	}
	return text
}

// linkToClaim returns a link from a text to the address of a claim, or only the text if the claim
// does not have an address.
func linkToClaim(c result.Claim, text string) string {
	if c.Address == "" {
		return text
	}
	return "[" + text + "](" + c.Address + ")"
}

// newCard returns the card of a claim. If the claim has no published numbers but a reason for its
// verdict, the card shows only the reason, and not the recomputed conditions.
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

// capitalize writes the first letter of a text as a capital, unless the letter is a symbol, as in
// d_k.
func capitalize(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[size:])
	if isSymbol := !unicode.IsLetter(second) && second != ' '; isSymbol {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// claimCounts counts the claims of each source by their verdicts.
func claimCounts(sources []string, bySource map[string][]result.Claim) Table {
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
	for _, name := range sources {
		addLine(sourceTitle(name), bySource[name])
		total = append(total, bySource[name]...)
	}
	addLine("all", total)
	return t
}
