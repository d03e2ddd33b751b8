package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// byExperiment is the axis of strips.
var byExperiment = plot.Axis{Param: names.ColumnExperiment, Names: true}

// toleranceBand is what the legend calls the bands of gates.
const toleranceBand = "the band of the gate"

// gates shows the interval of every gate in its band.
var gates = figure.Chart{
	Name:   "gates",
	Title:  "The interval of every gate on the scale of its band, by experiment",
	Height: 150,
	Panels: []plot.Panel{
		{
			Title: "must lie inside the band",
			X:     plot.Axis{Label: "place in the band, whose ends are at −1 and 1"},
			Y:     byExperiment,
			Share: 0.78,
			Gates: &plot.Gates{Expects: []string{names.ExpectInside}, Band: toleranceBand},
			Level: &plot.Level{At: 0},
		},
		{
			Title: "must not lie beyond the declared end",
			X:     plot.Axis{Label: "place in the band, of which one end is declared"},
			Y:     byExperiment,
			Share: 0.14,
			Gates: &plot.Gates{Expects: []string{names.ExpectAtLeast, names.ExpectAtMost}, Band: toleranceBand},
			Level: &plot.Level{At: 0},
		},
		{
			Title: "must lie outside the band",
			X:     plot.Axis{Label: "distance from the middle of the band in half-widths", Log: true},
			Y:     byExperiment,
			Share: 0.14,
			Gates: &plot.Gates{Expects: []string{names.ExpectOutside}, Away: true, Band: toleranceBand},
		},
	},
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		shows := func(expect string) bool {
			return slices.ContainsFunc(d, func(p plot.Data) bool { return slices.Contains(p.Gates.Expects, expect) })
		}
		unplaced := 0
		for _, p := range d {
			unplaced += p.Unplaced
		}
		return []string{
			"Each line is the interval that one gate holds against its band, drawn so that every band runs from $-1$ to $1$. Those of one experiment are sorted by where they lie, and their number follows its name.",
			figure.When(shows(names.ExpectAtLeast) || shows(names.ExpectAtMost), "Where a share must not lie beyond a declared end, its band has this one end, and ends at 0 or 1 to the other side; such a gate passes unless all of its interval lies beyond the declared end."),
			figure.When(shows(names.ExpectOutside), "Below, on a logarithmic axis, are gates whose interval must lie outside: they show that a difference would be seen."),
			"An interval that does not pass has a marker, and what lies beyond the axis stands at its end.",
			figure.When(unplaced > 0, fmt.Sprintf("Gates without an interval that are not drawn: %d.", unplaced)),
		}
	},
	Sentence: gatesSentence,
}

// gatesSentence says how near the intervals come to an end of their bands.
func gatesSentence(doc *result.Document, _ figure.Text) string {
	inside, outside := 0, 0
	farthest, nearest := 0.0, math.Inf(1)
	for _, g := range doc.Gates {
		if g.Verdict != result.Pass {
			return verdictsSentence(doc.Gates)
		}
		half := float64(g.Band[1]-g.Band[0]) / 2
		middle := float64(g.Band[0]) + half
		lo, hi := (float64(g.Lo)-middle)/half, (float64(g.Hi)-middle)/half
		switch g.Expect {
		case names.ExpectInside:
			inside++
			farthest = max(farthest, math.Abs(lo), math.Abs(hi))
		case names.ExpectOutside:
			outside++
			nearest = min(nearest, math.Abs(lo), math.Abs(hi))
		}
	}
	var parts []string
	if inside > 0 {
		parts = append(parts, fmt.Sprintf("%s that must lie inside %s at most %s of the way from the middle to an end.",
			digits.All(inside, "interval", "intervals"), digits.Form(inside, "its band does, and reaches", "their bands do, and reach"), digits.Short(math.Ceil(farthest*100)/100)))
	}
	if outside > 0 {
		parts = append(parts, fmt.Sprintf("%s that must lie outside %s at least %s half-widths away from the middle.", digits.All(outside, "interval", "intervals"), digits.Form(outside, "stays", "stay"), digits.Short(math.Floor(nearest*10)/10)))
	}
	return strings.Join(parts, " ")
}

// verdictsSentence counts the gates that do not pass.
func verdictsSentence(gates []result.Gate) string {
	count := map[result.Verdict]int{}
	for _, g := range gates {
		count[g.Verdict]++
	}
	passed, undecided := count[result.Pass], count[result.Undecided]
	return fmt.Sprintf("Of %s gates %s pass; undecided: %s, failing: %s.", digits.Count(int64(len(gates))), digits.Count(int64(passed)),
		digits.Count(int64(undecided)), digits.Count(int64(len(gates)-passed-undecided)))
}
