package softmax

import (
	"math"
	"slices"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/quantile"
)

// maxRankedKeys bounds the keys of a row: each rank has a histogram of its own under every
// exponent.
const maxRankedKeys = 64

// fewKeysAxis is the number of keys of a row.
var fewKeysAxis = experiment.CountAxis(names.ParamKeys, 2, maxRankedKeys, "8", "8")

// Ranks measures what the key of each rank gets of a query's attention: the weights of rows by
// rank, on average and over all rows, under every exponent of the scale. Beside these rows stand
// lines through one typical row, drawn again from the cell's own bits (walks.go).
var Ranks = experiment.New(experiment.Experiment{
	Name: names.ExperimentRanks,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, fewKeysAxis,
		experiment.ExponentAxis},
	Unit: names.UnitRow,
	Sampler: rows.WithFineBins(experiment.Sampler{
		BlockUnits: softmaxUnits,
		Cost: func(c experiment.Cell) float64 { // of sums under each scaling, and a place in a histogram
			numbers := float64(rankNumbers(rows.Keys(c)))
			return math.Round(1.2*rows.ComponentsPerRow(c)) + float64(float64(60*len(rows.Scalings(c)))*numbers)
		},
		Columns: func(c experiment.Cell) []experiment.Column { // under each scaling the weight of each rank, then R
			return experiment.Columns("row", experiment.ErrorOrder, len(rows.Scalings(c))*rankNumbers(rows.Keys(c)))
		},
		Headline: names.RelativeTrace,
		MinUnits: softmaxFloor,
		Contents: scalingsText,
	}, drawRanks),
	Reader: experiment.Reader{
		Estimates:   ranksEstimates,
		Finish:      finishRanks,
		HeadlineRow: rows.HeadlineRow(names.RelativeTrace, rows.Scalings, 0.5),
	},
	Judge: experiment.Judge{Refuse: rows.Refuse, Checks: rankChecks},
})

// drawRanks draws the rows of a block, sixteen at a time.
func drawRanks(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.BlockStream)) {
	t := newRankTally(rows.Keys(c), rows.Scalings(c), pilot)
	group := rows.NewRowGroup(c, rows.Keys(c), nil) // without gradients
	return t, func(d *experiment.BlockStream) {
		for range softmaxUnits(c) / kernel.Width {
			group.SampleRows(&d.Lanes)
			t.add(group.Scores)
		}
	}
}

// ranksEstimates returns the mean and the quantiles of the weight of each rank, and of R, under
// each scaling, with the errors of independent rows. The pilot says which of them have an error
// or an interval. Quadrature knows the mean of the greatest weight, that of the other of two,
// and that of R.
func ranksEstimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	keys, pilot := rows.Keys(c), c.Pilot()
	for i, s := range rows.Scalings(c) {
		t, known := rows.Quadrature(c, s)
		add := func(number int, quantity string, theory float64, params result.Params) {
			column := i*rankNumbers(keys) + number
			r := c.MeanEstimate(quantity, n.Moments[column], params)
			if known && !math.IsNaN(theory) {
				r.Theory, r.TheoryKind = result.Number(theory), names.TheoryQuadrature
			}
			rows.AddMean(&f, s, r, experiment.NewPilotMean(pilot.Moments[column], r.N))
			f.AddQuantiles(r, n.Histograms[column], experiment.LogitScale, rankAtoms(c, pilot, column))
		}
		for k := range keys {
			theory := math.NaN()
			switch {
			case k == 0:
				theory = t.MaxWeight
			case keys == 2:
				theory = 1 - t.MaxWeight
			}
			add(k, names.RankedWeight, theory, rankParams(s, k+1))
		}
		add(keys, names.RelativeTrace, t.RelativeTrace(), s.Params())
	}
	return f
}

// rankParams returns the parameters of the estimates of a rank under a scaling.
func rankParams(s rows.Scaling, rank int) result.Params {
	params := s.Params()
	params[names.ParamRank] = float64(rank)
	return params
}

// rankChecks: the weight of the first key, which quadrature knows, within the tolerance times its
// distance from that of uniform weights.
func rankChecks(c experiment.Cell) (checks []gate.Check) {
	for _, s := range rows.Scalings(c) {
		if t, known := rows.Quadrature(c, s); known {
			far := t.MaxWeight - 1/float64(rows.Keys(c))
			checks = append(checks,
				rows.NewCheck(c, names.QuadratureGateName(names.RankedWeight), names.RankedWeight, t.MaxWeight,
					float64(c.Tolerance*far), far, rankParams(s, 1)))
		}
	}
	return checks
}

// rankAtoms returns the atoms at the quantiles of a number: all, where the pilot need not be asked.
// Scores of signs lie on a lattice, and all that softmax makes of them on few values.
func rankAtoms(c experiment.Cell, pilot moments.Node, column int) []int64 {
	points := len(quantile.Probabilities)
	if c.Distribution().Name() == names.DistributionRademacher {
		return slices.Repeat([]int64{1}, points)
	}
	return pilot.Counts[column*points:]
}

// rankNumbers returns how many numbers of a row are collected under each scaling: the weights of
// its keys by rank, and R behind them.
func rankNumbers(keys int) int { return keys + 1 }

// rankTally collects the numbers of rows under every scaling: those of the first, then of the
// second.
type rankTally struct {
	*rows.Numbers
	scalings                []rows.Scaling
	scores, weights, others []float64 // of one row
}

// newRankTally returns an empty one of rows of so many keys.
func newRankTally(keys int, scalings []rows.Scaling, pilot moments.Node) *rankTally {
	return &rankTally{rows.NewNumbers(len(scalings)*rankNumbers(keys), pilot), scalings,
		make([]float64, keys), make([]float64, keys), make([]float64, keys)}
}

// add takes sixteen rows of scores.
func (t *rankTally) add(scores [][kernel.Width]float32) {
	for lane := range kernel.Width {
		for k := range scores {
			t.scores[k] = float64(scores[k][lane])
		}
		fall(t.scores) // once for all scalings, of which none turns the order round
		for i, s := range t.scalings {
			relativeTrace := weigh(t.scores, s.Factor, t.weights, t.others)
			first := i * rankNumbers(len(scores))
			for k, w := range t.weights {
				t.Add(first+k, w, quantile.Logit(w, t.others[k]))
			}
			t.Add(first+len(scores), relativeTrace, quantile.Logit(relativeTrace, 1-relativeTrace))
		}
	}
}
