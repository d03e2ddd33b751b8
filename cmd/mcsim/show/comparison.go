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
	"mcsim/sim/result"
)

// Comparison prints the verdict on all rows, what differs in plan, seed or kernel, and all rows or
// a summary of those that are not equal.
func Comparison(w io.Writer, c *compare.Comparison, all bool) {
	printOutcome(w, c)
	for _, line := range c.Changes {
		fmt.Fprintln(w, line)
	}
	printNames(w, "in the first alone", names.Map(c.OnlyOld, loneRowName))
	printNames(w, "in the second alone", names.Map(c.OnlyNew, loneRowName))
	rows := c.Rows
	if !all {
		printQuantities(w, c.Rows)
		rows = withVerdict(c.Rows, compare.Differs)
	}
	if len(rows) > 0 {
		fmt.Fprintln(w)
		printRows(w, rows)
	}
	printUnjudged(w, c.Rows)
	var same []string
	for _, r := range c.Rows {
		if r.SameValueOnly {
			same = append(same, rowName(r.Quantity, r.Cell, r.Params))
		}
	}
	printNames(w, "the same number, but of another n or with another error or theory", same)
}

// printNames prints how many rows there are of a kind, and the names of a few.
func printNames(w io.Writer, kind string, rows []string) {
	const maxShown = 3
	if len(rows) == 0 {
		return
	}
	text := strings.Join(rows[:min(maxShown, len(rows))], ", ")
	if more := len(rows) - maxShown; more > 0 {
		text += fmt.Sprintf(", %d more", more)
	}
	fmt.Fprintf(w, "%s: %s: %s\n", kind, Counted(len(rows), "row"), text)
}

func rowName(quantity, cell string, params result.Params) string {
	return quantity + " of " + cell + Point(cell, params)
}

func loneRowName(r compare.UnpairedEstimate) string { return rowName(r.Quantity, r.Cell, r.Params) }

// withVerdict returns the rows with a verdict.
func withVerdict(rows []compare.EstimatePair, v compare.Verdict) []compare.EstimatePair {
	return slices.DeleteFunc(slices.Clone(rows), func(r compare.EstimatePair) bool { return r.Verdict != v })
}

func printRows(w io.Writer, rows []compare.EstimatePair) {
	value := func(s compare.Side) string { return digits.PlusMinus(float64(s.Value), float64(s.SE)) }
	table := NewRows("quantity", "cell", "old", "new", "difference", "draws", "verdict")
	for _, r := range rows {
		table.Add(r.Quantity+Point(r.Cell, r.Params), r.Cell, value(r.Old), value(r.New), formatChange(r), r.Draws,
			verdict(w, r.Verdict))
	}
	table.Print(w)
}

func formatChange(r compare.EstimatePair) string {
	return digits.PlusMinus(float64(r.Difference), float64(r.SE))
}

// printQuantities prints a line for each quantity with rows that are not equal: the verdicts on
// its rows, and the row with the largest difference.
func printQuantities(w io.Writer, rows []compare.EstimatePair) {
	quantities := experiment.GroupBy(rows, func(r compare.EstimatePair) string { return r.Quantity })
	table := NewRows("quantity", "equal", "~", "differs", "not judged", "farthest out", "difference")
	for _, rows := range quantities {
		count := map[compare.Verdict]int{}
		for _, r := range rows {
			count[r.Verdict]++
		}
		if count[compare.Equal] == len(rows) {
			continue
		}
		cell, difference := digits.None, digits.None
		farthest := slices.MaxFunc(rows, func(a, b compare.EstimatePair) int { return cmp.Compare(excess(a), excess(b)) })
		if excess(farthest) > 0 {
			cell, difference = farthest.Cell+Point(farthest.Cell, farthest.Params), formatChange(farthest)
		}
		table.Add(farthest.Quantity, count[compare.Equal], count[compare.Within], count[compare.Differs],
			count[compare.Unjudged], cell, difference)
	}
	if len(table.rows) == 0 {
		return
	}
	fmt.Fprintln(w)
	table.Print(w)
	fmt.Fprintln(w, "~: another number, but no significant difference")
	if equal := len(quantities) - len(table.rows); equal > 0 {
		fmt.Fprintf(w, "equal in every row, and left out here (--all prints them): %d of %d quantities\n",
			equal, len(quantities))
	}
}

// excess returns a row's difference over its limit; 0 if it has none.
func excess(r compare.EstimatePair) float64 {
	switch {
	case r.Verdict == compare.Equal || !r.Limit.Present():
		return 0
	case r.Limit == 0 || !r.Difference.Present():
		return math.Inf(1)
	}
	return math.Abs(float64(r.Difference / r.Limit))
}

// printUnjudged says why rows are not judged, with a count for each reason.
func printUnjudged(w io.Writer, rows []compare.EstimatePair) {
	unjudged := withVerdict(rows, compare.Unjudged)
	if len(unjudged) > 0 {
		fmt.Fprintln(w)
	}
	for _, rows := range experiment.GroupBy(unjudged, func(r compare.EstimatePair) string { return r.Why }) {
		fmt.Fprintf(w, "not judged, but another number: %s (%s)\n", Counted(len(rows), "row"), rows[0].Why)
	}
}

// printOutcome prints the verdict on all rows, and at which level.
func printOutcome(w io.Writer, c *compare.Comparison) {
	text := Counted(len(c.Rows), "row")
	if lone := len(c.OnlyOld) + len(c.OnlyNew); lone > 0 {
		text += fmt.Sprintf(", %d not in both", lone)
	}
	if c.Tested > 0 && c.Verdict != compare.Equal {
		text += fmt.Sprintf("; α = %s for all %d that are tested together, so each limit is at %.2f standard errors",
			digits.Short(float64(c.Alpha)), c.Tested, float64(c.Z))
	}
	switch c.Verdict {
	case compare.Differs:
		text = fmt.Sprintf(": %d of %s", len(withVerdict(c.Rows, compare.Differs)), text)
	case compare.Equal:
		text = " in " + text
	default:
		text = ": no significant difference in " + text
	}
	fmt.Fprintln(w, verdict(w, c.Verdict)+text)
}
