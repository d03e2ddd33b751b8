// Package softmax measures the softmax of rows of scores.
//
//   - Experiment (softmax.go): scores of queries and keys.
//   - Freezing (freezing.go): normal logits with a given standard deviation σ, the limit of many
//     dimensions. For n keys, softmax freezes near σ = √(2 ln n) (Derrida, Physical Review B 24,
//     1981).
//   - Ranks (ranks.go, weigh.go): the weights of a row in descending order, and one typical row
//     (walks.go).
//   - Sinks (sinks.go): the weight of a sink.
//
// All of them use [mcsim/sim/experiment/rows]. They have theory by quadrature if the components or
// logits are normal (curves.go has the curves).
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

// Experiment measures the softmax of rows of scores. A row is one query with its keys, which are
// sampled for each row, or shared by the queries of a matrix as in self-attention.
var Experiment = experiment.New(experiment.Experiment{
	Name: names.ExperimentSoftmax,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, rows.KeysAxis,
		rows.SharedKeysAxis, experiment.ExponentAxis, rows.FactorRuleAxis, rows.TemperatureAxis},
	Probeable: true,
	ProbeFlag: rows.KeysAxis.Name,
	Unit:      names.UnitRow,
	Sampler: rows.WithFineBins(experiment.Sampler{
		BlockUnits: blockUnits,
		Cost:       rowCost,
		Columns:    func(c experiment.Cell) []experiment.Column { return rows.Columns(c, len(rows.Scalings(c))) },
		Shape:      func(c experiment.Cell) experiment.Shape { return rows.Shape(c, len(rows.Scalings(c))) },
		Headline:   names.RelativeTrace,
		MinUnits:   minRows,
		Contents:   describeScalings,
	}, newSoftmaxSampler),
	Reader: experiment.Reader{
		Estimates:        softmaxEstimates,
		Finish:           finishSoftmax,
		HeadlineEstimate: rows.SelectHeadline(names.RelativeTrace, rows.Scalings, 0.5),
	},
	Judge: experiment.Judge{
		Refuse: rows.Refuse,
		Checks: func(c experiment.Cell) []gate.Check { return rows.NewChecks(c, rows.Scalings(c), rows.Quadrature) },
	},
})

// describeScalings describes the scalings for which a node has sums over its rows.
func describeScalings(c experiment.Cell) string { return fmt.Sprint(rows.Scalings(c)) }

// minRows is a number of rows that is enough for useful quantiles at 5 % and 95 %.
const minRows = 4096

// blockUnits returns the number of rows of a block.
func blockUnits(c experiment.Cell) int64 {
	return rows.BlockUnits(c, rows.ComponentsPerRow(c), rows.MaxBlockRows, rows.MaxBlockComponents)
}

// rowCost returns the cost of a row in sampled components: its components, its products and their
// gradients, and the sums over keys under each scaling. The factors are times of these parts in
// units of the time to sample a component.
func rowCost(c experiment.Cell) float64 {
	n := float64(len(rows.Scalings(c)))
	products := float64(float64(c.Dimension()*rows.Keys(c)) * (0.2 + float64(0.3*n)))
	return float64(rows.ComponentsPerRow(c)) + products + float64(n*float64(700+2*rows.Keys(c)))
}

// newSoftmaxSampler implements [rows.Opener]. It samples sixteen rows at a time, or sixteen
// matrices at a time if the queries of a matrix share their keys.
func newSoftmaxSampler(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.BlockStream)) {
	matrixRows := rows.MatrixRows(c)
	tally := rows.NewTally(rows.Keys(c), rows.Scalings(c), matrixRows, pilot)
	group := rows.NewRowGroup(c, rows.Keys(c), rows.Scalings(c))
	return tally, func(b *experiment.BlockStream) {
		for range blockUnits(c) / (kernel.Width * matrixRows) {
			if rows.SharesKeys(c) {
				group.SampleKeys(&b.Lanes)
			}
			for range matrixRows {
				group.SampleRows(&b.Lanes)
				group.Gradients.Compute(group)
				tally.Add(group.Scores, &group.Peaks, group.Gradients, &group.Norm[0])
			}
			if rows.SharesKeys(c) {
				tally.EndMatrix()
			}
		}
	}
}

func softmaxEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	return rows.Estimates(c, n, rows.Scalings(c), rows.Quadrature, true)
}
