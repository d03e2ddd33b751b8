package page

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/report/claims"
	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// claimsView is the view of the page on claims.
type claimsView struct {
	All, Texts, Wrong, Errors string
	Undrawn                   string // claims that read what is not drawn; empty for none
	Counts, Faults            view.Table
	Words                     view.Table
	Sources                   []source
}

// source is a text with its claims.
type source struct {
	Name   string
	Claims view.Table
}

// claimed fills the page on claims.
func claimed(s *view.Source) any {
	all := s.Doc.Claims
	order, of := claims.Sources(all)
	wrong := claims.ByVerdict(all)[names.ClaimWrong]
	v := claimsView{All: digits.Count(int64(len(all))), Texts: digits.Count(int64(len(order))), Wrong: digits.Count(int64(len(wrong))), Errors: digits.Count(int64(claims.Errors(wrong))),
		Counts: counts(order, of), Words: words()}
	v.Faults = claimTable("What is wrong, and what is so instead.", wrong)
	drawn := func(c result.Claim) bool { return len(c.Undrawn) == 0 }
	if undrawn := slices.DeleteFunc(slices.Clone(all), drawn); len(undrawn) > 0 {
		v.Undrawn = digits.Count(int64(len(undrawn)))
	}
	for _, name := range order {
		var sorted []result.Claim
		for _, verdict := range names.ClaimVerdicts {
			sorted = append(sorted, claims.ByVerdict(of[name])[verdict]...)
		}
		caption := "Claims of " + markdown.WithSubscripts(claims.Title(name)) + ", wrong ones first."
		v.Sources = append(v.Sources, source{name, claimTable(caption, sorted)})
	}
	return v
}

// counts counts the claims of each source by their verdicts.
func counts(order []string, of map[string][]result.Claim) view.Table {
	t := view.Table{Caption: "Claims by source and verdict.", Head: append([]string{"source", "claims"}, names.ClaimVerdicts...)}
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

// claimTable are some claims, each with its verdict and what was found.
func claimTable(caption string, all []result.Claim) view.Table {
	escaped := markdown.WithSubscripts
	t := view.Table{Caption: caption, Head: []string{"claim", "verdict", "published", "recomputed", "why"}, Left: []int{1, 2, 3, 4}, Brackets: claims.Brackets}
	for _, c := range all {
		verdict := escaped(c.Verdict)
		if c.Verdict == names.ClaimWrong {
			verdict = "**" + verdict + "**"
		}
		t.Rows = append(t.Rows, []string{escaped(c.ID + " " + c.Text), verdict, escaped(claims.Published(c)), escaped(found(c)), escaped(c.Why)})
	}
	return t
}

// found is what was found, with where the verdict turns.
func found(c result.Claim) string {
	text := strings.Join(claims.Recomputed(c), "; ")
	if turns := claims.Turns(c); turns != "" {
		text += "; " + turns
	}
	return text
}

// words are those that texts use, with where they begin.
func words() view.Table {
	t := view.Table{Caption: "Where words begin that texts use in place of numbers.", Head: []string{"word", "what earns it"}, Left: []int{1}}
	for _, w := range names.ClaimWords {
		t.Rows = append(t.Rows, []string{markdown.WithSubscripts(w.Name), markdown.WithSubscripts(w.Title)})
	}
	return t
}
