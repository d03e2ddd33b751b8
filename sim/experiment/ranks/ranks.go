// Package ranks measures what the key of each rank gets of a query's attention: the
// weights of a row sorted from the greatest to the least, on average and over all rows,
// under every exponent of the scale. Beside these rows stand lines through single rows,
// drawn again from the cell's own bits: the row in the middle under each exponent, and
// how the scores of one row come about component by component (lines.go).
package ranks

import (
	"math"

	"cmp"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/quantile"
	"mcsim/sim/theory"
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
	Drawing: experiment.Drawing{
		BlockUnits: units,
		Cost:       cost,
		Columns:    columns,
		Pilot:      pilot,
		Windowed:   true,
		Contents:   func(c experiment.Cell) string { return rows.Contents(c, rows.Scalings(c)) },
		Open:       open,
		Headline:   names.GradientSurvival,
		Floor:      floor,
	},
	Reading: experiment.Reading{
		Rows:  findings,
		Drawn: lines,
		Chosen: func(c experiment.Cell) (string, []any) {
			return rows.Chosen(names.GradientSurvival, rows.Scalings(c), 0.5)
		},
	},
	Judging: experiment.Judging{Refuse: refuse},
})

// floor is enough rows for quantiles at 5 and 95 % that are worth it.
const floor = 4096

// draws is how many components a row draws.
func draws(c experiment.Cell) float64 { return float64(c.Dimension() * (1 + rows.Keys(c))) }

// units is how many rows a block has.
func units(c experiment.Cell) int64 {
	groups := min(rows.MostBlockRows/kernel.Width, rows.BlockComponents/(kernel.Width*draws(c)))
	return int64(max(1, groups)) * kernel.Width
}

// cost is what a row costs, in drawn components.
func cost(c experiment.Cell) float64 {
	each := float64(len(rows.Scalings(c))) * 60 // sums, and a place in a histogram
	return math.Round(1.2*draws(c)) + float64(each*float64(rows.Keys(c)+1))
}

// columns: under each scaling the weight of each rank, then R.
func columns(c experiment.Cell) (out []experiment.Column) {
	for range rows.Scalings(c) {
		for range numbers(rows.Keys(c)) {
			out = append(out, experiment.Column{Name: "row", Order: experiment.ErrorOrder})
		}
	}
	return out
}

// open draws the rows of a block.
func open(c experiment.Cell) experiment.Block {
	t := newTally(rows.Keys(c), rows.Scalings(c), c.Pilot())
	draw := drawer(c, t)
	return func(d *experiment.Draw) moments.Node {
		draw(d)
		return t.node(d.More)
	}
}

// pilot draws blocks for what can be learnt of the rows.
func pilot(c experiment.Cell, next func() *experiment.Draw) moments.Node {
	t := newTally(rows.Keys(c), rows.Scalings(c), moments.Node{})
	t.places = make([][]float64, len(t.values))
	draw := drawer(c, t)
	for drawn := int64(0); drawn < quantile.PilotSize(c.Units); drawn += units(c) {
		d := next()
		if d == nil {
			return moments.Node{}
		}
		draw(d)
	}
	return rows.Teach(t.node(false), t.places, nil, c.Units)
}

// drawer draws the rows of a block into the tally, sixteen at a time.
func drawer(c experiment.Cell, t *tally) func(*experiment.Draw) {
	group := rows.NewGroup(c, rows.Keys(c), nil) // without gradients
	return func(d *experiment.Draw) {
		for range units(c) / kernel.Width {
			group.DrawRows(&d.Lanes)
			t.add(group.Scores)
		}
	}
}

// refuse: keys that cannot be held, and scalings that are too large.
func refuse(c experiment.Cell, _ bool) error {
	return cmp.Or(rows.RefuseHeld(c), rows.RefuseScalings(c))
}

// known is what quadrature says of the rows under a scaling, false for a law whose scores
// are not normal given the query.
func known(c experiment.Cell, s rows.Scaling) (theory.Softmax, bool) {
	if c.Law().Name() != names.LawNormal {
		return theory.Softmax{}, false
	}
	return theory.SharedQuerySoftmax(rows.Keys(c), c.Dimension(), s.Factor), true
}
