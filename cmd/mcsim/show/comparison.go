package show

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/engine/compare"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// Comparison prints what all rows say together, what differs beforehand, and the rows or a
// summary of those that are not equal.
func Comparison(w io.Writer, c *compare.Comparison, all bool) {
	printOutcome(w, c)
	for _, line := range c.Changes {
		fmt.Fprintln(w, line)
	}
	printNamed(w, "in the first alone", c.OnlyOld, loneName)
	printNamed(w, "in the second alone", c.OnlyNew, loneName)
	rows := c.Rows
	if !all {
		printKinds(w, c.Rows)
		rows = withVerdict(c.Rows, compare.Differs)
	}
	if len(rows) > 0 {
		fmt.Fprintln(w)
		printRows(w, rows)
	}
	printUnjudged(w, c.Rows)
	same := slices.DeleteFunc(slices.Clone(c.Rows), func(r compare.Row) bool { return !r.SameValueOnly })
	printNamed(w, "the same number, but of another n or with another error or theory", same,
		func(r compare.Row) string { return r.Quantity + " of " + r.Cell + Point(r.Cell, r.Params) })
}

// shown is how many rows are named where all would be too many.
const shown = 3

// few are the first of some names, and how many more there are.
func few(names []string) string {
	text := strings.Join(names[:min(shown, len(names))], ", ")
	if more := len(names) - shown; more > 0 {
		text += fmt.Sprintf(", %d more", more)
	}
	return text
}

// printNamed says what some rows are, how many, and names a few.
func printNamed[T any](w io.Writer, what string, rows []T, name func(T) string) {
	if len(rows) > 0 {
		fmt.Fprintf(w, "%s: %s: %s\n", what, Counted(len(rows), "row"), few(names.Each(rows, name)))
	}
}

// loneName names a row that one document alone has.
func loneName(r compare.Lone) string { return r.Quantity + " of " + r.Cell + Point(r.Cell, r.Params) }

// withVerdict are the rows of a verdict.
func withVerdict(rows []compare.Row, v compare.Verdict) []compare.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r compare.Row) bool { return r.Verdict != v })
}

func printRows(w io.Writer, rows []compare.Row) {
	Table(w, "quantity\tcell\told\tnew\tdifference\tdraws\tverdict", rows, func(r compare.Row) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s", r.Quantity+Point(r.Cell, r.Params), r.Cell,
			estimate(r.Old), estimate(r.New), digits.PlusMinus(float64(r.Difference), float64(r.SE)), r.Draws, verdict(w, r.Verdict))
	})
}

func estimate(s compare.Side) string { return digits.PlusMinus(float64(s.Value), float64(s.SE)) }

// printKinds prints a line for each quantity with rows that are not equal: the verdicts on
// its rows, and the row that is farthest out.
func printKinds(w io.Writer, rows []compare.Row) {
	kinds := experiment.Grouped(rows, func(r compare.Row) string { return r.Quantity })
	changed := slices.DeleteFunc(slices.Clone(kinds), func(alike []compare.Row) bool { return len(withVerdict(alike, compare.Equal)) == len(alike) })
	if len(changed) == 0 {
		return
	}
	fmt.Fprintln(w)
	Table(w, "quantity\tequal\t~\tdiffers\tnot judged\tfarthest out\tdifference", changed, func(alike []compare.Row) string {
		cell, difference := digits.None, digits.None
		farthest := slices.MaxFunc(alike, func(a, b compare.Row) int { return cmp.Compare(beyond(a), beyond(b)) })
		if beyond(farthest) > 0 {
			cell, difference = farthest.Cell+Point(farthest.Cell, farthest.Params), digits.PlusMinus(float64(farthest.Difference), float64(farthest.SE))
		}
		verdicts := counts(alike, func(r compare.Row) compare.Verdict { return r.Verdict },
			compare.Equal, compare.Within, compare.Differs, compare.Unjudged)
		return fmt.Sprintf("%s\t%s%s\t%s", farthest.Quantity, verdicts, cell, difference)
	})
	fmt.Fprintln(w, "~: another number, but no significant difference")
	if same := len(kinds) - len(changed); same > 0 {
		fmt.Fprintf(w, "equal in every row, and left out here (--all prints them): %d of %d quantities\n", same, len(kinds))
	}
}

// beyond is how far a row's difference is out, over its limit; 0 where it has none.
func beyond(r compare.Row) float64 {
	switch {
	case r.Verdict == compare.Equal || !r.Limit.Present():
		return 0
	case r.Limit == 0 || !r.Difference.Present():
		return math.Inf(1)
	}
	return math.Abs(float64(r.Difference / r.Limit))
}

// printUnjudged says why rows are not judged, with a count for each reason.
func printUnjudged(w io.Writer, rows []compare.Row) {
	unjudged := withVerdict(rows, compare.Unjudged)
	if len(unjudged) > 0 {
		fmt.Fprintln(w)
	}
	for _, alike := range experiment.Grouped(unjudged, func(r compare.Row) string { return r.Why }) {
		fmt.Fprintf(w, "not judged, but another number: %s (%s)\n", Counted(len(alike), "row"), alike[0].Why)
	}
}

// printOutcome says what all rows say together, and at which level.
func printOutcome(w io.Writer, c *compare.Comparison) {
	n, level, apart := len(withVerdict(c.Rows, compare.Differs)), "", ""
	if lone := len(c.OnlyOld) + len(c.OnlyNew); lone > 0 {
		apart = fmt.Sprintf(", %d not in both", lone)
	}
	if c.Tested > 0 {
		level = fmt.Sprintf("; α = %s for all %d that are tested together, so each limit is at %.2f standard errors",
			digits.Short(float64(c.Alpha)), c.Tested, float64(c.Z))
	}
	said := verdict(w, c.Verdict)
	switch c.Verdict {
	case compare.Differs:
		fmt.Fprintf(w, "%s: %d of %s%s%s\n", said, n, Counted(len(c.Rows), "row"), apart, level)
	case compare.Equal:
		fmt.Fprintf(w, "%s in %s%s\n", said, Counted(len(c.Rows), "row"), apart)
	default:
		fmt.Fprintf(w, "%s: no significant difference in %s%s%s\n", said, Counted(len(c.Rows), "row"), apart, level)
	}
}
