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

// maxRankedKeys limits the number of keys of a row, since a node has a histogram for each rank
// under every exponent.
const maxRankedKeys = 64

var rankedKeysAxis = experiment.CountAxis(names.ParamKeys, 2, maxRankedKeys, "8", "8")

// Ranks measures how the attention of a query is distributed over its keys. It sorts the weights of
// each row in descending order, and estimates the mean and the quantiles of the weight of each rank
// under every exponent. It also adds curves for one typical row, which is sampled again from the
// stream of the cell (walks.go).
var Ranks = experiment.New(experiment.Experiment{
	Name: names.ExperimentRanks,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, rankedKeysAxis,
		experiment.ExponentAxis},
	Unit: names.UnitRow,
	Sampler: rows.WithFineBins(experiment.Sampler{
		BlockUnits: blockUnits,
		Cost: func(c experiment.Cell) float64 { // components and products, then sums and histograms of numbers
			numbers := float64(numbersPerScaling(rows.Keys(c)))
			return math.Round(1.2*rows.ComponentsPerRow(c)) + float64(float64(60*len(rows.Scalings(c)))*numbers)
		},
		Shape: func(c experiment.Cell) experiment.Shape {
			numbers := len(rows.Scalings(c)) * numbersPerScaling(rows.Keys(c))
			return experiment.NewBinnedShape(0, numbers, numbers)
		},
		Columns: func(c experiment.Cell) []experiment.Column { // of each scaling: the weight of each rank, then R
			return experiment.Columns("row", experiment.ErrorOrder,
				len(rows.Scalings(c))*numbersPerScaling(rows.Keys(c)))
		},
		Headline: names.RelativeTrace,
		MinUnits: minRows,
		Contents: describeScalings,
	}, newRanksSampler),
	Reader: experiment.Reader{
		Estimates:        ranksEstimates,
		Finish:           finishRanks,
		HeadlineEstimate: rows.SelectHeadline(names.RelativeTrace, rows.Scalings, 0.5),
	},
	Judge: experiment.Judge{Refuse: rows.Refuse, Checks: rankChecks},
})

// newRanksSampler implements [rows.Opener].
func newRanksSampler(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.BlockStream)) {
	tally := newRankTally(rows.Keys(c), rows.Scalings(c), pilot)
	group := rows.NewRowGroup(c, rows.Keys(c), nil) // without gradients
	return tally, func(b *experiment.BlockStream) {
		for range blockUnits(c) / kernel.Width {
			group.SampleRows(&b.Lanes)
			tally.add(group.Scores)
		}
	}
}

// ranksEstimates returns the mean and the quantiles of the weight of each rank, and of R, under
// each scaling, with the standard errors of independent rows. The pilot determines which of them
// have a standard error or an interval. The mean of the largest weight, the mean of the smaller
// weight of two keys, and the mean of R have theory by quadrature.
func ranksEstimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	keys, pilot := rows.Keys(c), c.Pilot()
	for i, s := range rows.Scalings(c) {
		t, known := rows.Quadrature(c, s)
		addNumber := func(number int, quantity string, theory float64, params result.Params) {
			column := i*numbersPerScaling(keys) + number
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
			addNumber(k, names.RankedWeight, theory, rankParams(s, k+1))
		}
		addNumber(keys, names.RelativeTrace, t.RelativeTrace(), s.Params())
	}
	return f
}

// rankParams returns the parameters of the estimates of a rank under a scaling.
func rankParams(s rows.Scaling, rank int) result.Params {
	params := s.Params()
	params[names.ParamRank] = float64(rank)
	return params
}

// rankChecks returns a gate for each scaling. It requires that the difference between the mean of
// the largest weight and its value by quadrature is at most the tolerance times the distance of
// this value from a uniform weight.
func rankChecks(c experiment.Cell) (checks []gate.Check) {
	for _, s := range rows.Scalings(c) {
		if t, known := rows.Quadrature(c, s); known {
			distance := t.MaxWeight - 1/float64(rows.Keys(c))
			checks = append(checks, rows.MeanGate{
				Name:      names.QuadratureGateName(names.RankedWeight),
				Quantity:  names.RankedWeight,
				Params:    rankParams(s, 1),
				Expected:  t.MaxWeight,
				HalfWidth: float64(c.Tolerance * distance),
				RowSD:     distance,
			}.NewCheck(c))
		}
	}
	return checks
}

// rankAtoms returns a flag for each quantile of a column, which is not 0 if the pilot found an atom
// there. For Rademacher components every quantile counts as an atom, since their scores lie on a
// lattice, so that the weights have only a few values.
func rankAtoms(c experiment.Cell, pilot moments.Node, column int) []int64 {
	n := len(quantile.Probabilities)
	if c.Distribution().Name() == names.DistributionRademacher {
		return slices.Repeat([]int64{1}, n)
	}
	return pilot.Counts[column*n:]
}

// numbersPerScaling returns the number of columns of each scaling: the weights of a row by rank,
// followed by R.
func numbersPerScaling(keys int) int { return keys + 1 }

// rankTally collects the weights of rows by rank, and R, under each scaling.
type rankTally struct {
	*rows.Numbers
	scalings                []rows.Scaling
	scores, weights, others []float64 // arguments of sortedSoftmax for one row
}

// newRankTally returns an empty tally of rows with the given number of keys.
func newRankTally(keys int, scalings []rows.Scaling, pilot moments.Node) *rankTally {
	return &rankTally{
		Numbers:  rows.NewNumbers(len(scalings)*numbersPerScaling(keys), pilot),
		scalings: scalings,
		scores:   make([]float64, keys),
		weights:  make([]float64, keys),
		others:   make([]float64, keys),
	}
}

// add adds sixteen rows of scores, one in each lane.
func (t *rankTally) add(scores [][kernel.Width]float32) {
	for lane := range kernel.Width {
		for k := range scores {
			t.scores[k] = float64(scores[k][lane])
		}
		slices.Sort(t.scores) // once for all scalings, since no factor is negative
		slices.Reverse(t.scores)
		for i, s := range t.scalings {
			relativeTrace := sortedSoftmax(t.scores, s.Factor, t.weights, t.others)
			first := i * numbersPerScaling(len(scores))
			for k, w := range t.weights {
				t.Add(first+k, w, quantile.Logit(w, t.others[k]))
			}
			t.Add(first+len(scores), relativeTrace, quantile.Logit(relativeTrace, 1-relativeTrace))
		}
	}
}
