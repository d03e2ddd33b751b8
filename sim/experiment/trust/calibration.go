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

// Calibration repeats small runs of the experiments variance and exponents, and counts how often
// their results are right: whether each 95 % interval contains the exact value, whether each gate
// passes if everything is as theory says, and whether it fails if the truth is on the edge of its
// band.
//
// Every run computes its estimates with the functions of those experiments, and so with their
// rules for when an estimate has an interval. If they would omit an interval, or would require
// more pairs, the proportion is counted too, but no rate is declared for it.
var Calibration = experiment.New(experiment.Experiment{
	Name: names.ExperimentCalibration,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, pairsAxis},
	Unit: names.UnitRun,
	Sampler: &experiment.Sampler{
		MinUnits:   10_000,
		BlockUnits: runsPerBlock,
		Cost:       componentsPerRun,
		Columns: func(experiment.Cell) []experiment.Column {
			return []experiment.Column{{Name: "ratio", Order: 2}}
		},
		Open:             openCalibration,
		Headline:         names.Coverage,
		RelativeVariance: func(experiment.Cell) float64 { return (1 - experiment.Level) / experiment.Level },
	},
	Reader: experiment.Reader{Estimates: calibrationEstimates},
	Judge:  experiment.Judge{Refuse: experiment.RefuseGate, Checks: calibrationChecks},
})

// blockPairs is the number of pairs of a block of a small run. The means of S² over blocks are the
// replicas from which the standard error from blocks follows. It is the smallest block of the
// experiment variance.
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

// pairsPerRun returns the number of pairs that each small run of the cell samples at every
// dimension.
func pairsPerRun(c experiment.Cell) int64 { return int64(c.Value(names.ParamPairs).Number) }

// componentsPerRun returns the number of components that one run samples, over all its dimensions.
func componentsPerRun(c experiment.Cell) float64 {
	sum := 0
	for _, d := range runDimensions(c.Dimension()) {
		sum += d
	}
	return float64(sum) * float64(pairsPerRun(c))
}

// runsPerBlock limits a block to about 2¹⁸ components.
func runsPerBlock(c experiment.Cell) int64 {
	return min(max(1, int64((1<<18)/componentsPerRun(c))), 64)
}

// maxDimensions bounds the number of dimensions of one run, over which it fits the slope.
const maxDimensions = 4

// runDimensions returns the dimensions that one run samples, each with its own pairs: d, d/2, d/4,
// … while they are whole and at least 2. d is always included.
func runDimensions(d int) []int {
	dims := []int{d}
	for d%2 == 0 && d > 2 && len(dims) < maxDimensions {
		d /= 2
		dims = append(dims, d)
	}
	return dims
}

// newScores returns the theory of the scores of the cell's distribution at each dimension.
func newScores(c experiment.Cell, dims []int) []theory.Score {
	return names.Map(dims, func(d int) theory.Score { return theory.NewScore(c.Distribution(), d) })
}

// correspondingCell returns the cell of experiment e with the distribution of c and dimension d. A
// run computes the estimates of this cell.
func correspondingCell(c experiment.Cell, e *experiment.Experiment, d int) experiment.Cell {
	return experiment.NewCell(e,
		map[string]experiment.AxisValue{names.ParamDistribution: c.Value(names.ParamDistribution),
			names.ParamDimension: {Number: float64(d)}})
}

// smallRun has the node of each dimension of one run.
type smallRun []moments.Node

// openCalibration samples small runs. It counts for each kind of interval the runs in which it
// contains the truth, and for each gate the wrong verdicts.
func openCalibration(c experiment.Cell) experiment.BlockFunc {
	sampleRun := newRunSampler(c)
	coverage, verdicts := newCoverage(c), wrongVerdicts(c)
	s := theory.NewScore(c.Distribution(), c.Dimension())
	ratios := make([]float64, runsPerBlock(c))
	return func(d *experiment.BlockStream) moments.Node {
		n := moments.Node{Counts: make([]int64, len(intervals)+len(verdicts))}
		for i := range ratios {
			run := sampleRun(&d.Lanes)
			m := run[0].Moments[0]
			ratios[i] = m.Variance() / s.Variance()
			coverage.countCovered(run, n.Counts)
			for j, v := range verdicts {
				if v.isWrong(m) {
					n.Counts[len(intervals)+j]++
				}
			}
		}
		n.Moments = []moments.Moments{moments.New(ratios, 2)}
		return n
	}
}

// newRunSampler returns a function that samples one run per call.
func newRunSampler(c experiment.Cell) func(*stream.Lanes) smallRun {
	samplePairs, dims := kernel.Pairs(c.Distribution()), runDimensions(c.Dimension())
	values := make([]float64, pairsPerRun(c))
	return func(lanes *stream.Lanes) smallRun {
		run := make(smallRun, len(dims))
		for k, d := range dims {
			scores.SampleScores(lanes, d, samplePairs, values)
			run[k] = scores.ScoreNode(values, blockPairs)
		}
		return run
	}
}

// runProportion is a counted proportion of runs, and the rate that is declared for it.
type runProportion struct {
	quantity   string
	params     result.Params // parameters in addition to those of the cell
	countIndex int           // index of its count in a node
	rate       float64       // the smallest coverage, or the largest error rate
	isDeclared bool          // the rate is declared, and gated
	gate       string
	expect     string
}

// runProportions returns the proportions of runs whose intervals contain the truth, followed by
// those of runs that a gate judges wrongly.
func runProportions(c experiment.Cell) (proportions []runProportion) {
	isCounted, isDeclared := newCoverage(c).classify()
	for i, interval := range intervals {
		if isCounted[i] {
			proportions = append(proportions, runProportion{quantity: names.Coverage,
				params: result.Params{names.ParamInterval: interval.name}, countIndex: i, rate: experiment.Level,
				isDeclared: isDeclared[i], gate: "coverage", expect: names.ExpectAtLeast})
		}
	}
	for j, v := range wrongVerdicts(c) {
		proportions = append(proportions, runProportion{quantity: v.quantity, params: v.params(),
			countIndex: len(intervals) + j, rate: v.rate, isDeclared: v.isDeclared,
			gate: verdictGates[v.quantity], expect: names.ExpectAtMost})
	}
	return proportions
}

// calibrationEstimates returns the proportions with their exact 95 % limits. The theory is the
// declared rate: a limit for many pairs, and a bound.
func calibrationEstimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	for _, p := range runProportions(c) {
		r := c.ExpectedProportion(p.quantity, n.Counts[p.countIndex], n.Moments[0].N, p.rate, p.params)
		r.Estimator = names.EstimatorCount
		if p.isDeclared {
			r.Theory, r.TheoryKind = result.Number(p.rate), names.TheoryLimit
		}
		f.Estimates = append(f.Estimates, r)
	}
	return f
}

// calibrationChecks returns the gates: every declared coverage is reached, and no declared error
// rate is exceeded.
func calibrationChecks(c experiment.Cell) (checks []gate.Check) {
	for _, p := range runProportions(c) {
		if !p.isDeclared {
			continue
		}
		k := c.NewCheck(p.gate, p.quantity, p.params)
		band := [2]float64{p.rate, 1}
		if p.expect == names.ExpectAtMost {
			band = [2]float64{0, p.rate}
		}
		k.Expect = p.expect
		k.Expected = func(int64) (float64, float64, [2]float64) { return p.rate, math.NaN(), band }
		checks = append(checks, k)
	}
	return checks
}
