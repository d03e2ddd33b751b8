// Package show prints what commands find: tables and sentences for people, JSON
// for programs. It computes nothing but counts.
package show

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/essay"
	"mcsim/sim/engine/verify"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Verification prints what verify found; if all is true, with every gate.
func Verification(w io.Writer, v *verify.Judgement, all bool) {
	if all {
		printGates(w, v.Gates)
		fmt.Fprintln(w)
	}
	Controls(w, v.Controls)
	Summary(w, v.Gates, v.Budget)
	for _, m := range v.Mismatches {
		fmt.Fprintf(w, "%s  %s\n", verdict(w, "FAIL"), m)
	}
	if n := len(v.Mismatches); n > 0 {
		fmt.Fprintf(w, "%s: the document contradicts itself, or what stands beside it, in %s\n",
			verdict(w, "fail"), Counted(n, "place"))
	}
	fmt.Fprintln(w, Basis(v))
}

// Checked prints the gates on what was measured, what they come to, and the cells that no gate
// judges.
func Checked(w io.Writer, doc *result.Document) {
	fmt.Fprintln(w)
	printGates(w, doc.Gates)
	printBudget(w, doc.Gates, doc.Budget)
	for _, c := range doc.Cells {
		if !slices.ContainsFunc(doc.Gates, func(g result.Gate) bool { return g.Cell == c.ID }) {
			fmt.Fprintf(w, "not judged: %s; no gate holds one such cell against theory\n", c.ID)
		}
	}
}

// Basis says what the judgement rests on.
func Basis(v *verify.Judgement) string {
	switch v.Basis {
	case verify.FromNodes:
		return fmt.Sprintf("made again from the nodes that the run kept: %s", Counted(v.Rows, "row"))
	case verify.FromDraws:
		return fmt.Sprintf("drawn again: %s", Counted(v.Rows, "row"))
	}
	var unjudged []string
	for _, name := range slices.Sorted(maps.Keys(v.UnjudgedByExperiment)) {
		unjudged = append(unjudged, fmt.Sprintf("%d of %s", v.UnjudgedByExperiment[name], name))
	}
	return fmt.Sprintf("judged by its rows alone, since %s: %d of %s rest on nothing, %s "+
		"(--redraw draws them again; --rows takes them as they are)",
		v.WhyNotRemade, v.Unjudged, Counted(v.Rows, "row"), strings.Join(unjudged, ", "))
}

func printGates(w io.Writer, gates []result.Gate) {
	rows := NewRows("gate", "cell", "estimate", "must be", "band", "verdict")
	for _, g := range gates {
		rows.Add(g.Name+Point(g.Cell, g.Params), g.Cell, digits.PlusMinus(float64(g.Value), float64(g.SE)), g.Expect,
			formatBand(g), verdict(w, g.Verdict))
	}
	rows.Print(w)
}

func formatBand(g result.Gate) string {
	return fmt.Sprintf("[%s, %s]", digits.Short(float64(g.Band[0])), digits.Short(float64(g.Band[1])))
}

// Summary prints a line for each kind of gate, every gate that does not pass, and the budget.
func Summary(w io.Writer, gates []result.Gate, b result.Budget) {
	if len(gates) == 0 {
		fmt.Fprintln(w, "no gates: nothing is judged")
		return
	}
	rows := NewRows("gate", "pass", "fail", "undecided", "cell", "estimate", "band")
	var open []result.Gate
	for _, kind := range experiment.GroupBy(gates, func(g result.Gate) string { return g.Name }) {
		count := map[result.Verdict]int{}
		for _, g := range kind {
			count[g.Verdict]++
		}
		nearest, not := slices.MinFunc(kind, compareMargins), ""
		if nearest.Expect == names.ExpectOutside {
			not = "not "
		}
		rows.Add(nearest.Name, count[result.Pass], count[result.Fail], count[result.Undecided], nearest.Cell,
			digits.PlusMinus(float64(nearest.Value), float64(nearest.SE)), not+formatBand(nearest))
	}
	rows.Print(w)
	for _, g := range gates {
		if g.Verdict != result.Pass {
			open = append(open, g)
		}
	}
	if len(open) > 0 {
		fmt.Fprintln(w)
		printGates(w, open)
	}
	for _, g := range open {
		if g.NToDecide != nil {
			fmt.Fprintf(w, "%s of %s would be decided by about %s samples: draw a new attempt (mcsim run --attempt)\n",
				g.Name+Point(g.Cell, g.Params), g.Cell, digits.Count(*g.NToDecide))
		}
	}
	printBudget(w, gates, b)
}

// printBudget prints the verdict on all gates, and their error rates.
func printBudget(w io.Writer, gates []result.Gate, b result.Budget) {
	fmt.Fprintf(w, "\n%s: %s; ", verdict(w, b.Verdict), Counted(b.Gates, "gate"))
	printRates(w, float64(b.Alpha), float64(b.Beta), b.Short, slices.ContainsFunc(gates, hasNoBeta))
}

// hasNoBeta reports whether a gate is on a proportion of events, which declares no β.
func hasNoBeta(g result.Gate) bool {
	return g.Expect == names.ExpectAtLeast || g.Expect == names.ExpectAtMost
}

// printRates prints error rates, and the number of gates with too few samples for them. Such a gate
// fails no more often, but may stay undecided although theory holds.
func printRates(w io.Writer, alpha, beta float64, short int, hasProportions bool) {
	alarm := "false alarm"
	if short > 0 {
		alarm = "false failure"
	}
	text := fmt.Sprintf("α about %s for a %s", digits.Short(alpha), alarm)
	if beta > 0 {
		text += fmt.Sprintf(", β about %s for a missed error", digits.Short(beta))
		if hasProportions {
			text += " (except of counted shares)"
		}
	}
	fmt.Fprintln(w, text)
	if beta > 0 && short > 0 {
		fmt.Fprintf(w, "%s with fewer samples than these rates need, so likely to stay undecided\n",
			Counted(short, "gate"))
	}
}

// compareMargins returns −1 if the interval of a is nearer to another verdict than that of b, else 0.
func compareMargins(a, b result.Gate) int {
	if margin(a) < margin(b) {
		return -1
	}
	return 0
}

// margin returns how far a gate's interval is from the nearer edge of its band, on the side
// where it should be, relative to the band's width.
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

// Verified is a judgement with its verdict, as JSON has it.
type Verified struct {
	Verdict result.Verdict `json:"verdict"`
	*verify.Judgement
	Findings *VerifiedFindings `json:"findings,omitempty"` // nil if the document lacks what the essay reads
}

// VerifiedFindings is the number of findings of the essay, and those that a document does not support.
type VerifiedFindings struct {
	Of    int           `json:"of"`
	Unmet []essay.Unmet `json:"unmet"`
}
