package page

import (
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/sim/claim"
	"mcsim/sim/names"
)

// bugKind is a kind of bug, with a card for each bug.
type bugKind struct {
	names.ClaimMistake
	Cards []bugCard
}

// bugCard is a bug as Markdown. A line has a label and a text.
type bugCard struct {
	Claim, Ratio, Place  string
	EffectiveKeys, Label string // "" for a cap, which changes only large logits
	Lines                [][2]string
}

// groupBugs returns the cards of the public bugs by kind. They do not depend on the document.
func groupBugs(bugs []claim.Exhibit) (kinds []bugKind) {
	_, byKind := groupBy(bugs, func(e claim.Exhibit) string { return e.Bug.Kind })
	for _, kind := range names.BugKinds {
		kinds = append(kinds, bugKind{kind, names.Map(byKind[kind.Name], newBugCard)})
	}
	return kinds
}

func newBugCard(e claim.Exhibit) bugCard {
	escape := markdown.EscapeExceptVariables
	repository := strings.Join(strings.Split(e.Claim.Address, "/")[3:5], "/")
	c := bugCard{
		Claim: escape(e.Claim.Text),
		Ratio: digits.Significant(e.Ratio, 3),
		Place: linkToClaim(e.Claim, markdown.Escape(repository)) + ", " + markdown.Escape(e.Bug.Where),
		Lines: [][2]string{{"factor", escape(e.Bug.Wrong) + "; right is " + escape(e.Bug.Right)}},
	}
	if e.Label != "" {
		c.EffectiveKeys, c.Label = digits.Significant(1/e.Weights.Collision, 3), e.Label
	}
	// The text about the fix may have a link.
	c.Lines = append(c.Lines, [2]string{"inspect", escape(strings.TrimPrefix(e.Bug.Inspect, "that is "))},
		[2]string{"found", escape(e.Bug.Found) + " · *fixed* " + e.Bug.Fixed})
	if e.Bug.Effect != "" {
		c.Lines = append(c.Lines, [2]string{"reported", escape(e.Bug.Effect)})
	}
	return c
}
