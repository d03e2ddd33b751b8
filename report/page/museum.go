package page

import (
	"regexp"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/sim/claim"
	"mcsim/sim/names"
)

// museumView is the data of the page about public bugs in the factor of scores.
type museumView struct {
	Count string // number of bugs, as text
	Keys  string // number of keys of the rows that show the effect
	Kinds []bugKind
}

// bugKind is a kind of bug, with a card for each bug.
type bugKind struct {
	Name, Title string
	Ratios      string // ratios of all bugs of the kind
	Cards       []bugCard
}

// bugCard is a bug as Markdown.
type bugCard struct {
	Text, Source, Wrong, Right, Ratio, Weights, Inspect, Found, Fixed, Effect string
}

// newMuseumView returns the data of the page. It does not depend on the document.
func newMuseumView(*Source) any {
	exhibits := claim.JudgeBugs()
	v := museumView{Count: formatCount(exhibits), Keys: digits.Count(claim.MuseumKeys)}
	_, byKind := groupBy(exhibits, func(e claim.Exhibit) string { return e.Bug.Kind })
	for _, kind := range names.BugKinds {
		k := bugKind{Name: kind.Name, Title: kind.Title, Cards: names.Map(byKind[kind.Name], newBugCard)}
		k.Ratios = strings.Join(names.Map(k.Cards, func(c bugCard) string { return c.Ratio }), ", ")
		v.Kinds = append(v.Kinds, k)
	}
	return v
}

func newBugCard(e claim.Exhibit) bugCard {
	escape := markdown.EscapeExceptVariables
	c := bugCard{
		Text:    escape(e.Claim.Text),
		Source:  "[" + markdown.Escape(shortenAddress(e.Claim.Address)) + "](" + e.Claim.Address + ")",
		Wrong:   escape(e.Bug.Wrong),
		Right:   escape(e.Bug.Right),
		Ratio:   digits.Significant(e.Ratio, 3),
		Inspect: escape(strings.TrimPrefix(e.Bug.Inspect, "that is ")),
		Found:   escape(e.Bug.Found),
		Fixed:   e.Bug.Fixed, // may have a link
		Effect:  escape(e.Bug.Effect),
	}
	if w := e.After; w.Label != "" {
		c.Weights = w.Label + ", with " + digits.Significant(w.EffectiveKeys, 3) + " effective keys instead of " +
			digits.Significant(e.Before.EffectiveKeys, 3) + ", and a largest weight of " +
			digits.Significant(w.MaxWeight, 2) + " instead of " + digits.Significant(e.Before.MaxWeight, 2)
	}
	return c
}

var gitHubThread = regexp.MustCompile(`^https://github\.com/([^/]+/[^/]+)/(?:pull/|issues/|commit/)([0-9]{1,6}$|[0-9a-f]{7})`)

// shortenAddress writes the address of a thread or a commit as people do: owner/name#12 or
// owner/name@1234567.
func shortenAddress(address string) string {
	m := gitHubThread.FindStringSubmatch(address)
	switch {
	case m == nil:
		return address
	case strings.Contains(address, "/commit/"):
		return m[1] + "@" + m[2]
	}
	return m[1] + "#" + m[2]
}
