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

// Controls draws normal components with a deliberate mistake. The gate that
// should notice it is turned around: the estimate must lie outside the band.
var Controls = experiment.New(experiment.Experiment{
	Name: names.ExperimentControls,
	Axes: []experiment.Axis{controlAxis, experiment.DimensionAxis},
	Unit: names.UnitPair,
	Sampler: &experiment.Sampler{
		BlockUnits: func(c experiment.Cell) int64 { return scores.PairsPerBlock(c.Dimension()) },
		Cost:       func(c experiment.Cell) float64 { return float64(c.Dimension()) },
		Columns: func(c experiment.Cell) []experiment.Column {
			return []experiment.Column{{Name: "control", Order: controlOf(c).order}}
		},
		Open: func(c experiment.Cell) experiment.BlockFunc {
			return controlOf(c).open(c.Dimension(), int(scores.PairsPerBlock(c.Dimension())))
		},
		Headline:         names.ScoreVariance,
		RelativeVariance: func(experiment.Cell) float64 { return math.Inf(1) },
	},
	Reader: experiment.Reader{Estimates: controlEstimates},
	Judge: experiment.Judge{
		Checks: func(c experiment.Cell) []gate.Check { return []gate.Check{controlCheck(c)} },
	},
})

// Control is one mistake.
type Control struct {
	Name  string
	Gate  string // the gate that must say fail
	Blind string // which gates cannot see it, and why

	quantity string
	params   result.Params // of the estimate, besides those of the cell
	order    int           // of the node's only column
	open     func(d, pairs int) experiment.BlockFunc
	// value reads the quantity off the column.
	value func(m moments.Moments, d float64) float64
	// at is what the quantity is with the mistake, and its exact standard error.
	mistaken func(d int, n int64) (want, se float64)
	// honest is the gate that draws without the mistake must pass.
	honest func(experiment.Cell) gate.Check
}

var controlAxis = experiment.RestrictToNames(experiment.Axis{Name: names.ParamControl, Names: controlNames,
	Probe: names.ControlScale})

// Mutation says what is wrong, exactly.
func (k *Control) Mutation() string { return names.EntryOf(names.GroupControl, k.Name).Title }

// controlNames lists the controls.
func controlNames() []string {
	return names.Map(controlTable, func(k Control) string { return k.Name })
}

// controlOf returns the mistake that the cell draws with.
func controlOf(c experiment.Cell) *Control { return ControlNamed(c.Value(names.ParamControl).Name) }

// ControlNamed returns the control of a name, which must be one of them.
func ControlNamed(name string) *Control {
	return &controlTable[slices.IndexFunc(controlTable, func(k Control) bool { return k.Name == name })]
}

// controlEstimates returns the one row of a control, with what the mistake makes of it as theory.
func controlEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	k, m := controlOf(c), n.Moments[0]
	want, se := k.mistaken(c.Dimension(), m.N)
	var f experiment.CellEstimates
	f.Add(experiment.WithTheory(c.Estimate(k.quantity, m.N, k.value(m, float64(c.Dimension())), se, k.params), want), 0)
	return f
}

// controlCheck returns the gate that must notice the mistake: the honest one turned around.
func controlCheck(c experiment.Cell) gate.Check {
	k := controlOf(c)
	honest := k.honest(c)
	check := c.NewCheck(names.ControlGateName(k.Gate), k.quantity, k.params)
	check.Expect, check.Skew, check.EdgeSERatio = names.ExpectOutside, honest.Skew, honest.EdgeSERatio
	check.Expected = func(n int64) (float64, float64, [2]float64) {
		_, _, band := honest.Expected(n)
		want, se := k.mistaken(c.Dimension(), n)
		return want, se, band
	}
	return check
}

// Gates returns the gate of draws without the mistake at dimension d, and the same gate with it.
func (k *Control) Gates(d int, tolerance float64) (honest, mistaken gate.Check) {
	c := experiment.NewCell(Controls,
		map[string]experiment.AxisValue{names.ParamControl: {Name: k.Name}, names.ParamDimension: {Number: float64(d)}})
	c.Tolerance = tolerance
	return k.honest(c), controlCheck(c)
}

// normalScore returns the score of the distribution that every control distorts.
func normalScore(d int) theory.Score { return theory.NewScore(distribution.Normal, d) }

func meanOf(m moments.Moments, _ float64) float64     { return m.Mean }
func varianceOf(m moments.Moments, _ float64) float64 { return m.Variance() }
func kurtosisOf(m moments.Moments, _ float64) float64 { return m.Standardised(4) }

func honestMean(c experiment.Cell) gate.Check {
	return scores.NewMeanCheck(c, normalScore(c.Dimension()))
}
func honestVariance(c experiment.Cell) gate.Check {
	return scores.NewVarianceCheck(c, normalScore(c.Dimension()))
}

// honestHealth returns a gate of the experiment health on the normal distribution.
func honestHealth(quantity string) func(experiment.Cell) gate.Check {
	return func(c experiment.Cell) gate.Check {
		health := experiment.NewCell(Health,
			map[string]experiment.AxisValue{names.ParamDistribution: {Name: distribution.Normal.String()}})
		health.Tolerance = c.Tolerance
		all := healthChecks(health)
		return all[slices.IndexFunc(all, func(k gate.Check) bool { return k.Quantity == quantity })]
	}
}

// scaledExponent is the exponent that a control mistakes for 1/2.
const scaledExponent = 0.49

// honestScaled returns the gate on the variance of scores that are divided by √d_k.
func honestScaled(c experiment.Cell) gate.Check {
	k := honestVariance(c)
	d := float64(c.Dimension())
	k.Expected = gate.ExpectWithin(1, c.Tolerance,
		func(n int64) float64 { return normalScore(c.Dimension()).VarianceSE(n) / d })
	return k
}

func scaledOf(m moments.Moments, d float64) float64 {
	return m.Variance() / elementary.Pow(d, 2*scaledExponent)
}
