package inspection

import (
	"fmt"
	"io"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/sim/experiment/precision"
	"mcsim/sim/model/inspect"
	"mcsim/sim/names"
)

// placementTitles says where the scale is applied.
var placementTitles = map[string]string{names.PlacementAfter: "after the product", names.PlacementBefore: "on q",
	precision.PlacementKey: "on k", names.PlacementSplit: "on both by its root"}

// printFormat prints which placements of the scale avoid that the number format fails, and a line
// for each head and placement.
func (a *Report) printFormat(w io.Writer, allHeads bool) {
	f, intervals := precision.Lookup(a.Formats[0].Format), "batches of rows of one text, and do not cover other keys"
	if a.Texts > 1 {
		intervals = "texts"
	}
	show.Paragraph(w, "Format", indent,
		fmt.Sprintf("%s, whose largest number is %s. %s Assumed: q, k, their products with "+
			"the scale, and scores are rounded to the format; products are added, and softmax computed, in float32. The "+
			"format fails if more than one score in a million overflows it, or if in the median row more than 1 %% of the "+
			"weight moves to other keys, compared with float64. It does not fail if no measured score overflows and the "+
			"interval of the median is at most 1 %%. Rows are evenly spaced. Intervals are over %s; < is a limit for "+
			"independent rows.", f.Name, digits.Short(f.Max), a.describePlacements(), intervals))
	fmt.Fprintln(w)
	shown := selectShown(a.Formats, allHeads)
	table := show.NewTable("head", "scale", "rows", "overflow", "median moved weight", "the format")
	for _, e := range shown {
		head := inspect.Head{Layer: e.Layer, Head: e.Head}
		table.Add(head.Title(), placementTitles[e.Placement], e.Rows, formatProportion(e.Overflow),
			formatProportion(e.MovedWeight), e.Outcome)
	}
	table.Print(w)
	printOmission(w, len(shown), len(a.Formats), "lines")
}

// describePlacements says for which placements the format does not fail in any head, and in how
// many heads it fails for the others.
func (a *Report) describePlacements() string {
	var avoiding, others []string
	perHead := len(placementTitles)
	for i, e := range a.Formats[:perHead] {
		title, count := placementTitles[e.Placement], map[string]int{}
		for j := i; j < len(a.Formats); j += perHead {
			count[a.Formats[j].Outcome]++
		}
		heads := len(a.Formats) / perHead
		if count["does not fail"] == heads {
			avoiding = append(avoiding, title)
			continue
		}
		others = append(others, fmt.Sprintf("%s (fails in %d of %s)", title, count["fails"],
			show.FormatCount(heads, "head")))
	}
	text := "For each place of the scale, a head fails or is undecided: "
	if len(avoiding) > 0 {
		text = "No head fails with the scale " + strings.Join(avoiding, ", ")
		if len(others) > 0 {
			text += "; it is not avoided "
		}
	}
	return text + strings.Join(others, ", ") + "."
}

// formatProportion formats a proportion with its interval.
func formatProportion(e inspect.Estimate) string {
	if !e.Lo.Present() {
		return digits.Short(float64(e.Value)) + ", interval not known"
	}
	return digits.IntervalEstimate(float64(e.Value), float64(e.Lo), float64(e.Hi), 0)
}
