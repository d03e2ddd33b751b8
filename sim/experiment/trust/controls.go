package trust

import (
	"math"
	"slices"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// Controls samples normal components with a deliberate mistake. The gate that should notice the
// mistake is inverted: the estimate must be outside the band of the gate.
var Controls = experiment.New(experiment.Experiment{
	Name: names.ExperimentControls,
	Axes: []experiment.Axis{controlAxis, experiment.DimensionAxis},
	Unit: names.UnitPair,
	Sampler: &experiment.Sampler{
		BlockUnits: func(c experiment.Cell) int64 { return scores.PairsPerBlock(c.Dimension()) },
		Cost:       func(c experiment.Cell) float64 { return float64(c.Dimension()) },
		Columns: func(c experiment.Cell) []experiment.Column {
			return []experiment.Column{{Name: "control", Order: cellControl(c).order}}
		},
		Open: func(c experiment.Cell) experiment.BlockFunc {
			return cellControl(c).open(c.Dimension(), int(scores.PairsPerBlock(c.Dimension())))
		},
		Headline:         names.ScoreVariance,
		RelativeVariance: func(experiment.Cell) float64 { return math.Inf(1) },
	},
	Reader: experiment.Reader{Estimates: controlEstimates},
	Judge: experiment.Judge{
		Checks: func(c experiment.Cell) []gate.Check { return []gate.Check{newControlCheck(c)} },
	},
})

// Control is one deliberate mistake.
type Control struct {
	Name  string
	Gate  string // the gate that must fail
	Blind string // the gates that cannot notice the mistake, and why

	quantity string
	params   result.Params // parameters of the estimate in addition to those of the cell
	order    int           // order of the moments of the only column of a node
	open     func(d, pairs int) experiment.BlockFunc
	// compute returns the quantity from the moments of the column, for vectors of d components.
	compute func(m moments.Moments, d float64) float64
	// mistakenTheory returns the expected value of the quantity with the mistake, and the exact
	// standard error of its estimate from n units.
	mistakenTheory func(d int, n int64) (expected, se float64)
	// newHonestCheck returns the gate that samples without the mistake must pass.
	newHonestCheck func(experiment.Cell) gate.Check
}

var controlAxis = experiment.RestrictToNames(experiment.Axis{Name: names.ParamControl, Names: controlNames,
	Probe: names.ControlScale})

// Mutation returns the description of the mistake from the table of names.
func (k *Control) Mutation() string { return names.EntryOf(names.GroupControl, k.Name).Title }

func controlNames() []string {
	return names.Map(controlTable, func(k Control) string { return k.Name })
}

// cellControl returns the control of the cell.
func cellControl(c experiment.Cell) *Control { return LookupControl(c.Value(names.ParamControl).Name) }

// LookupControl returns the control with the given name. It panics if the control does not exist.
func LookupControl(name string) *Control {
	return &controlTable[slices.IndexFunc(controlTable, func(k Control) bool { return k.Name == name })]
}

// controlEstimates returns the only estimate of a control. Its theory is the expected value with
// the mistake.
func controlEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	k, m := cellControl(c), n.Moments[0]
	expected, se := k.mistakenTheory(c.Dimension(), m.N)
	value := k.compute(m, float64(c.Dimension()))
	var f experiment.CellEstimates
	f.Add(experiment.WithTheory(c.Estimate(k.quantity, m.N, value, se, k.params), expected), 0)
	return f
}

// newControlCheck returns the inverted gate, which must notice the mistake: its band is the band of
// the honest gate, and the estimate must be outside.
func newControlCheck(c experiment.Cell) gate.Check {
	k := cellControl(c)
	honest := k.newHonestCheck(c)
	check := c.NewCheck(names.ControlGateName(k.Gate), k.quantity, k.params)
	check.Expect, check.Skew, check.EdgeSERatio = names.ExpectOutside, honest.Skew, honest.EdgeSERatio
	check.Expected = func(n int64) (float64, float64, [2]float64) {
		_, _, band := honest.Expected(n)
		expected, se := k.mistakenTheory(c.Dimension(), n)
		return expected, se, band
	}
	return check
}

// Gates returns the honest gate of the control at dimension d, and the inverted gate.
func (k *Control) Gates(d int, tolerance float64) (honest, mistaken gate.Check) {
	c := experiment.NewCell(Controls,
		map[string]experiment.AxisValue{names.ParamControl: {Name: k.Name}, names.ParamDimension: {Number: float64(d)}})
	c.Tolerance = tolerance
	return k.newHonestCheck(c), newControlCheck(c)
}

// normalScore returns the theory of the score without a mistake.
func normalScore(d int) theory.Score { return theory.NewScore(distribution.Normal, d) }

func columnMean(m moments.Moments, _ float64) float64     { return m.Mean }
func columnVariance(m moments.Moments, _ float64) float64 { return m.Variance() }
func columnKurtosis(m moments.Moments, _ float64) float64 { return m.Standardised(4) }

func newHonestMeanCheck(c experiment.Cell) gate.Check {
	return scores.NewMeanCheck(c, normalScore(c.Dimension()))
}
func newHonestVarianceCheck(c experiment.Cell) gate.Check {
	return scores.NewVarianceCheck(c, normalScore(c.Dimension()))
}

// honestHealthCheck returns a function for [Control.newHonestCheck]. It returns the gate of the
// experiment health on the quantity, for normal components.
func honestHealthCheck(quantity string) func(experiment.Cell) gate.Check {
	return func(c experiment.Cell) gate.Check {
		health := experiment.NewCell(Health,
			map[string]experiment.AxisValue{names.ParamDistribution: {Name: distribution.Normal.String()}})
		health.Tolerance = c.Tolerance
		checks := healthChecks(health)
		return checks[slices.IndexFunc(checks, func(check gate.Check) bool { return check.Quantity == quantity })]
	}
}

// scaledExponent is the mistaken exponent of the scale, in place of 1/2.
const scaledExponent = 0.49

// newHonestScaledCheck returns the gate on the variance of scores divided by √d_k.
func newHonestScaledCheck(c experiment.Cell) gate.Check {
	check := newHonestVarianceCheck(c)
	d := float64(c.Dimension())
	check.Expected = gate.ExpectWithin(1, c.Tolerance,
		func(n int64) float64 { return normalScore(c.Dimension()).VarianceSE(n) / d })
	return check
}

// scaledColumnVariance returns the variance of scores divided by d_k^scaledExponent.
func scaledColumnVariance(m moments.Moments, d float64) float64 {
	return m.Variance() / elementary.Pow(d, 2*scaledExponent)
}
