// Package view prints plans and results: gates, comparisons, claims, findings, and the meanings of
// names.
package view

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/report/essay"
	"mcsim/sim/engine/verify"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Verification prints the result of verify, with every gate if printAll is true. The verdict may
// differ from the gates' verdict, because of mismatches or estimates that nothing verified.
func Verification(w io.Writer, v *verify.Judgement, verdict result.Verdict, printAll bool) {
	if printAll {
		printGates(w, v.Gates)
		fmt.Fprintln(w)
	}
	Controls(w, v.Controls)
	Summary(w, v.Gates, v.Budget, verdict)
	for _, m := range v.Mismatches {
		show.Linef(w, "%s  %s", show.ColourVerdict(w, "FAIL"), m)
	}
	if n := len(v.Mismatches); n > 0 {
		show.Linef(w, "%s: the document contradicts itself, or the files next to it, in %s",
			show.ColourVerdict(w, "fail"), show.FormatCount(n, "place"))
	}
	show.Linef(w, "%s", DescribeBasis(v))
}

// ProbeGates prints the gates of a probe, their joint verdict, and the cells that no gate judges.
// If needed is not 0, gates have too few samples and need up to this number.
func ProbeGates(w io.Writer, doc *result.Document, needed int64) {
	fmt.Fprintln(w)
	printGates(w, doc.Gates)
	printBudget(w, doc.Gates, doc.Budget, doc.Budget.Verdict, needed)
	for _, c := range doc.Cells {
		if !slices.ContainsFunc(doc.Gates, func(g result.Gate) bool { return g.Cell == c.ID }) {
			show.Linef(w, "not judged: %s; no gate compares a single cell of this kind with theory", c.ID)
		}
	}
}

// DescribeBasis says from what verify made the judged estimates again: from nodes or from draws. If
// it did not make them again, the text says why, and how many estimates have no gate.
func DescribeBasis(v *verify.Judgement) string {
	switch v.Basis {
	case verify.FromNodes:
		return fmt.Sprintf("made again from the nodes that the run kept: %s", show.FormatCount(v.Rows, "row"))
	case verify.FromDraws:
		return fmt.Sprintf("drawn again: %s", show.FormatCount(v.Rows, "row"))
	}
	const maxNames = 3
	count := func(name string) int { return v.UnjudgedByExperiment[name] }
	experiments := slices.SortedStableFunc(slices.Values(slices.Sorted(maps.Keys(v.UnjudgedByExperiment))),
		func(a, b string) int { return count(b) - count(a) })
	var unjudged []string
	for _, name := range experiments[:min(maxNames, len(experiments))] {
		unjudged = append(unjudged, fmt.Sprintf("%d of %s", count(name), name))
	}
	if len(experiments) > maxNames {
		unjudged = append(unjudged, "and others")
	}
	return fmt.Sprintf("judged only by its rows, since %s: %d of %s are not verified (they have no gate), %s "+
		"(--redraw draws them again; --rows accepts them)",
		v.WhyNotRemade, v.Unjudged, show.FormatCount(v.Rows, "row"), strings.Join(unjudged, ", "))
}

func printGates(w io.Writer, gates []result.Gate) {
	rows := show.NewTable("gate", "cell", "estimate", "must be", "band", "verdict")
	for _, g := range gates {
		rows.Add(g.Name+show.DescribeParams(g.Cell, g.Params), g.Cell,
			digits.PlusMinus(float64(g.Value), float64(g.SE)), g.Expect, formatBand(g), show.ColourVerdict(w, g.Verdict))
	}
	rows.Print(w)
}

func formatBand(g result.Gate) string {
	return fmt.Sprintf("[%s, %s]", digits.Short(float64(g.Band[0])), digits.Short(float64(g.Band[1])))
}

// Summary prints a line for each kind of gate, every gate that does not pass, and the verdict with
// the error rates.
func Summary(w io.Writer, gates []result.Gate, b result.Budget, verdict result.Verdict) {
	if len(gates) == 0 {
		fmt.Fprintln(w, "no gates: nothing is judged")
		return
	}
	rows := show.NewTable("gate", "pass", "fail", "undecided", "cell", "estimate", "band")
	for _, sameName := range experiment.GroupBy(gates, func(g result.Gate) string { return g.Name }) {
		count := map[result.Verdict]int{}
		for _, g := range sameName {
			count[g.Verdict]++
		}
		nearest := slices.MinFunc(sameName, compareMargins)
		band := formatBand(nearest)
		if nearest.Expect == names.ExpectOutside {
			band = "not " + band
		}
		rows.Add(nearest.Name, count[result.Pass], count[result.Fail], count[result.Undecided], nearest.Cell,
			digits.PlusMinus(float64(nearest.Value), float64(nearest.SE)), band)
	}
	rows.Print(w)
	notPassed := findNotPassed(gates)
	if len(notPassed) > 0 {
		fmt.Fprintln(w)
		printGates(w, notPassed)
	}
	for _, g := range notPassed {
		if g.NToDecide != nil {
			advice := ": draw a new attempt (mcsim run --attempt)"
			if b.Short > 0 {
				advice = "" // the plan's own number of samples is too small
			}
			show.Linef(w, "%s of %s would be decided by about %s samples%s",
				g.Name+show.DescribeParams(g.Cell, g.Params), g.Cell, digits.Count(*g.NToDecide), advice)
		}
	}
	printBudget(w, gates, b, verdict, 0)
}

func findNotPassed(gates []result.Gate) []result.Gate {
	return slices.DeleteFunc(slices.Clone(gates), func(g result.Gate) bool { return g.Verdict == result.Pass })
}

// DescribeCause says why a verdict is not a pass: by the first gate that has this verdict, or, if
// there is none, by the other reason.
func DescribeCause(verdict result.Verdict, gates []result.Gate, other string) string {
	i := slices.IndexFunc(gates, func(g result.Gate) bool { return g.Verdict == verdict })
	if i < 0 {
		return other
	}
	g := gates[i]
	return fmt.Sprintf("%d of %s did not pass; %s of %s is %s and must be %s %s", len(findNotPassed(gates)),
		show.FormatCount(len(gates), "gate"), g.Name+show.DescribeParams(g.Cell, g.Params), g.Cell,
		digits.PlusMinus(float64(g.Value), float64(g.SE)), g.Expect, formatBand(g))
}

// printBudget prints the verdict, the verdict of the gates if it differs, and their error rates.
func printBudget(w io.Writer, gates []result.Gate, b result.Budget, verdict result.Verdict, needed int64) {
	count := show.FormatCount(b.Gates, "gate")
	if verdict != b.Verdict {
		count += fmt.Sprintf(", by themselves %s", b.Verdict)
	}
	fmt.Fprintln(w)
	printRates(w, fmt.Sprintf("%s: %s; ", show.ColourVerdict(w, verdict), count), float64(b.Alpha), float64(b.Beta),
		b.Short, needed, slices.ContainsFunc(gates, hasNoBeta))
}

// hasNoBeta reports whether a gate has no β: a gate on a proportion of events declares none.
func hasNoBeta(g result.Gate) bool {
	return g.Expect == names.ExpectAtLeast || g.Expect == names.ExpectAtMost
}

// printRates prints the error rates after the start of their line, the number of gates that have too
// few samples for these rates (short), and the number that they need, if it is known (not 0). A gate
// with too few samples does not fail more often, but it may stay undecided although theory holds.
func printRates(w io.Writer, start string, alpha, beta float64, short int, needed int64, hasProportions bool) {
	text := start + fmt.Sprintf("α about %s for a false alarm", digits.Short(alpha))
	if beta > 0 {
		text += fmt.Sprintf(", β about %s for a missed error", digits.Short(beta))
		if hasProportions {
			text += " (except for proportions)"
		}
	}
	show.Linef(w, "%s", text)
	if beta > 0 && short > 0 {
		text := show.FormatCount(short, "gate") + " with fewer samples than these rates need"
		if needed > 0 {
			text += fmt.Sprintf(" (up to %s)", digits.Count(needed))
		}
		text += ", so likely to stay undecided; leave out the number of samples, or widen the tolerance"
		show.Paragraph(w, "", 0, text)
	}
}

// compareMargins returns −1 if gate a has a smaller margin than gate b, and otherwise 0. It is for
// [slices.MinFunc], which then returns the gate that is nearest to another verdict.
func compareMargins(a, b result.Gate) int {
	if margin(a) < margin(b) {
		return -1
	}
	return 0
}

// margin returns the distance of a gate's interval from the nearer edge of its band, relative to
// the width of the band. The margin is negative if the interval extends over the edge to the side
// where it must not be. A gate on a proportion uses other distances: for "at least", the distance
// from the interval's upper end to the limit; for "at most", the distance from the lower end,
// relative to the limit.
func margin(g result.Gate) float64 {
	switch g.Expect {
	case names.ExpectAtLeast:
		return float64(g.Hi - g.Band[0])
	case names.ExpectAtMost:
		return float64(g.Band[1]-g.Lo) / float64(g.Band[1])
	}
	distance := min(float64(g.Lo-g.Band[0]), float64(g.Band[1]-g.Hi))
	if g.Expect == names.ExpectOutside {
		distance = max(float64(g.Band[0]-g.Hi), float64(g.Lo-g.Band[1]))
	}
	return distance / float64(g.Band[1]-g.Band[0])
}

// VerifiedJudgement is the JSON output of verify. Findings is nil if the document lacks estimates
// that the essay reads.
type VerifiedJudgement struct {
	Verdict result.Verdict `json:"verdict"`
	Results string         `json:"results"` // digest of the document
	*verify.Judgement
	Findings *VerifiedFindings `json:"findings,omitempty"`
}

// VerifiedFindings is the number of findings of the essay, and the findings that the document does
// not support.
type VerifiedFindings struct {
	Total int           `json:"of"`
	Unmet []essay.Unmet `json:"unmet"`
}

// Digest prints the digest of a document, by which one cites it.
func Digest(w io.Writer, digest string) { fmt.Fprintf(w, "results %s\n", digest) }
