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
	"mcsim/sim/engine/verify"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Verification prints what verify found, with every gate or those alone that do not
// pass.
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
		fmt.Fprintf(w, "%s: the document contradicts itself, or what stands beside it, in %s\n", verdict(w, "fail"), Counted(n, "place"))
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
	var of []string
	for _, name := range slices.Sorted(maps.Keys(v.Resting)) {
		of = append(of, fmt.Sprintf("%d of %s", v.Resting[name], name))
	}
	return fmt.Sprintf("judged by its rows alone, since %s: %d of %s rest on nothing, %s (--redraw draws them again; --rows takes them as they are)",
		v.Unmade, v.Unjudged, Counted(v.Rows, "row"), strings.Join(of, ", "))
}

func printGates(w io.Writer, gates []result.Gate) {
	Table(w, "gate\tcell\testimate\tmust be\tband\tverdict", gates, func(g result.Gate) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t[%s, %s]\t%s", g.Name+Point(g.Cell, g.Params), g.Cell, digits.PlusMinus(float64(g.Value), float64(g.SE)),
			g.Expect, digits.Short(float64(g.Band[0])), digits.Short(float64(g.Band[1])), verdict(w, g.Verdict))
	})
}

// Summary prints a line for each kind of gate, every gate that does not
// pass, and the budget.
func Summary(w io.Writer, gates []result.Gate, b result.Budget) {
	if len(gates) == 0 {
		fmt.Fprintln(w, "no gates: nothing is judged")
		return
	}
	kinds := experiment.Grouped(gates, func(g result.Gate) string { return g.Name })
	Table(w, "gate\tpass\tfail\tundecided\tcell\testimate\tband", kinds, func(alike []result.Gate) string {
		verdicts := counts(alike, func(g result.Gate) result.Verdict { return g.Verdict }, result.Pass, result.Fail, result.Undecided)
		g, not := slices.MinFunc(alike, nearer), ""
		if g.Expect == names.ExpectOutside {
			not = "not "
		}
		return fmt.Sprintf("%s\t%s%s\t%s\t%s[%s, %s]", g.Name, verdicts, g.Cell, digits.PlusMinus(float64(g.Value), float64(g.SE)), not, digits.Short(float64(g.Band[0])), digits.Short(float64(g.Band[1])))
	})
	bad := slices.DeleteFunc(slices.Clone(gates), func(g result.Gate) bool { return g.Verdict == result.Pass })
	if len(bad) > 0 {
		fmt.Fprintln(w)
		printGates(w, bad)
		printNeeds(w, bad)
	}
	printBudget(w, gates, b)
}

// printBudget prints what all gates come to, and what they may spend.
func printBudget(w io.Writer, gates []result.Gate, b result.Budget) {
	fmt.Fprintln(w)
	fmt.Fprintf(w, "%s: %s; α about %s for a %s", verdict(w, b.Verdict), Counted(b.Gates, "gate"), digits.Short(float64(b.Alpha)), alarm(b.Short))
	if b.Beta > 0 {
		fmt.Fprintf(w, ", β about %s for a missed error%s", digits.Short(float64(b.Beta)), apart(gates))
	}
	fmt.Fprintln(w)
	printShort(w, float64(b.Beta), b.Short)
}

// printShort says how many gates have too few samples for their rates. Gates on shares alone
// declare no β, and have none.
func printShort(w io.Writer, beta float64, short int) {
	if beta > 0 && short > 0 {
		fmt.Fprintf(w, "%s with fewer samples than these rates need, so likely to stay undecided\n", Counted(short, "gate"))
	}
}

// alarm is what α bounds: that a gate fails or stays undecided although theory holds. A gate with
// fewer samples than its rates need fails no more often, but may stay undecided.
func alarm(short int) string {
	if short > 0 {
		return "false failure"
	}
	return "false alarm"
}

// apart excepts the gates on shares of events from what β says.
func apart(gates []result.Gate) string {
	if slices.ContainsFunc(gates, func(g result.Gate) bool { return g.Expect == names.ExpectAtLeast || g.Expect == names.ExpectAtMost }) {
		return " (except of counted shares)"
	}
	return ""
}

// printNeeds says how many samples would decide gates.
func printNeeds(w io.Writer, gates []result.Gate) {
	for _, g := range gates {
		if g.NToDecide != nil {
			fmt.Fprintf(w, "%s of %s would be decided by about %s samples: draw a new attempt (mcsim run --attempt)\n", g.Name+Point(g.Cell, g.Params), g.Cell, digits.Count(*g.NToDecide))
		}
	}
}

// nearer is negative for the gate of two whose interval comes nearer to deciding
// otherwise.
func nearer(a, b result.Gate) int {
	if room(a) < room(b) {
		return -1
	}
	return 0
}

// room is how far the gate's interval is from the nearer edge of its band, on
// the side where it should be, over the band's width.
func room(g result.Gate) float64 {
	switch g.Expect {
	case names.ExpectAtLeast:
		return float64(g.Hi - g.Band[0])
	case names.ExpectAtMost:
		return float64(g.Band[1]-g.Lo) / float64(g.Band[1])
	}
	inner := min(float64(g.Lo-g.Band[0]), float64(g.Band[1]-g.Hi))
	if g.Expect == names.ExpectOutside {
		inner = max(float64(g.Band[0]-g.Hi), float64(g.Lo-g.Band[1]))
	}
	return inner / float64(g.Band[1]-g.Band[0])
}
