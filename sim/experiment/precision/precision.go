// Package precision measures the errors of attention in number formats with few digits. Queries,
// keys and scores are stored in a format such as float16. The package measures the total variation
// distance between the softmax weights of a row and the weights in float64, and how often a score
// overflows the format. All combinations of formats, placements of the scale and kinds of
// arithmetic are evaluated on the same queries and keys.
//
//   - A [config] is one combination (config.go). It determines how the scores of a row are computed
//     (scores.go).
//   - A tally collects for each config the total variation of the weights, and whether the score of
//     the first key overflowed (tally.go).
//   - The estimates are the total variation and the proportion of overflows (estimates.go). The
//     probability of an overflow is known exactly (tails.go).
//
// given.go computes rows of given queries and keys, for sim/model/inspect.
//
// The arithmetic of a [Format] (format.go) consists of rounding (round.go), sums of products
// (sums.go) and the softmax (softmax.go). Its numbers are stored in float64, which contains the
// numbers of all formats. Rounding a sum or a product of two such numbers first to float64 and then
// to the format gives the same result as rounding it to the format at once, since the digits
// satisfy 53 ≥ 2·24 + 2 (S. A. Figueroa, When is double rounding innocuous?, ACM SIGNUM Newsletter
// 30, 1995).
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

// maxKeys is the largest number of keys of a row, and maxProducts the largest number of products of
// components of a row. They limit the time of a block, which computes the products in each format.
const maxKeys, maxProducts = 64, 1 << 19

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
		Shape: func(c experiment.Cell) experiment.Shape {
			return experiment.NewBinnedShape(len(cellConfigs(c)), len(cellConfigs(c)), len(cellConfigs(c)))
		},
		Contents: func(c experiment.Cell) string { return fmt.Sprint(cellConfigs(c)) },
		Headline: names.TotalVariation,
		MinUnits: minRows,
	}, newSampler),
	Reader: experiment.Reader{Estimates: estimates, Finish: finish},
	Judge:  experiment.Judge{Refuse: refuse},
})

// minRows is a number of rows that is enough for the median and the quantiles at 5 % and 95 %.
const minRows = 1024

// blockUnits returns the number of rows of a block. It is small, since each row is computed under
// every config.
func blockUnits(c experiment.Cell) int64 {
	const maxRows, maxComponents = 256, 1 << 14
	return rows.BlockUnits(c, rows.ComponentsPerRow(c), maxRows, maxComponents)
}

// rowCost returns the cost of a row in sampled components: for each config the products, the
// rounding of the keys, and a softmax.
func rowCost(c experiment.Cell) float64 {
	const (
		productCost      = 8  // of a product and its rounded key
		worstProductCost = 20 // the same if products and sums are rounded to the format
		softmaxKeyCost   = 60 // of the softmax, for each key
	)
	costPerProduct := 0.0
	for _, cfg := range cellConfigs(c) {
		if cfg.isWorstCase() {
			costPerProduct += worstProductCost
		} else {
			costPerProduct += productCost
		}
	}
	products := float64(c.Dimension() * rows.Keys(c))
	softmaxCost := float64(softmaxKeyCost * len(cellConfigs(c)) * rows.Keys(c))
	return math.Round(rows.ComponentsPerRow(c) + float64(products*costPerProduct) + softmaxCost)
}

// columns returns one column for each config, for the total variation.
func columns(c experiment.Cell) []experiment.Column {
	return experiment.Columns("row", experiment.ErrorOrder, len(cellConfigs(c)))
}

// newSampler implements [rows.Opener]. It samples sixteen rows at a time, and long vectors in
// chunks of their components.
func newSampler(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.BlockStream)) {
	keys, d, chunk := rows.Keys(c), c.Dimension(), rows.ChunkSize(c, rows.Keys(c))
	t := newTally(cellConfigs(c), keys, d, pilot)
	sampleVectors := kernel.Vectors(c.Distribution())
	queries, keyVectors := make([][kernel.Width]float32, chunk), make([][kernel.Width]float32, chunk*keys)
	return t, func(b *experiment.BlockStream) {
		for range blockUnits(c) / kernel.Width {
			t.beginRows()
			for first := 0; first < d; first += chunk {
				width := min(chunk, d-first)
				sampleVectors(&b.Lanes, queries[:width])
				for j := range keys {
					sampleVectors(&b.Lanes, keyVectors[j*width:][:width])
				}
				t.addComponents(queries[:width], keyVectors[:keys*width])
			}
			t.endRows()
		}
	}
}

// refuse refuses distributions other than the normal one, and rows with too many products.
func refuse(c experiment.Cell, _ bool) error {
	if c.Distribution().Name() != names.DistributionNormal {
		return experiment.AxisError{Axis: names.ParamDistribution,
			Err: fmt.Errorf("precision requires the distribution normal, for which the tail of a score is known "+
				"exactly, and not %v", c.Distribution())}
	}
	if n := c.Dimension() * rows.Keys(c); n > maxProducts {
		return fmt.Errorf("%d keys of %d components are %d products in every format; at most 2^19 are added up",
			rows.Keys(c), c.Dimension(), n)
	}
	return nil
}
