package trust

import (
	"fmt"
	"math"
	"slices"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Repeats measures four numbers of the report again and again, each time from
// draws of its own: Var(q·k) at d_k, the slope of its logarithm on ln d_k, the exponent
// that makes it flat, and what a division by √d_k leaves. A repeat draws pairs of d_k, and
// as many of each of its halves d_k/2, d_k/4, … down to 2, through which the slope goes.
//
// Its rows are made as those of variance and exponents are, with their exact errors. It
// has no gates: what a repeat is for is to be seen beside the others.
var Repeats = experiment.New(experiment.Experiment{
	Name: names.ExperimentRepeats,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, experiment.CountAxis(names.ParamRepeat, 1, 10_000, "1")},
	Unit: names.UnitPair,
	Sampler: &experiment.Sampler{
		BlockUnits: func(c experiment.Cell) int64 { return scores.PairsPerBlock(c.Dimension()) },
		Cost:       repeatCost,
		Columns:    repeatColumns,
		Open:       openRepeat,
		Headline:   names.ScoreVariance,
		RelativeVariance: func(c experiment.Cell) float64 {
			return 2 + theory.NewScore(c.Distribution(), c.Dimension()).Excess()
		},
	},
	Reader: experiment.Reader{
		Estimates: repeatEstimates,
		Finish:    finishRepeats,
	},
})

// halves are the dimensions that a repeat draws: d, d/2, d/4, … as far as they are whole
// and at least 2, and d in any case.
func halves(d int) []int {
	dims := []int{d}
	for d%2 == 0 && d > 2 {
		d /= 2
		dims = append(dims, d)
	}
	return dims
}

// repeatCost is a pair of every dimension, in drawn components.
func repeatCost(c experiment.Cell) float64 { return sumOf(halves(c.Dimension())) }

// sumOf is the sum of dimensions.
func sumOf(dims []int) (sum float64) {
	for _, d := range dims {
		sum += float64(d)
	}
	return sum
}

// repeatColumns are the scores at each dimension.
func repeatColumns(c experiment.Cell) []experiment.Column {
	return slices.Repeat([]experiment.Column{{Name: "score", Order: 2}}, len(halves(c.Dimension())))
}

// openRepeat draws a block of pairs at each dimension, one after the other.
func openRepeat(c experiment.Cell) experiment.Block {
	dims, pairs := halves(c.Dimension()), kernel.Pairs(c.Distribution())
	each := make([]float64, scores.PairsPerBlock(c.Dimension())/stream.Width*stream.Width)
	return func(draw *experiment.Draw) moments.Node {
		n := moments.Node{Moments: make([]moments.Moments, len(dims))}
		for i, d := range dims {
			scores.Draw(&draw.Lanes, d, pairs, each)
			n.Moments[i] = moments.Of(each, 2)
		}
		return n
	}
}

// repeatEstimates are the numbers of one repeat, those that its dimensions determine.
func repeatEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	var f experiment.CellEstimates
	m, s := n.Moments[0], theory.NewScore(c.Distribution(), c.Dimension())
	errorOfError, want := s.ErrorOfError(m.N), s.Variance()
	f.Add(experiment.Exact(c.Estimate(names.ScoreVariance, m.N, m.Variance(), s.VarianceSE(m.N)), want), errorOfError)
	left := scores.ScaledTheory(want, 0.5)
	f.Add(experiment.Exact(c.Estimate(names.ScaledVariance, m.N, m.Variance()/want*left, s.VarianceSE(m.N)/want*left, names.ParamExponent, 0.5), left), errorOfError)
	if value, se := slopeThrough(scoresAt(c, halves(c.Dimension())), func(i int) moments.Moments { return n.Moments[i] }).Fit(); !math.IsNaN(value) {
		f.Estimates = append(f.Estimates,
			experiment.Interval(experiment.Exact(c.Estimate(names.VarianceSlope, m.N, value, se, names.ParamExponent, 0.0), 1)),
			experiment.Interval(experiment.Exact(c.Estimate(names.FlatExponent, m.N, value/2, se/2), 0.5)))
	}
	return f
}

// scoresAt are the scores of the cell's distribution at some dimensions.
func scoresAt(c experiment.Cell, dims []int) []theory.Score {
	return names.Each(dims, func(d int) theory.Score { return theory.NewScore(c.Distribution(), d) })
}

// slopeThrough joins scores at several dimensions as exponents joins cells.
func slopeThrough(scores []theory.Score, at func(int) moments.Moments) (slope experiment.Slope) {
	for i, s := range scores {
		m := at(i)
		slope.Add(s.Variance(), m.Variance(), s.VarianceSE(m.N)/s.Variance(), m.N)
	}
	return slope
}

// finishRepeats counts for each number over how many repeats of one point its interval holds
// theory. Repeats are independent, so that the share has the exact limits of a count.
func finishRepeats(sampled experiment.Sampled, doc *result.Document) error {
	for _, repeats := range experiment.Grouped(sampled.Cells, func(c experiment.Cell) string { return overRepeats(c).ID }) {
		of := overRepeats(repeats[0])
		for _, q := range []string{names.ScoreVariance, names.VarianceSlope, names.FlatExponent, names.ScaledVariance} {
			if held, counted := heldRepeats(doc, of, q); counted > 0 {
				r := of.ExpectedShare(names.IntervalShare, held, counted, experiment.Level, names.ParamOfQuantity, q)
				r.Estimator, r.Theory, r.TheoryKind = names.EstimatorCount, experiment.Level, names.TheoryLimit
				doc.Estimates = append(doc.Estimates, r)
			}
		}
	}
	return nil
}

// overRepeats stands for all repeats of a cell's point.
func overRepeats(c experiment.Cell) experiment.Cell {
	id := fmt.Sprintf("%s/%v/d_k=%d/repeat=*", c.Experiment.Name, c.Distribution(), c.Dimension())
	return c.Aggregate(id, names.ParamDistribution, names.ParamDimension)
}

// heldRepeats counts the intervals of a number at a point, and those that hold theory.
func heldRepeats(doc *result.Document, of experiment.Cell, quantity string) (held, counted int64) {
	for r := range doc.Rows(names.ExperimentRepeats, quantity, of.Params()) {
		if !r.Lo.Present() {
			continue
		}
		counted++
		if r.Lo <= r.Theory && r.Theory <= r.Hi {
			held++
		}
	}
	return held, counted
}
