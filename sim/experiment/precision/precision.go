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
//
// Numbers of a [Format] (format.go) are rounded (round.go), added up (sums.go) and taken a
// softmax of (softmax.go) as arithmetic of few digits does. They are held in float64, which has
// all of those of the others. A sum or a product of two of them that is rounded to float64 and
// then to the format is the one that is rounded to the format at once, since 53 ≥ 2·24 + 2
// (S. A. Figueroa, When is double rounding innocuous?, ACM SIGNUM Newsletter 30, 1995).
package precision

import (
	"fmt"
	"math"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// maxKeys and maxComponents bound what a block has to add up in each format.
const maxKeys, maxComponents = 64, 1 << 19

// keysAxis is the number of keys of a row.
var keysAxis = experiment.CountAxis(names.ParamKeys, 2, maxKeys, "8", "8")

// Experiment measures rows in formats of few digits.
var Experiment = experiment.New(experiment.Experiment{
	Name: names.ExperimentPrecision,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, keysAxis, formatAxis,
		placementAxis, arithmeticAxis},
	Unit:              names.UnitRow,
	CartesianScalings: true,
	Sampler: rows.WithFineBins(experiment.Sampler{
		BlockUnits: units,
		Cost:       cost,
		Columns:    columns,
		Contents:   func(c experiment.Cell) string { return fmt.Sprint(waysOf(c)) },
		Headline:   names.TotalVariation,
		MinUnits:   floor,
	}, draw),
	Reader: experiment.Reader{Estimates: estimates, Finish: finish},
	Judge:  experiment.Judge{Refuse: refuse},
})

// floor is enough rows for the median, and for quantiles at 5 and 95 %.
const floor = 1024

// units returns how many rows a block has: few, since each is computed in every way.
func units(c experiment.Cell) int64 { return rows.BlockUnits(c, rows.ComponentsPerRow(c), 256, 1<<14) }

// cost returns what a row costs, in drawn components: the products of each way, the rounding of
// the keys for it, and a softmax.
func cost(c experiment.Cell) float64 {
	each := 0.0
	for _, w := range waysOf(c) {
		if each += 8; w.worst() {
			each += 12
		}
	}
	products := float64(c.Dimension() * rows.Keys(c))
	return math.Round(rows.ComponentsPerRow(c) + float64(products*each) + float64(60*len(waysOf(c))*rows.Keys(c)))
}

// columns returns the total variation in each way.
func columns(c experiment.Cell) []experiment.Column {
	return experiment.Columns("row", experiment.ErrorOrder, len(waysOf(c)))
}

// draw draws the rows of a block, sixteen at a time, and where vectors are long a chunk of
// their components after the other.
func draw(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.BlockStream)) {
	keys, d, chunk := rows.Keys(c), c.Dimension(), rows.ChunkSize(c, rows.Keys(c))
	t := newTally(waysOf(c), keys, d, pilot)
	vectors := kernel.Vectors(c.Distribution())
	query, key := make([][kernel.Width]float32, chunk), make([][kernel.Width]float32, chunk*keys)
	return t, func(draw *experiment.BlockStream) {
		for range units(c) / kernel.Width {
			t.begin()
			for first := 0; first < d; first += chunk {
				width := min(chunk, d-first)
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

// refuse: components of other distributions, and rows that are too long to be added up in every
// way.
func refuse(c experiment.Cell, _ bool) error {
	if c.Distribution().Name() != names.DistributionNormal {
		return experiment.AxisError{Axis: names.ParamDistribution, Err: fmt.Errorf("precision wants the distribution "+
			"normal, the one of which it has the exact tail of a score, and not %v", c.Distribution())}
	}
	if n := c.Dimension() * rows.Keys(c); n > maxComponents {
		return fmt.Errorf("%d keys of %d components are %d products in every format; at most 2^19 are added up",
			rows.Keys(c), c.Dimension(), n)
	}
	return nil
}
