package trust

import (
	"errors"
	"math"

	//lint:ignore SA1019 docs/dependencies.md says why the deprecated package is fine
	"golang.org/x/exp/rand"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// Health measures the components themselves: whether the draws have the
// moments of their distribution, and whether neighbours, query and key, and the lanes
// of the generator are uncorrelated.
var Health = experiment.New(experiment.Experiment{
	Name: names.ExperimentHealth,
	Axes: []experiment.Axis{experiment.DistributionAxis},
	Unit: names.UnitComponent,
	Sampler: &experiment.Sampler{
		MinUnits:   1 << 22,
		BlockUnits: func(experiment.Cell) int64 { return healthDraws * stream.Width },
		Cost:       func(experiment.Cell) float64 { return 0.5 },
		Columns: func(experiment.Cell) []experiment.Column {
			return []experiment.Column{{Name: "component", Order: moments.MaxOrder}, {Name: "lag", Order: 2},
				{Name: "query_key", Order: 2}, {Name: "lanes", Order: 2}}
		},
		Open:             openHealth,
		Headline:         names.ComponentVariance,
		RelativeVariance: func(c experiment.Cell) float64 { return c.Distribution().Kurtosis() - 1 },
	},
	Reader: experiment.Reader{Estimates: healthEstimates},
	Judge:  experiment.Judge{Refuse: refuseHealth, Checks: healthChecks},
})

// healthDraws is how many draws of each lane make a block: as many components
// of q and of k, in turn, as half of it.
const healthDraws = 256

// openHealth draws components and reduces them, and the products of pairs of them that
// should be uncorrelated.
func openHealth(c experiment.Cell) experiment.BlockFunc {
	fill := kernel.Vectors(c.Distribution())
	draws := make([][stream.Width]float32, healthDraws)
	x := make([]float64, 0, healthDraws*stream.Width)
	reduce := productReducer(healthDraws * stream.Width)
	return func(d *experiment.BlockStream) moments.Node {
		fill(&d.Lanes, draws)
		x = flattened(x, draws)
		choices := d.Rand()
		return moments.Node{Moments: []moments.Moments{
			moments.New(x, moments.MaxOrder),
			reduce(func(emit func(a, b float32)) { apartPairs(draws, 2, 1, emit) }),
			reduce(func(emit func(a, b float32)) { apartPairs(draws, 1, 2, emit) }),
			reduce(func(emit func(a, b float32)) { lanePairs(draws, choices, emit) }),
		}}
	}
}

// flattened are all components that were drawn, in the memory of others.
func flattened(x []float64, draws [][stream.Width]float32) []float64 {
	x = x[:0]
	for _, lanes := range draws {
		for _, v := range lanes {
			x = append(x, float64(v))
		}
	}
	return x
}

// productReducer returns what reduces the products of pairs, at most so many.
func productReducer(maxPairs int) func(pairs func(emit func(a, b float32))) moments.Moments {
	products := make([]float64, 0, maxPairs)
	return func(pairs func(emit func(a, b float32))) moments.Moments {
		products = products[:0]
		pairs(func(a, b float32) { products = append(products, float64(float64(a)*float64(b))) })
		return moments.New(products, 2)
	}
}

// apartPairs are the components of a lane that are so many draws apart, those of each
// step-th draw. Draws alternate between q and k: adjacent components of one vector are two
// apart, and q_i and k_i one.
func apartPairs(draws [][stream.Width]float32, distance, step int, emit func(a, b float32)) {
	for j := 0; j+distance < len(draws); j += step {
		for i := range stream.Width {
			emit(draws[j][i], draws[j+distance][i])
		}
	}
}

// matchedDraws is how many draws one random matching of the lanes serves.
const matchedDraws = 16

// lanePairs match the lanes at random.
func lanePairs(draws [][stream.Width]float32, choices *rand.Rand, emit func(a, b float32)) {
	var order []int
	for j, lanes := range draws {
		if j%matchedDraws == 0 {
			order = choices.Perm(stream.Width)
		}
		for i := 0; i < stream.Width; i += 2 {
			emit(lanes[order[i]], lanes[order[i+1]])
		}
	}
}

// refuseHealth refuses the sphere, whose components depend on each other, and gates on
// distributions whose sixth moment is infinite.
func refuseHealth(c experiment.Cell, gated bool) error {
	l := c.Distribution()
	if !l.HasIndependentComponents() {
		return errors.New("sphere has no independent components for health to look at; leave it out of health's " +
			"distributions")
	}
	return experiment.RefuseGate(c, gated)
}

// componentOf returns what theory knows of a distribution's component with these moments.
func componentOf(m4, m6, m8 float64) theory.Score {
	return theory.Score{ExactMoments: theory.ExactMoments{Variance: 1, M4: m4, M6: m6, M8: m8}}
}

// componentOfDistribution returns that of a distribution.
func componentOfDistribution(l distribution.Distribution) theory.Score {
	return componentOf(l.Moment(4), l.Moment(6), l.Moment(8))
}

// unitSE returns the standard error of the mean of n numbers of variance 1.
func unitSE(n int64) float64 { return 1 / math.Sqrt(float64(n)) }

// healthEstimates are mean, variance and kurtosis of the components, and the correlations.
func healthEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	x, component := n.Moments[0], componentOfDistribution(c.Distribution())
	relative := component.ErrorOfMeanError(x.N) // of s, and so of an error that it sets
	var f experiment.CellEstimates
	add := func(quantity string, n int64, value, se, theory float64) {
		f.Add(experiment.WithTheory(c.Estimate(quantity, n, value, se), theory), relative)
	}
	add(names.ComponentMean, x.N, x.Mean, unitSE(x.N), 0)
	add(names.ComponentVariance, x.N, x.Variance(), component.VarianceSE(x.N), 1)
	add(names.ComponentKurtosis, x.N, x.Standardised(4), component.KurtosisSE(x.N), component.M4)
	for i, k := range correlations {
		m := n.Moments[1+i]
		add(k.quantity, m.N, m.Mean/x.Variance(), unitSE(m.N), 0)
	}
	return f
}

// correlations in the order of their columns: how many products each takes
// for a component, and how wide its band is at the most.
var correlations = []struct {
	quantity, gate string
	share, widest  float64
}{
	{"lag_correlation", "neighbours uncorrelated", 1 - 2.0/healthDraws, 1},
	{names.QKCorrelation, "query and key uncorrelated", 0.5, 1},
	// Two equal lanes of sixteen give 1/120 over all pairs; half of it is the
	// most that the band may allow.
	{names.LaneCorrelation, names.GateLanes, 0.5, 1.0 / 240},
}

// healthChecks: each of these within the tolerance, the kurtosis relatively, and
// correlations within bands that are no wider than is of use. The kurtosis of a distribution with
// power-law tails is shown without a gate: its fourth powers have tails so heavy that, for
// student-t(10) at a tolerance of 1 % and the rates of the default plan, one component alone
// moves their mean out of the band once in a few thousand runs, and no number of components
// that can be drawn brings that to a tenth of the rates.
func healthChecks(c experiment.Cell) []gate.Check {
	l := c.Distribution()
	component := componentOfDistribution(l)
	variance := c.NewCheckWithin("component variance", names.ComponentVariance, 1, c.Tolerance, component.VarianceSE)
	variance.SingleProductTail = func(n int64, rise float64) float64 { return theory.VarianceSingleComponentTail(l, n, rise) }
	checks := []gate.Check{c.NewCheckWithin("component mean", names.ComponentMean, 0, c.Tolerance, unitSE), variance}
	if !l.HasPowerTail() && component.KurtosisSE(1) > 0 { // of signs alone it is a constant
		checks = append(checks, kurtosisCheck(c, component))
	}
	for _, k := range correlations {
		check := c.NewCheckWithin(k.gate, k.quantity, 0, min(c.Tolerance, k.widest), unitSE)
		check.NumbersPerUnit = k.share
		checks = append(checks, check)
	}
	return checks
}

// kurtosisCheck wants the kurtosis within the tolerance, relatively. One component x moves
// it by (x⁴ − κ − 2κ(x² − 1))/n to first order, since the variance divides it twice.
func kurtosisCheck(c experiment.Cell, component theory.Score) gate.Check {
	k := c.NewCheckWithin(names.GateComponentKurtosis, names.ComponentKurtosis, component.M4, float64(c.Tolerance*component.M4),
		component.KurtosisSE)
	k.SingleProductTail = func(n int64,
		rise float64) float64 {
		return theory.KurtosisSingleComponentTail(c.Distribution(), n, rise)
	}
	return k
}
