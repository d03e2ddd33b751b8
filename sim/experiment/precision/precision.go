// Package precision measures what attention loses to numbers of few digits: how far the
// weights of a row of softmax are from those in float64 if queries, keys and scores are
// stored in a format such as float16, and how often a score overflows it. Formats, where
// the scale stands, and how much of the arithmetic is in the format are evaluated on the
// same queries and keys.
//
//   - A [way] is one of each of these (ways.go), and says how a row's scores come about
//     in it (scores.go).
//   - A tally takes rows and collects, for each way, the total variation of the weights
//     and whether the first key's score overflowed (tally.go).
//   - Rows have the total variation, and the counted overflow beside the exact tail
//     (estimates.go, tails.go).
package precision

import (
	"fmt"
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/quantile"
)

// mostKeys and mostComponents bound what a block has to add up in each format.
const mostKeys, mostComponents = 64, 1 << 19

// keysAxis is the number of keys of a row.
var keysAxis = experiment.CountAxis(names.ParamKeys, 2, mostKeys, "8", "8")

// Experiment measures rows in formats of few digits.
var Experiment = experiment.New(experiment.Experiment{
	Name: names.ExperimentPrecision,
	Axes: []experiment.Axis{experiment.LawAxis, experiment.DimensionAxis, keysAxis, formatAxis, placementAxis, arithmeticAxis},
	Unit: names.UnitRow,

	Crossed: true,
	Drawing: experiment.Drawing{
		BlockUnits: units,
		Cost:       cost,
		Columns:    columns,
		Pilot:      pilot,
		Windowed:   true,
		Contents: func(c experiment.Cell) string {
			return fmt.Sprintf("%s;bins for %d", wayNames(waysOf(c)), quantile.Rung(c.Units))
		},
		Open:     open,
		Headline: names.TotalVariation,
		Floor:    floor,
	},
	Reading: experiment.Reading{Rows: findings, Join: join, Chosen: func(experiment.Cell) (string, []any) { return "", nil }},
	Judging: experiment.Judging{Refuse: refuse},
})

// floor is enough rows for the median, and for quantiles at 5 and 95 %.
const floor = 1024

// draws is how many components a row draws.
func draws(c experiment.Cell) float64 { return float64(c.Dimension() * (1 + rows.Keys(c))) }

// units is how many rows a block has: few, since each is computed in every way.
func units(c experiment.Cell) int64 {
	const most, components = 256, 1 << 14
	groups := min(most/kernel.Width, components/(kernel.Width*draws(c)))
	return int64(max(1, groups)) * kernel.Width
}

// cost is what a row costs, in drawn components: the products of each way, the rounding of
// the keys for it, and a softmax.
func cost(c experiment.Cell) float64 {
	each := 0.0
	for _, w := range waysOf(c) {
		each += w.cost()
	}
	products := float64(c.Dimension() * rows.Keys(c))
	return math.Round(draws(c) + float64(products*each) + float64(60*len(waysOf(c))*rows.Keys(c)))
}

// columns are the total variation in each way.
func columns(c experiment.Cell) (out []experiment.Column) {
	for range waysOf(c) {
		out = append(out, experiment.Column{Name: "row", Order: experiment.ErrorOrder})
	}
	return out
}

// open draws the rows of a block.
func open(c experiment.Cell) experiment.Block {
	t := newTally(waysOf(c), rows.Keys(c), c.Dimension(), c.Pilot())
	draw := drawer(c, t)
	return func(d *experiment.Draw) moments.Node {
		draw(d)
		return t.node(d.More)
	}
}

// pilot draws blocks for what can be learnt of the rows.
func pilot(c experiment.Cell, next func() *experiment.Draw) moments.Node {
	t := newTally(waysOf(c), rows.Keys(c), c.Dimension(), moments.Node{})
	t.places = make([][]float64, len(t.ways))
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

// drawer draws the rows of a block into the tally, sixteen at a time, and where vectors are
// long a chunk of their components after the other.
func drawer(c experiment.Cell, t *tally) func(*experiment.Draw) {
	keys, d, chunk := rows.Keys(c), c.Dimension(), rows.Chunk(c, rows.Keys(c))
	vectors := kernel.Vectors(c.Law())
	query, key := make([][kernel.Width]float32, chunk), make([][kernel.Width]float32, chunk*keys)
	return func(draw *experiment.Draw) {
		for range units(c) / kernel.Width {
			t.begin()
			for from := 0; from < d; from += chunk {
				width := min(chunk, d-from)
				vectors(&draw.Lanes, query[:width])
				for j := range keys {
					vectors(&draw.Lanes, key[j*width:][:width])
				}
				t.components(query[:width], key[:keys*width])
			}
			t.rows()
		}
	}
}

// refuse: components of other laws, and rows that are too long to be added up in every
// way.
func refuse(c experiment.Cell, _ bool) error {
	if c.Law().Name() != names.LawNormal {
		return experiment.AxisError{Axis: names.ParamLaw, Err: fmt.Errorf("precision wants the law normal, the one of which it has the exact tail of a score, and not %v", c.Law())}
	}
	if n := c.Dimension() * rows.Keys(c); n > mostComponents {
		return fmt.Errorf("%d keys of %d components are %d products in every format; at most 2^19 are added up", rows.Keys(c), c.Dimension(), n)
	}
	return nil
}
