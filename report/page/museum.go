package page

import (
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/sim/claim"
	"mcsim/sim/names"
)

// museumView is the data of the page about bugs, as text.
type museumView struct {
	Count, Keys string
	Kinds       []bugKind
}

// bugKind is a kind of bug, with a card for each bug.
type bugKind struct {
	names.ClaimMistake
	Cards []bugCard
}

// bugCard is a bug as Markdown. A line has a label and a text.
type bugCard struct {
	Claim, Ratio string
	Lines        [][2]string
}

// newMuseumView returns the data of the page, which do not depend on the document.
func newMuseumView(*Source) any {
	exhibits := claim.JudgeBugs()
	v := museumView{Count: formatCount(exhibits), Keys: digits.Count(claim.MuseumKeys)}
	_, byKind := groupBy(exhibits, func(e claim.Exhibit) string { return e.Bug.Kind })
	for _, kind := range names.BugKinds {
		v.Kinds = append(v.Kinds, bugKind{kind, names.Map(byKind[kind.Name], newBugCard)})
	}
	return v
}

func newBugCard(e claim.Exhibit) bugCard {
	escape, ratio := markdown.EscapeExceptVariables, digits.Significant(e.Ratio, 3)
	repository := strings.Join(strings.Split(e.Claim.Address, "/")[3:5], "/")
	c := bugCard{Claim: escape(e.Claim.Text), Ratio: ratio, Lines: [][2]string{{"factor", escape(e.Bug.Wrong) +
		"; right is " + escape(e.Bug.Right) + ". Ratio " + ratio + " · " +
		linkToClaim(e.Claim, markdown.Escape(repository)) + ", " + escape(e.Bug.Where)}}}
	if e.Label != "" {
		c.Lines = append(c.Lines, [2]string{"weights", e.Label + ", with " + digits.Significant(1/e.After.Collision, 3) +
			" effective keys instead of " + digits.Significant(1/e.Before.Collision, 3) + ", and a largest weight of " +
			digits.Significant(e.After.MaxWeight, 2) + " instead of " + digits.Significant(e.Before.MaxWeight, 2)})
	}
	// The text about the fix may have a link.
	c.Lines = append(c.Lines, [2]string{"inspect", escape(strings.TrimPrefix(e.Bug.Inspect, "that is "))},
		[2]string{"found", escape(e.Bug.Found) + " · *fixed* " + e.Bug.Fixed})
	if e.Bug.Effect != "" {
		c.Lines = append(c.Lines, [2]string{"reported", escape(e.Bug.Effect)})
	}
	return c
}
