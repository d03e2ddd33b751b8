package trust

import (
	"fmt"
	"math"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// Calibration repeats small runs of variance and exponents, and counts how
// often what they print is right: whether each 95 % interval holds the exact
// value, and whether each gate passes where all is as theory says, and fails
// where the truth lies on the edge of its band.
//
// Every run makes its rows by the very functions of those experiments, and so
// by their rule for when an interval is honest. Where they would print none,
// or would draw more pairs before they judge, the share is counted all the
// same, but nothing is declared for it.
var Calibration = experiment.New(experiment.Experiment{
	Name: names.ExperimentCalibration,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, pairsAxis},
	Unit: names.UnitRun,
	Sampler: &experiment.Sampler{
		MinUnits:   10_000,
		BlockUnits: runsPerBlock,
		Cost:       runComponents,
		Columns: func(experiment.Cell) []experiment.Column {
			return []experiment.Column{{Name: "ratio",
				Order: 2}}
		},
		Open:             openCalibration,
		Headline:         names.Coverage,
		RelativeVariance: func(experiment.Cell) float64 { return (1 - experiment.Level) / experiment.Level },
	},
	Reader: experiment.Reader{Estimates: calibrationEstimates},
	Judge:  experiment.Judge{Refuse: experiment.RefuseGate, Checks: calibrationChecks},
})

// blockPairs is the block of a small run, whose means of S² are the replicas
// that the error from blocks rests on: the smallest block that variance has.
const blockPairs = stream.Width

var pairsAxis = experiment.Axis{
	Name: names.ParamPairs, Range: fmt.Sprintf("a multiple of %d in 64..%d", blockPairs, 1<<20), Probe: "1024",
	Parse: func(text string) (experiment.AxisValue, error) {
		n, err := experiment.Integer(text, 64, 1<<20)
		if err == nil && n%blockPairs != 0 {
			err = fmt.Errorf("%s is not a multiple of %d", text, blockPairs)
		}
		return experiment.AxisValue{Number: float64(n)}, err
	},
}

// pairs returns how many pairs each small run of the cell draws at every dimension.
func pairs(c experiment.Cell) int64 { return int64(c.Value(names.ParamPairs).Number) }

// runComponents returns the components that one run draws, at all its dimensions.
func runComponents(c experiment.Cell) float64 {
	sum := 0
	for _, d := range runDimensions(c.Dimension()) {
		sum += d
	}
	return float64(sum) * float64(pairs(c))
}

// runsPerBlock keeps a block at about 2¹⁸ components.
func runsPerBlock(c experiment.Cell) int64 { return min(max(1, int64((1<<18)/runComponents(c))), 64) }

// maxDimensions bounds the number of dimensions that the slope of one run joins.
const maxDimensions = 4

// runDimensions returns the dimensions that one run samples, each with its own pairs: d, d/2, d/4,
// … as far as they are whole and at least 2, and d in any case.
func runDimensions(d int) []int {
	dims := []int{d}
	for d%2 == 0 && d > 2 && len(dims) < maxDimensions {
		d /= 2
		dims = append(dims, d)
	}
	return dims
}

// scoresAt returns the scores of the cell's distribution at the dimensions.
func scoresAt(c experiment.Cell, dims []int) []theory.Score {
	return names.Map(dims, func(d int) theory.Score { return theory.NewScore(c.Distribution(), d) })
}

// cellOf returns the cell of another experiment whose rows a run makes.
func cellOf(c experiment.Cell, e *experiment.Experiment, d int) experiment.Cell {
	return experiment.NewCell(e,
		map[string]experiment.AxisValue{names.ParamDistribution: c.Value(names.ParamDistribution),
			names.ParamDimension: {Number: float64(d)}})
}

// smallRun is what a run found: a node for each of its dimensions.
type smallRun []moments.Node

// openCalibration makes small runs and counts, of each kind of interval, those that hold
// the truth, and of each gate the wrong verdicts.
func openCalibration(c experiment.Cell) experiment.BlockFunc {
	draw := drawRuns(c)
	covered, events := newCoverage(c), gateEvents(c)
	s := theory.NewScore(c.Distribution(), c.Dimension())
	ratios := make([]float64, runsPerBlock(c))
	return func(d *experiment.BlockStream) moments.Node {
		n := moments.Node{Counts: make([]int64, len(intervals)+len(events))}
		for i := range ratios {
			run := draw(&d.Lanes)
			m := run[0].Moments[0]
			ratios[i] = m.Variance() / s.Variance()
			covered.count(run, n.Counts)
			for j, e := range events {
				if e.happens(m) {
					n.Counts[len(intervals)+j]++
				}
			}
		}
		n.Moments = []moments.Moments{moments.New(ratios, 2)}
		return n
	}
}

// drawRuns returns what draws the pairs of one run after the other.
func drawRuns(c experiment.Cell) func(*stream.Lanes) smallRun {
	draw, dims := kernel.Pairs(c.Distribution()), runDimensions(c.Dimension())
	each := make([]float64, pairs(c))
	return func(lanes *stream.Lanes) smallRun {
		run := make(smallRun, len(dims))
		for k, d := range dims {
			scores.SampleScores(lanes, d, draw, each)
			run[k] = scores.ScoreNode(each, blockPairs)
		}
		return run
	}
}

// declaredShare is a share of runs that is counted, with what is declared of it.
type declaredShare struct {
	quantity string
	params   result.Params // besides those of the cell
	count    int           // its place among the counts of a node
	rate     float64       // the coverage that is to be reached, or the error rate not to be exceeded
	claimed  bool          // the rate is declared, and gated
	gate     string
	expect   string
}

// declaredShares returns the shares of runs whose intervals hold the truth, then those of runs that
// a gate judges wrongly.
func declaredShares(c experiment.Cell) (shares []declaredShare) {
	counted, claimed := newCoverage(c).kinds()
	for i, interval := range intervals {
		if counted[i] {
			shares = append(shares, declaredShare{quantity: names.Coverage,
				params: result.Params{names.ParamInterval: interval.name}, count: i, rate: experiment.Level,
				claimed: claimed[i], gate: "coverage", expect: names.ExpectAtLeast})
		}
	}
	for j, e := range gateEvents(c) {
		shares = append(shares, declaredShare{quantity: e.quantity, params: e.params(), count: len(intervals) + j,
			rate: e.rate, claimed: e.claimed, gate: eventGates[e.quantity], expect: names.ExpectAtMost})
	}
	return shares
}

// calibrationEstimates returns the shares with their exact 95 % limits. What is declared is a limit
// for many pairs, and a bound.
func calibrationEstimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	for _, s := range declaredShares(c) {
		r := c.ExpectedProportion(s.quantity, n.Counts[s.count], n.Moments[0].N, s.rate, s.params)
		r.Estimator = names.EstimatorCount
		if s.claimed {
			r.Theory, r.TheoryKind = result.Number(s.rate), names.TheoryLimit
		}
		f.Estimates = append(f.Estimates, r)
	}
	return f
}

// calibrationChecks returns the gates: every declared coverage is reached, and no declared rate
// exceeded.
func calibrationChecks(c experiment.Cell) (checks []gate.Check) {
	for _, s := range declaredShares(c) {
		if !s.claimed {
			continue
		}
		k := c.NewCheck(s.gate, s.quantity, s.params)
		band := [2]float64{s.rate, 1}
		if s.expect == names.ExpectAtMost {
			band = [2]float64{0, s.rate}
		}
		k.Expect = s.expect
		k.Expected = func(int64) (float64, float64, [2]float64) { return s.rate, math.NaN(), band }
		checks = append(checks, k)
	}
	return checks
}
