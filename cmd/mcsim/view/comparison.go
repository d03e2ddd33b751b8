package view

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/sim/engine/compare"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Comparison prints the verdict on all pairs of estimates, and the differences in plan, seed or
// kernel. If printAll is true, it then prints all pairs; otherwise it prints a summary of the pairs
// that are not equal.
func Comparison(w io.Writer, c *compare.Comparison, printAll bool) {
	printOutcome(w, c)
	for _, line := range c.Changes {
		show.Linef(w, "%s", line)
	}
	printNames(w, "only in the first", names.Map(c.OnlyOld, unpairedName))
	printNames(w, "only in the second", names.Map(c.OnlyNew, unpairedName))
	pairs := c.Rows
	if !printAll {
		printQuantities(w, c.Rows)
		pairs = selectVerdict(c.Rows, compare.Differs)
	}
	if len(pairs) > 0 {
		fmt.Fprintln(w)
		printPairs(w, pairs)
	}
	printUnjudged(w, c.Rows)
	var sameValues []string
	for _, r := range c.Rows {
		if r.SameValueOnly {
			sameValues = append(sameValues, estimateName(r.Quantity, r.Cell, r.Params))
		}
	}
	printNames(w, "the same value, but another n, error or theory", sameValues)
}

// printNames prints the number of estimates that a description applies to, and their first few
// names.
func printNames(w io.Writer, description string, estimateNames []string) {
	const maxShown = 3
	if len(estimateNames) == 0 {
		return
	}
	text := strings.Join(estimateNames[:min(maxShown, len(estimateNames))], ", ")
	if hidden := len(estimateNames) - maxShown; hidden > 0 {
		text += fmt.Sprintf(", %d more", hidden)
	}
	show.Linef(w, "%s: %s: %s", description, show.FormatCount(len(estimateNames), "row"), text)
}

func estimateName(quantity, cell string, params result.Params) string {
	return quantity + " of " + cell + show.DescribeParams(cell, params)
}

func unpairedName(e compare.UnpairedEstimate) string {
	return estimateName(e.Quantity, e.Cell, e.Params)
}

// selectVerdict returns the pairs that have the verdict v.
func selectVerdict(pairs []compare.EstimatePair, v compare.Verdict) []compare.EstimatePair {
	return slices.DeleteFunc(slices.Clone(pairs), func(p compare.EstimatePair) bool { return p.Verdict != v })
}

func printPairs(w io.Writer, pairs []compare.EstimatePair) {
	format := func(s compare.Side) string { return digits.PlusMinus(float64(s.Value), float64(s.SE)) }
	table := show.NewTable("quantity", "cell", "old", "new", "difference", "draws", "verdict")
	for _, p := range pairs {
		table.Add(p.Quantity+show.DescribeParams(p.Cell, p.Params), p.Cell, format(p.Old), format(p.New),
			formatChange(p),
			p.Draws, show.ColourVerdict(w, p.Verdict))
	}
	table.Print(w)
}

func formatChange(p compare.EstimatePair) string {
	return digits.PlusMinus(float64(p.Difference), float64(p.SE))
}

// printQuantities prints a line for each quantity with pairs that are not equal: the number of
// pairs with each verdict, and the pair whose difference is the largest relative to its limit.
func printQuantities(w io.Writer, pairs []compare.EstimatePair) {
	quantities := experiment.GroupBy(pairs, func(p compare.EstimatePair) string { return p.Quantity })
	table := show.NewTable("quantity", "equal", "~", "differs", "not judged", "farthest out", "difference")
	byDifference := func(a, b compare.EstimatePair) int {
		return cmp.Compare(relativeDifference(a), relativeDifference(b))
	}
	for _, sameQuantity := range quantities {
		count := map[compare.Verdict]int{}
		for _, p := range sameQuantity {
			count[p.Verdict]++
		}
		if count[compare.Equal] == len(sameQuantity) {
			continue
		}
		cell, difference := digits.None, digits.None
		farthest := slices.MaxFunc(sameQuantity, byDifference)
		if relativeDifference(farthest) > 0 {
			cell, difference = farthest.Cell+show.DescribeParams(farthest.Cell, farthest.Params), formatChange(farthest)
		}
		table.Add(farthest.Quantity, count[compare.Equal], count[compare.Within], count[compare.Differs],
			count[compare.Unjudged], cell, difference)
	}
	if table.Len() == 0 {
		return
	}
	fmt.Fprintln(w)
	table.Print(w)
	fmt.Fprintln(w, "~: another number, but no significant difference")
	if equal := len(quantities) - table.Len(); equal > 0 {
		show.Linef(w, "equal in every row, and omitted here (--all prints them): %d of %d quantities",
			equal, len(quantities))
	}
}

// relativeDifference returns the absolute difference of a pair, relative to the limit of a
// significant difference. The result is 0 for equal pairs and for pairs without a limit.
func relativeDifference(p compare.EstimatePair) float64 {
	switch {
	case p.Verdict == compare.Equal || !p.Limit.Present():
		return 0
	case p.Limit == 0 || !p.Difference.Present():
		return math.Inf(1)
	}
	return math.Abs(float64(p.Difference / p.Limit))
}

// printUnjudged prints the reasons why pairs are not judged, and the number of pairs for each
// reason.
func printUnjudged(w io.Writer, pairs []compare.EstimatePair) {
	unjudged := selectVerdict(pairs, compare.Unjudged)
	if len(unjudged) > 0 {
		fmt.Fprintln(w)
	}
	for _, sameReason := range experiment.GroupBy(unjudged, func(p compare.EstimatePair) string { return p.Why }) {
		show.Linef(w, "different, but not judged: %s (%s)", show.FormatCount(len(sameReason), "row"), sameReason[0].Why)
	}
}

// printOutcome prints the verdict on all pairs and the significance level of the tests.
func printOutcome(w io.Writer, c *compare.Comparison) {
	text := show.FormatCount(len(c.Rows), "row")
	if unpaired := len(c.OnlyOld) + len(c.OnlyNew); unpaired > 0 {
		text += fmt.Sprintf(", %d not in both", unpaired)
	}
	if c.Tested > 0 && c.Verdict != compare.Equal {
		text += fmt.Sprintf("; α = %s for all %d that are tested together, so each limit is at %.2f standard errors",
			digits.Short(float64(c.Alpha)), c.Tested, float64(c.Z))
	}
	switch c.Verdict {
	case compare.Differs:
		text = fmt.Sprintf(": %d of %s", len(selectVerdict(c.Rows, compare.Differs)), text)
	case compare.Equal:
		text = " in " + text
	default:
		text = ": no significant difference in " + text
	}
	show.Linef(w, "%s", show.ColourVerdict(w, c.Verdict)+text)
}
