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

// Health measures the sampled components: whether they have the moments of their distribution, and
// whether neighbouring components, query and key, and the lanes of the generator are uncorrelated.
var Health = experiment.New(experiment.Experiment{
	Name: names.ExperimentHealth,
	Axes: []experiment.Axis{experiment.DistributionAxis},
	Unit: names.UnitComponent,
	Sampler: &experiment.Sampler{
		MinUnits:   1 << 22,
		BlockUnits: func(experiment.Cell) int64 { return vectorsPerBlock * stream.Width },
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

// vectorsPerBlock is the number of components of each lane in a block. Half of them are components
// of q and half of k, in alternation.
const vectorsPerBlock = 256

// openHealth samples components and returns their moments and those of products that should have
// mean 0.
func openHealth(c experiment.Cell) experiment.BlockFunc {
	fill := kernel.Vectors(c.Distribution())
	vectors := make([][stream.Width]float32, vectorsPerBlock)
	x := make([]float64, 0, vectorsPerBlock*stream.Width)
	reduce := newProductReducer(vectorsPerBlock * stream.Width)
	return func(d *experiment.BlockStream) moments.Node {
		fill(&d.Lanes, vectors)
		x = flatten(x, vectors)
		choices := d.Rand()
		return moments.Node{Moments: []moments.Moments{
			moments.New(x, moments.MaxOrder),
			reduce(func(visit func(a, b float32)) { visitDistantPairs(vectors, 2, 1, visit) }),
			reduce(func(visit func(a, b float32)) { visitDistantPairs(vectors, 1, 2, visit) }),
			reduce(func(visit func(a, b float32)) { visitLanePairs(vectors, choices, visit) }),
		}}
	}
}

// flatten appends the components of all lanes to x[:0].
func flatten(x []float64, vectors [][stream.Width]float32) []float64 {
	x = x[:0]
	for _, lanes := range vectors {
		for _, v := range lanes {
			x = append(x, float64(v))
		}
	}
	return x
}

// newProductReducer returns a function that computes the moments of the products of pairs. It has
// scratch for maxPairs pairs.
func newProductReducer(maxPairs int) func(pairs func(visit func(a, b float32))) moments.Moments {
	products := make([]float64, 0, maxPairs)
	return func(pairs func(visit func(a, b float32))) moments.Moments {
		products = products[:0]
		pairs(func(a, b float32) { products = append(products, float64(float64(a)*float64(b))) })
		return moments.New(products, 2)
	}
}

// visitDistantPairs calls visit with components of the same lane that are the given distance
// apart, starting at every step-th. Components of q and k alternate: adjacent components of one
// vector have distance 2, and q_i and k_i have distance 1.
func visitDistantPairs(vectors [][stream.Width]float32, distance, step int, visit func(a, b float32)) {
	for j := 0; j+distance < len(vectors); j += step {
		for i := range stream.Width {
			visit(vectors[j][i], vectors[j+distance][i])
		}
	}
}

// vectorsPerMatching is the number of components per lane for which one random matching of the
// lanes is used.
const vectorsPerMatching = 16

// visitLanePairs calls visit with the components of randomly matched lanes.
func visitLanePairs(vectors [][stream.Width]float32, choices *rand.Rand, visit func(a, b float32)) {
	var order []int
	for j, lanes := range vectors {
		if j%vectorsPerMatching == 0 {
			order = choices.Perm(stream.Width)
		}
		for i := 0; i < stream.Width; i += 2 {
			visit(lanes[order[i]], lanes[order[i+1]])
		}
	}
}

// refuseHealth refuses the sphere, whose components depend on each other, and gates on
// distributions whose sixth moment is infinite.
func refuseHealth(c experiment.Cell, gated bool) error {
	l := c.Distribution()
	if !l.HasIndependentComponents() {
		return errors.New("the sphere has no independent components, which health measures; omit it from health's " +
			"distributions")
	}
	return experiment.RefuseGate(c, gated)
}

// newComponent returns the theory of a component with variance 1 and the given moments.
func newComponent(m4, m6, m8 float64) theory.Score {
	return theory.Score{ExactMoments: theory.ExactMoments{Variance: 1, M4: m4, M6: m6, M8: m8}}
}

// componentTheory returns the theory of a component of the distribution.
func componentTheory(l distribution.Distribution) theory.Score {
	return newComponent(l.Moment(4), l.Moment(6), l.Moment(8))
}

// unitSE returns the standard error of the mean of n numbers of variance 1.
func unitSE(n int64) float64 { return 1 / math.Sqrt(float64(n)) }

// healthEstimates returns the mean, variance and kurtosis of the components, and the correlations.
func healthEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	x, component := n.Moments[0], componentTheory(c.Distribution())
	errorOfError := component.ErrorOfMeanError(x.N) // the error of s, which determines the standard errors
	var f experiment.CellEstimates
	addEstimate := func(quantity string, n int64, value, se, theory float64) {
		f.Add(experiment.WithTheory(c.Estimate(quantity, n, value, se), theory), errorOfError)
	}
	addEstimate(names.ComponentMean, x.N, x.Mean, unitSE(x.N), 0)
	addEstimate(names.ComponentVariance, x.N, x.Variance(), component.VarianceSE(x.N), 1)
	addEstimate(names.ComponentKurtosis, x.N, x.Standardised(4), component.KurtosisSE(x.N), component.M4)
	for i, k := range correlations {
		m := n.Moments[1+i]
		addEstimate(k.quantity, m.N, m.Mean/x.Variance(), unitSE(m.N), 0)
	}
	return f
}

// correlations are the correlations in the order of their columns.
var correlations = []struct {
	quantity, gate       string
	productsPerComponent float64
	maxHalfWidth         float64 // of the gate's band
}{
	{"lag_correlation", "neighbours uncorrelated", 1 - 2.0/vectorsPerBlock, 1},
	{names.QKCorrelation, "query and key uncorrelated", 0.5, 1},
	// Two equal lanes of sixteen give a correlation of 1/120 over all pairs; the band allows at
	// most half of it.
	{names.LaneCorrelation, names.GateLanes, 0.5, 1.0 / 240},
}

// healthChecks returns the gates on each estimate: within the tolerance, which is relative for the
// kurtosis; the bands of correlations are not wider than is useful. The kurtosis of a distribution
// with power-law tails has no gate: its fourth powers have such heavy tails that, for
// student-t(10) at a tolerance of 1 % and the rates of the default plan, a single component moves
// their mean out of the band once in a few thousand runs. No feasible number of components reduces
// that to a tenth of the rates.
func healthChecks(c experiment.Cell) []gate.Check {
	l := c.Distribution()
	component := componentTheory(l)
	variance := c.NewCheckWithin("component variance", names.ComponentVariance, 1, c.Tolerance, component.VarianceSE)
	variance.SingleProductTail = func(n int64, rise float64) float64 {
		return theory.VarianceSingleComponentTail(l, n, rise)
	}
	checks := []gate.Check{c.NewCheckWithin("component mean", names.ComponentMean, 0, c.Tolerance, unitSE), variance}
	if !l.HasPowerTail() && component.KurtosisSE(1) > 0 { // for signs it is a constant
		checks = append(checks, newKurtosisCheck(c, component))
	}
	for _, k := range correlations {
		check := c.NewCheckWithin(k.gate, k.quantity, 0, min(c.Tolerance, k.maxHalfWidth), unitSE)
		check.NumbersPerUnit = k.productsPerComponent
		checks = append(checks, check)
	}
	return checks
}

// newKurtosisCheck returns the gate that requires the kurtosis within the relative tolerance. To
// first order one component x changes it by (x⁴ − κ − 2κ(x² − 1))/n, since the sample variance
// enters it as a square.
func newKurtosisCheck(c experiment.Cell, component theory.Score) gate.Check {
	k := c.NewCheckWithin(names.GateComponentKurtosis, names.ComponentKurtosis, component.M4,
		float64(c.Tolerance*component.M4),
		component.KurtosisSE)
	k.SingleProductTail = func(n int64, rise float64) float64 {
		return theory.KurtosisSingleComponentTail(c.Distribution(), n, rise)
	}
	return k
}
