package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/sim/names"
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
			Title:  "must lie inside the band",
			X:      plot.Axis{Label: "place in the band, whose ends are at −1 and 1"},
			Y:      byExperiment,
			Share:  0.78,
			Gates:  &plot.Gates{Expects: []string{names.ExpectInside}, Band: toleranceBand},
			Guides: plot.At(plot.Level{At: 0}),
		},
		{
			Title:  "must not lie beyond the declared end",
			X:      plot.Axis{Label: "place in the band, of which one end is declared"},
			Y:      byExperiment,
			Share:  0.14,
			Gates:  &plot.Gates{Expects: []string{names.ExpectAtLeast, names.ExpectAtMost}, Band: toleranceBand},
			Guides: plot.At(plot.Level{At: 0}),
		},
		{
			Title: "must lie outside the band",
			X:     plot.Axis{Label: "distance from the middle of the band in half-widths", Log: true},
			Y:     byExperiment,
			Share: 0.14,
			Gates: &plot.Gates{Expects: []string{names.ExpectOutside}, Away: true, Band: toleranceBand},
		},
	},
	Caption: "Each line is the interval that one gate holds against its band, drawn so that every band runs from $-1$ to $1$. Those of one experiment are sorted by where they lie, and their number follows its name. " +
		"Where a share must not lie beyond a declared end, its band has this one end, and ends at 0 or 1 to the other side; such a gate passes unless all of its interval lies beyond the declared end. " +
		"On the logarithmic axis are gates whose interval must lie outside: they show that a difference would be seen. An interval that does not pass has a marker, and what lies beyond the axis stands at its end. " +
		"Gates without an interval are not drawn.",
}
