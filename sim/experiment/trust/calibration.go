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

// Calibration repeats small runs of the experiments variance and exponents, and counts in how many
// runs each 95 % interval contains the exact value. It also counts wrong verdicts of gates: runs in
// which a gate does not pass although theory is right, and runs in which it passes although the
// true value is on an edge of its band.
//
// Every run computes its estimates with the functions of these experiments, so it also applies
// their rules for when an estimate has an interval. If the rules omit the interval, or if a plan
// would require more pairs than a run has, the proportion of runs is still counted, but no rate is
// declared for it.
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
		Shape: func(c experiment.Cell) experiment.Shape {
			return experiment.Shape{Counts: len(intervals) + len(wrongVerdicts(c))}
		},
		Open:             openCalibration,
		Headline:         names.Coverage,
		RelativeVariance: func(experiment.Cell) float64 { return (1 - experiment.Level) / experiment.Level },
	},
	Reader: experiment.Reader{Estimates: calibrationEstimates},
	Judge:  experiment.Judge{Refuse: experiment.RefuseGate, Checks: calibrationChecks},
})

// blockPairs is the number of pairs of a block of a small run. The standard error from blocks
// follows from the means of S² over such blocks. It is the smallest block of the experiment
// variance.
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

// pairsPerRun returns the number of pairs that a run of the cell samples at each of its dimensions.
func pairsPerRun(c experiment.Cell) int64 { return int64(c.Value(names.ParamPairs).Number) }

// componentsPerRun returns the number of components of all queries, and also of all keys, that a
// run samples.
func componentsPerRun(c experiment.Cell) float64 {
	sum := 0
	for _, d := range runDimensions(c.Dimension()) {
		sum += d
	}
	return float64(sum) * float64(pairsPerRun(c))
}

// runsPerBlock returns the number of runs of a block.
func runsPerBlock(c experiment.Cell) int64 {
	const maxComponents, maxRuns = 1 << 18, 64
	return min(max(1, int64(maxComponents/componentsPerRun(c))), maxRuns)
}

// maxDimensions limits the number of dimensions of a run, through which it fits the slope.
const maxDimensions = 4

// runDimensions returns the dimensions that a run samples, each with its own pairs. They are d,
// d/2, d/4 and so on, as long as they are whole and at least 2. d itself may be 1.
func runDimensions(d int) []int {
	dims := []int{d}
	for d%2 == 0 && d > 2 && len(dims) < maxDimensions {
		d /= 2
		dims = append(dims, d)
	}
	return dims
}

// correspondingCell returns the cell of experiment e with the distribution of c and the dimension
// d. A run computes the estimates of this cell.
func correspondingCell(c experiment.Cell, e *experiment.Experiment, d int) experiment.Cell {
	return experiment.NewCell(e,
		map[string]experiment.AxisValue{names.ParamDistribution: c.Value(names.ParamDistribution),
			names.ParamDimension: {Number: float64(d)}})
}

// smallRun has a node for each of runDimensions.
type smallRun []moments.Node

// openCalibration returns the function that samples the runs of a block. The counts of its nodes
// are the number of runs in which each of the intervals contains the exact value, followed by the
// number of runs with each of the wrongVerdicts.
func openCalibration(c experiment.Cell) experiment.BlockFunc {
	sampleRun := newRunSampler(c)
	coverage, verdicts := newCoverage(c), wrongVerdicts(c)
	s := theory.NewScore(c.Distribution(), c.Dimension())
	ratios := make([]float64, runsPerBlock(c))
	return func(b *experiment.BlockStream) moments.Node {
		n := moments.Node{Counts: make([]int64, len(intervals)+len(verdicts))}
		for i := range ratios {
			run := sampleRun(&b.Lanes)
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

// newRunSampler returns a function that samples one run.
func newRunSampler(c experiment.Cell) func(*stream.Lanes) smallRun {
	samplePairs, dims := kernel.Pairs(c.Distribution()), runDimensions(c.Dimension())
	values := make([]float64, pairsPerRun(c))
	return func(lanes *stream.Lanes) smallRun {
		run := make(smallRun, len(dims))
		for i, d := range dims {
			scores.SampleScores(lanes, d, samplePairs, values)
			run[i] = scores.ScoreNode(values, blockPairs)
		}
		return run
	}
}

// runProportion describes a proportion of runs that is counted, and the rate that is declared for
// it.
type runProportion struct {
	quantity   string
	params     result.Params // parameters in addition to those of the cell
	countIndex int           // index in the counts of a node
	rate       float64       // the smallest coverage, or the largest error rate
	isDeclared bool          // the rate is declared and has a gate
	gate       string        // name of the gate on the proportion
	expect     string        // the gate's names.ExpectAtLeast or names.ExpectAtMost
}

// runProportions returns the proportions of runs whose intervals contain the exact value, followed
// by the proportions of runs with wrong verdicts.
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

// calibrationEstimates returns the proportions with exact 95 % limits. Their theory is the declared
// rate, which the proportion approaches for many pairs, or which bounds the proportion.
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

// calibrationChecks returns the gates, which require that each declared coverage is reached and
// that no declared error rate is exceeded.
func calibrationChecks(c experiment.Cell) (checks []gate.Check) {
	for _, p := range runProportions(c) {
		if !p.isDeclared {
			continue
		}
		check := c.NewCheck(p.gate, p.quantity, p.params)
		band := [2]float64{p.rate, 1}
		if p.expect == names.ExpectAtMost {
			band = [2]float64{0, p.rate}
		}
		check.Expect = p.expect
		check.Expected = func(int64) (float64, float64, [2]float64) { return p.rate, math.NaN(), band }
		checks = append(checks, check)
	}
	return checks
}
