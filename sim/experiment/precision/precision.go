// Package precision measures the loss of attention in number formats with few digits: the distance
// of the softmax weights of a row from those in float64 if queries, keys and scores are stored in a
// format such as float16, and how often a score overflows the format. All combinations of formats,
// placements of the scale and kinds of arithmetic are evaluated on the same queries and keys.
//
//   - A [config] is one combination (config.go). It determines how the scores of a row are computed
//     (scores.go).
//   - A tally collects for each config the total variation of the weights, and whether the first
//     key's score overflowed (tally.go).
//   - The estimates are the total variation, and the proportion of overflows with its exact tail
//     (estimates.go, tails.go).
//
// Numbers of a [Format] (format.go) are rounded (round.go) and added up (sums.go), and their softmax
// is computed (softmax.go), as the arithmetic of the format does. They are stored in float64, which
// contains the numbers of all formats. A sum or a product of two of them, rounded to float64 and then
// to the format, is the same as if it were rounded to the format at once, since 53 ≥ 2·24 + 2
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

// maxKeys and maxComponents bound the products that a block computes in each format.
const maxKeys, maxComponents = 64, 1 << 19

// keysAxis is the number of keys of a row.
var keysAxis = experiment.CountAxis(names.ParamKeys, 2, maxKeys, "8", "8")

// Experiment measures rows in formats with few digits.
var Experiment = experiment.New(experiment.Experiment{
	Name: names.ExperimentPrecision,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, keysAxis, formatAxis,
		placementAxis, arithmeticAxis},
	Unit:              names.UnitRow,
	CartesianScalings: true,
	Sampler: rows.WithFineBins(experiment.Sampler{
		BlockUnits: blockUnits,
		Cost:       rowCost,
		Columns:    columns,
		Contents:   func(c experiment.Cell) string { return fmt.Sprint(cellConfigs(c)) },
		Headline:   names.TotalVariation,
		MinUnits:   minRows,
	}, newSampler),
	Reader: experiment.Reader{Estimates: estimates, Finish: finish},
	Judge:  experiment.Judge{Refuse: refuse},
})

// minRows is enough for the median and the quantiles at 5 % and 95 %.
const minRows = 1024

// blockUnits returns the number of rows of a block. It is small, since each row is computed under
// every config.
func blockUnits(c experiment.Cell) int64 {
	return rows.BlockUnits(c, rows.ComponentsPerRow(c), 256, 1<<14)
}

// rowCost returns the cost of a row in sampled components: for each config the products, the
// rounding of the keys, and a softmax.
func rowCost(c experiment.Cell) float64 {
	costPerProduct := 0.0
	for _, cfg := range cellConfigs(c) {
		costPerProduct += 8
		if cfg.isWorstCase() {
			costPerProduct += 12
		}
	}
	products := float64(c.Dimension() * rows.Keys(c))
	softmaxCost := float64(60 * len(cellConfigs(c)) * rows.Keys(c))
	return math.Round(rows.ComponentsPerRow(c) + float64(products*costPerProduct) + softmaxCost)
}

// columns returns one column for each config, the total variation.
func columns(c experiment.Cell) []experiment.Column {
	return experiment.Columns("row", experiment.ErrorOrder, len(cellConfigs(c)))
}

// newSampler returns the tally of a block and the function that samples its rows, sixteen at a
// time. Long vectors are sampled in chunks of their components.
func newSampler(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.BlockStream)) {
	keys, d, chunk := rows.Keys(c), c.Dimension(), rows.ChunkSize(c, rows.Keys(c))
	collector := newTally(cellConfigs(c), keys, d, pilot)
	sampleVectors := kernel.Vectors(c.Distribution())
	queries, keyVectors := make([][kernel.Width]float32, chunk), make([][kernel.Width]float32, chunk*keys)
	return collector, func(blockStream *experiment.BlockStream) {
		for range blockUnits(c) / kernel.Width {
			collector.beginRows()
			for first := 0; first < d; first += chunk {
				width := min(chunk, d-first)
				sampleVectors(&blockStream.Lanes, queries[:width])
				for j := range keys {
					sampleVectors(&blockStream.Lanes, keyVectors[j*width:][:width])
				}
				collector.addComponents(queries[:width], keyVectors[:keys*width])
			}
			collector.endRows()
		}
	}
}

// refuse refuses distributions other than the normal one, and rows with too many products.
func refuse(c experiment.Cell, _ bool) error {
	if c.Distribution().Name() != names.DistributionNormal {
		return experiment.AxisError{Axis: names.ParamDistribution,
			Err: fmt.Errorf("precision requires the distribution "+
				"normal, for which the tail of a score is known exactly, and not %v", c.Distribution())}
	}
	if n := c.Dimension() * rows.Keys(c); n > maxComponents {
		return fmt.Errorf("%d keys of %d components are %d products in every format; at most 2^19 are added up",
			rows.Keys(c), c.Dimension(), n)
	}
	return nil
}
