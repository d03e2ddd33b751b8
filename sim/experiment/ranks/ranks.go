// Package ranks measures what the key of each rank gets of a query's attention: the
// weights of a row sorted from the greatest to the least, on average and over all rows,
// under every exponent of the scale. Beside these rows stand lines through single rows,
// drawn again from the cell's own bits: the row in the middle under each exponent, and
// how the scores of one row come about component by component (lines.go).
package ranks

import (
	"math"
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/names"
)

// mostKeys bounds the keys of a row: each rank has a histogram of its own under every
// exponent.
const mostKeys = 64

// keysAxis is the number of keys of a row.
var keysAxis = experiment.CountAxis(names.ParamKeys, 2, mostKeys, "8", "8")

// Experiment measures the weights of rows by rank.
var Experiment = experiment.New(experiment.Experiment{
	Name: names.ExperimentRanks,
	Axes: []experiment.Axis{experiment.LawAxis, experiment.DimensionAxis, keysAxis, experiment.ExponentAxis},
	Unit: names.UnitRow,
	Drawing: rows.Drawn(experiment.Drawing{
		BlockUnits: units,
		Cost:       cost,
		Columns:    columns,
		Contents:   func(c experiment.Cell) string { return rows.Contents(c, rows.Scalings(c)) },
		Headline:   names.GradientSurvival,
		Floor:      floor,
	}, draw),
	Reading: experiment.Reading{
		Rows:  findings,
		Drawn: lines,
		Chosen: func(c experiment.Cell) (string, []any) {
			return rows.Chosen(names.GradientSurvival, rows.Scalings(c), 0.5)
		},
	},
	Judging: experiment.Judging{Refuse: rows.Refuse},
})

// floor is enough rows for quantiles at 5 and 95 % that are worth it.
const floor = 4096

// units is how many rows a block has.
func units(c experiment.Cell) int64 {
	return rows.Units(c, rows.Draws(c), rows.MostBlockRows, rows.BlockComponents)
}

// cost is what a row costs, in drawn components.
func cost(c experiment.Cell) float64 {
	each := float64(len(rows.Scalings(c))) * 60 // sums, and a place in a histogram
	return math.Round(1.2*rows.Draws(c)) + float64(each*float64(rows.Keys(c)+1))
}

// columns: under each scaling the weight of each rank, then R.
func columns(c experiment.Cell) []experiment.Column {
	return slices.Repeat([]experiment.Column{{Name: "row", Order: experiment.ErrorOrder}}, len(rows.Scalings(c))*numbers(rows.Keys(c)))
}

// draw draws the rows of a block, sixteen at a time.
func draw(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.Draw)) {
	t := newTally(rows.Keys(c), rows.Scalings(c), pilot)
	group := rows.NewGroup(c, rows.Keys(c), nil) // without gradients
	return t, func(d *experiment.Draw) {
		for range units(c) / kernel.Width {
			group.DrawRows(&d.Lanes)
			t.add(group.Scores)
		}
	}
}
