// Package softmax measures what softmax makes of rows of scores: of queries and keys
// (softmax.go), and of logits that are drawn directly with a given standard deviation,
// the limit of many dimensions, where softmax freezes near σ = √(2 ln n) (freezing.go;
// Derrida, Physical Review B 24, 1981). Both draw, collect and read their rows with
// [mcsim/sim/experiment/rows], and stand beside quadrature where components are normal.
package softmax

import (
	"cmp"
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/gate"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/theory"
)

// Experiment measures what softmax makes of rows of scores: one query with its
// keys, fresh for each row, or shared by the queries of a matrix as in
// self-attention.
var Experiment = experiment.New(experiment.Experiment{
	Name:   names.ExperimentSoftmax,
	Axes:   []experiment.Axis{experiment.LawAxis, experiment.DimensionAxis, rows.KeysAxis, rows.SharedKeysAxis, experiment.ExponentAxis, rows.Optional(rows.FactorRuleAxis), rows.TemperatureAxis},
	Unit:   names.UnitRow,
	Probed: true,
	Asked:  rows.KeysAxis.Name,
	Drawing: experiment.Drawing{
		BlockUnits: softmaxUnits,
		Cost:       softmaxCost,
		Columns:    softmaxColumns,
		Pilot:      pilotSoftmax,
		Windowed:   true,
		Contents:   func(c experiment.Cell) string { return rows.Contents(c, rows.Scalings(c)) },
		Open:       openSoftmax,
		Headline:   names.GradientSurvival,
		Floor:      softmaxFloor,
	},
	Reading: experiment.Reading{
		Rows: softmaxFindings,
		Join: joinSoftmax,
		Chosen: func(c experiment.Cell) (string, []any) {
			return rows.Chosen(names.GradientSurvival, rows.Scalings(c), 0.5)
		},
	},
	Judging: experiment.Judging{
		Refuse: refuseSoftmax,
		Checks: softmaxChecks,
	},
})

// softmaxFloor is enough rows for quantiles at 5 and 95 % that are worth it.
const softmaxFloor = 4096

// softmaxGroups is the number of groups of sixteen rows, or matrices, of a block.
func softmaxGroups(c experiment.Cell) int64 {
	together := kernel.Width * rows.MatrixRows(c)
	group := float64(together) * softmaxDraws(c)
	return int64(max(1, min(float64(rows.MostBlockRows/together), rows.BlockComponents/group)))
}

// softmaxUnits is how many rows a block has.
func softmaxUnits(c experiment.Cell) int64 {
	return softmaxGroups(c) * kernel.Width * rows.MatrixRows(c)
}

// softmaxDraws is how many components a row draws.
func softmaxDraws(c experiment.Cell) float64 {
	return float64(c.Dimension()) * (1 + float64(rows.Keys(c))/float64(rows.MatrixRows(c)))
}

// softmaxCost is what a row costs, in drawn components: its draws, products and
// gradients, and under each scaling the sums over keys and what follows.
func softmaxCost(c experiment.Cell) float64 {
	n := float64(len(rows.Scalings(c)))
	products := float64(float64(c.Dimension()*rows.Keys(c)) * (0.2 + float64(0.3*n)))
	return float64(softmaxDraws(c)) + products + float64(n*float64(700+2*rows.Keys(c)))
}

// softmaxColumns: the means of rows under each scaling; where rows share their keys,
// those of matrices behind them.
func softmaxColumns(c experiment.Cell) []experiment.Column {
	if rows.SharesKeys(c) {
		return rows.Columns(len(rows.Scalings(c)), "row", "matrix")
	}
	return rows.Columns(len(rows.Scalings(c)), "row")
}

// openSoftmax draws the rows of a block.
func openSoftmax(c experiment.Cell) experiment.Block {
	tally := rows.NewTally(rows.Keys(c), rows.Scalings(c), rows.MatrixRows(c), c.Pilot())
	draw := drawSoftmax(c, tally)
	return func(d *experiment.Draw) moments.Node {
		draw(d)
		return tally.Node(d.More)
	}
}

// pilotSoftmax draws blocks for what can be learnt of the rows.
func pilotSoftmax(c experiment.Cell, next func() *experiment.Draw) moments.Node {
	tally := rows.NewTally(rows.Keys(c), rows.Scalings(c), rows.MatrixRows(c), moments.Node{})
	return rows.Pilot(c, tally, next, drawSoftmax(c, tally))
}

// drawSoftmax draws the rows of a block, sixteen at a time, or sixteen matrices, into the
// tally.
func drawSoftmax(c experiment.Cell, tally *rows.Tally) func(*experiment.Draw) {
	group := rows.NewGroup(c, rows.Keys(c), rows.Scalings(c))
	return func(draw *experiment.Draw) {
		for range softmaxGroups(c) {
			if rows.SharesKeys(c) {
				group.DrawKeys(&draw.Lanes)
			}
			for range rows.MatrixRows(c) {
				group.DrawRows(&draw.Lanes)
				group.Gradients.Measure(group)
				tally.Add(group.Scores, &group.Peaks, group.Gradients, &group.Norm[0])
			}
			if rows.SharesKeys(c) {
				tally.EndMatrix()
			}
		}
	}
}

// refuseSoftmax refuses keys that cannot be held, and scalings that are too large.
func refuseSoftmax(c experiment.Cell, _ bool) error {
	return cmp.Or(rows.RefuseHeld(c), rows.RefuseScalings(c))
}

// softmaxTheory is what quadrature knows of the rows, false for a law whose
// scores are not normal given the query.
func softmaxTheory(c experiment.Cell, s rows.Scaling) (theory.Softmax, bool) {
	if c.Law().Name() != names.LawNormal {
		return theory.Softmax{}, false
	}
	factor := s.Factor
	if s.Hard() {
		factor = math.Inf(1)
	}
	return theory.SharedQuerySoftmax(rows.Keys(c), c.Dimension(), factor), true
}

// softmaxFindings are what softmax makes of the rows under each scaling.
func softmaxFindings(c experiment.Cell, n moments.Node) experiment.Findings {
	var f experiment.Findings
	all, pilot := rows.Scalings(c), c.Pilot()
	for i, s := range all {
		t, known := softmaxTheory(c, s)
		rows.AddRows(&f, c, s, rows.SumsOf(n, i, rows.MatrixRows(c)), rows.LearntOf(pilot, i, len(all), rows.MatrixRows(c)), t, known, !s.Hard())
	}
	return f
}

// softmaxChecks: the means that lie between bounds within the tolerance of
// theory, absolutely.
func softmaxChecks(c experiment.Cell) []gate.Check {
	var checks []gate.Check
	for _, s := range rows.Scalings(c) {
		if t, known := softmaxTheory(c, s); known {
			checks = append(checks, rows.MeanChecks(c, s, t, rows.MatrixRows(c))...)
		}
	}
	return checks
}
