// Package softmax measures what softmax makes of rows of scores: of queries and keys
// (softmax.go), and of logits that are drawn directly with a given standard deviation,
// the limit of many dimensions, where softmax freezes near σ = √(2 ln n) (freezing.go;
// Derrida, Physical Review B 24, 1981), and what the key of each rank gets of a row
// (ranks.go). All draw, collect and read their rows with
// [mcsim/sim/experiment/rows], and stand beside quadrature where components are normal.
package softmax

import (
	"fmt"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/statistics/gate"
)

// Experiment measures what softmax makes of rows of scores: one query with its
// keys, fresh for each row, or shared by the queries of a matrix as in
// self-attention.
var Experiment = experiment.New(experiment.Experiment{
	Name: names.ExperimentSoftmax,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, rows.KeysAxis,
		rows.SharedKeysAxis, experiment.ExponentAxis, rows.FactorRuleAxis, rows.TemperatureAxis},
	Probeable: true,
	ProbeFlag: rows.KeysAxis.Name,
	Unit:      names.UnitRow,
	Sampler: rows.WithFineBins(experiment.Sampler{
		BlockUnits: softmaxUnits,
		Cost:       softmaxCost,
		Columns:    func(c experiment.Cell) []experiment.Column { return rows.Columns(c, len(rows.Scalings(c))) },
		Headline:   names.RelativeTrace,
		MinUnits:   softmaxFloor,
		Contents:   scalingsText,
	}, drawSoftmax),
	Reader: experiment.Reader{
		Estimates:   softmaxEstimates,
		Finish:      finishSoftmax,
		HeadlineRow: rows.HeadlineRow(names.RelativeTrace, rows.Scalings, 0.5),
	},
	Judge: experiment.Judge{
		Refuse: rows.Refuse,
		Checks: func(c experiment.Cell) []gate.Check { return rows.NewChecks(c, rows.Scalings(c), rows.Quadrature) },
	},
})

// scalingsText describes the scalings under which the rows of a node are reduced.
func scalingsText(c experiment.Cell) string { return fmt.Sprint(rows.Scalings(c)) }

// softmaxFloor is enough rows for quantiles at 5 and 95 % that are worth it.
const softmaxFloor = 4096

// softmaxUnits returns how many rows a block has.
func softmaxUnits(c experiment.Cell) int64 {
	return rows.BlockUnits(c, rows.ComponentsPerRow(c), rows.MaxBlockRows, rows.MaxBlockComponents)
}

// softmaxCost returns what a row costs, in drawn components: its draws, products and
// gradients, and under each scaling the sums over keys and what follows.
func softmaxCost(c experiment.Cell) float64 {
	n := float64(len(rows.Scalings(c)))
	products := float64(float64(c.Dimension()*rows.Keys(c)) * (0.2 + float64(0.3*n)))
	return float64(rows.ComponentsPerRow(c)) + products + float64(n*float64(700+2*rows.Keys(c)))
}

// drawSoftmax draws the rows of a block, sixteen at a time, or sixteen matrices.
func drawSoftmax(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.BlockStream)) {
	matrix := rows.MatrixRows(c)
	tally := rows.NewTally(rows.Keys(c), rows.Scalings(c), matrix, pilot)
	group := rows.NewRowGroup(c, rows.Keys(c), rows.Scalings(c))
	return tally, func(draw *experiment.BlockStream) {
		for range softmaxUnits(c) / (kernel.Width * matrix) {
			if rows.SharesKeys(c) {
				group.SampleKeys(&draw.Lanes)
			}
			for range matrix {
				group.SampleRows(&draw.Lanes)
				group.Gradients.Compute(group)
				tally.Add(group.Scores, &group.Peaks, group.Gradients, &group.Norm[0])
			}
			if rows.SharesKeys(c) {
				tally.EndMatrix()
			}
		}
	}
}

// softmaxEstimates returns what softmax makes of the rows under each scaling.
func softmaxEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	return rows.Estimates(c, n, rows.Scalings(c), rows.Quadrature, true)
}
