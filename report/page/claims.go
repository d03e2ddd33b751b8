package page

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcsim/report/claims"
	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// claimsView is the view of the page on claims.
type claimsView struct {
	All, Texts, Holding, Wrong, Errors string
	Undrawn                            string // claims that read what is not drawn; empty for none
	Counts                             view.Table
	Mistakes                           []mistake
	Sources                            []source
}

// mistake is a kind of mistake with the claims that make it.
type mistake struct {
	Name, Title string
	Cards       []card
}

// card is a claim that does not hold: what it says or prints, what is so, and why, as Markdown.
type card struct{ Claim, Verdict, Source, Prints, Is, Why string }

// source is a text with its claims that hold.
type source struct {
	Name   string
	Claims []string
}

// claimed fills the page on claims.
func claimed(s *view.Source) any {
	all := s.Doc.Claims
	order, of := claims.Sources(all)
	by := claims.ByVerdict(all)
	wrong, holding := by[names.ClaimWrong], slices.Concat(by[names.ClaimHolds], by[names.ClaimRounding])
	number := func(n int) string { return digits.Count(int64(n)) }
	v := claimsView{All: number(len(all)), Texts: number(len(order)), Holding: number(len(holding)), Wrong: number(len(wrong)), Errors: number(claims.Errors(wrong)), Counts: counts(order, of)}
	drawn := func(c result.Claim) bool { return len(c.Undrawn) == 0 }
	if undrawn := slices.DeleteFunc(slices.Clone(all), drawn); len(undrawn) > 0 {
		v.Undrawn = number(len(undrawn))
	}
	faulty := slices.Concat(wrong, by[names.ClaimImprecise], by[names.ClaimNotSettled])
	for _, m := range names.ClaimMistakes {
		kind := mistake{Name: m.Name, Title: m.Title}
		for _, c := range faulty {
			if c.Mistake == m.Name {
				kind.Cards = append(kind.Cards, cardOf(c))
			}
		}
		if len(kind.Cards) > 0 {
			v.Mistakes = append(v.Mistakes, kind)
		}
	}
	for _, name := range order {
		of := source{Name: markdown.WithSubscripts(claims.Title(name))}
		for _, c := range holding {
			if c.Source == name {
				text := linked(c, markdown.WithSubscripts(opened(c.Text)))
				if c.Why != "" {
					text += ". " + markdown.WithSubscripts(c.Why)
				}
				of.Claims = append(of.Claims, text)
			}
		}
		if len(of.Claims) > 0 {
			v.Sources = append(v.Sources, of)
		}
	}
	return v
}

// linked is a text that leads to the line of the claim, where the text is public.
func linked(c result.Claim, text string) string {
	if c.Address == "" {
		return text
	}
	return "[" + text + "](" + c.Address + ")"
}

// cardOf is the card of a claim. What was found of a claim in words is its why, where it has one.
func cardOf(c result.Claim) card {
	set := markdown.WithSubscripts
	if c.Kind == names.KindDocument {
		return card{Claim: set(opened(c.Text)), Verdict: c.Verdict, Source: linked(c, set(claims.Title(c.Source))), Why: set(opened(c.Evidence) + " (Found on " + c.Dated + ".)")}
	}
	out := card{Claim: set(opened(c.Text)), Verdict: c.Verdict, Source: linked(c, set(claims.Title(c.Source))), Why: set(c.Why)}
	if len(c.Published) > 0 {
		out.Prints = set(claims.Published(c))
	}
	if out.Prints != "" || c.Why == "" {
		out.Is = set(strings.Join(claims.Recomputed(c), "; "))
	}
	return out
}

// opened begins with a capital letter, unless that is a symbol.
func opened(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if rest := text[size:]; rest == "" || !unicode.IsLetter([]rune(rest)[0]) && rest[0] != ' ' {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// counts counts the claims of each source by their verdicts.
func counts(order []string, of map[string][]result.Claim) view.Table {
	t := view.Table{Caption: "Claims by text and verdict.", Head: append([]string{"text", "claims"}, names.ClaimVerdicts...)}
	var every []result.Claim
	line := func(title string, all []result.Claim) {
		cells := []string{title, fmt.Sprint(len(all))}
		for _, verdict := range names.ClaimVerdicts {
			cells = append(cells, fmt.Sprint(len(claims.ByVerdict(all)[verdict])))
		}
		t.Rows = append(t.Rows, cells)
	}
	for _, name := range order {
		line(markdown.WithSubscripts(claims.Title(name)), of[name])
		every = append(every, of[name]...)
	}
	line("all", every)
	return t
}
