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

// Health measures the moments of the sampled components, and the correlations between neighbouring
// components, between query and key, and between the lanes of the random generator.
var Health = experiment.New(experiment.Experiment{
	Name: names.ExperimentHealth,
	Axes: []experiment.Axis{experiment.DistributionAxis},
	Unit: names.UnitComponent,
	Sampler: &experiment.Sampler{
		MinUnits:   1 << 22,
		BlockUnits: func(experiment.Cell) int64 { return vectorsPerBlock * stream.Width },
		Cost:       func(experiment.Cell) float64 { return 0.5 },
		Columns: func(experiment.Cell) []experiment.Column {
			const components, pairs = vectorsPerBlock * stream.Width, vectorsPerBlock * stream.Width / 2
			return []experiment.Column{{Name: "component", Order: moments.MaxOrder},
				{Name: "lag", Order: 2, PerBlock: components - 2*stream.Width},
				{Name: "query_key", Order: 2, PerBlock: pairs}, {Name: "lanes", Order: 2, PerBlock: pairs}}
		},
		Open:             openHealth,
		Headline:         names.ComponentVariance,
		RelativeVariance: func(c experiment.Cell) float64 { return c.Distribution().Kurtosis() - 1 },
	},
	Reader: experiment.Reader{Estimates: healthEstimates},
	Judge:  experiment.Judge{Refuse: refuseHealth, Checks: healthChecks},
})

// vectorsPerBlock is the number of components of each lane in a block. Components of q and k
// alternate.
const vectorsPerBlock = 256

// openHealth returns the function that samples the components of a block. Its node has the moments
// of the components, and the moments of the products of the pairs of each of the correlations.
func openHealth(c experiment.Cell) experiment.BlockFunc {
	fillVectors := kernel.Vectors(c.Distribution())
	vectors := make([][stream.Width]float32, vectorsPerBlock)
	x := make([]float64, 0, vectorsPerBlock*stream.Width)
	reduce := newProductReducer(vectorsPerBlock * stream.Width)
	return func(b *experiment.BlockStream) moments.Node {
		fillVectors(&b.Lanes, vectors)
		x = flatten(x, vectors)
		choices := b.Rand()
		return moments.Node{Moments: []moments.Moments{
			moments.New(x, moments.MaxOrder),
			reduce(func(visit func(a, b float32)) { visitDistantPairs(vectors, 2, 1, visit) }),
			reduce(func(visit func(a, b float32)) { visitDistantPairs(vectors, 1, 2, visit) }),
			reduce(func(visit func(a, b float32)) { visitLanePairs(vectors, choices, visit) }),
		}}
	}
}

// flatten overwrites x with the components of all lanes.
func flatten(x []float64, vectors [][stream.Width]float32) []float64 {
	x = x[:0]
	for _, lanes := range vectors {
		for _, v := range lanes {
			x = append(x, float64(v))
		}
	}
	return x
}

// newProductReducer returns a function that computes the moments of the products of the pairs that
// visitPairs visits. It has scratch for maxPairs pairs.
func newProductReducer(maxPairs int) func(visitPairs func(visit func(a, b float32))) moments.Moments {
	products := make([]float64, 0, maxPairs)
	return func(visitPairs func(visit func(a, b float32))) moments.Moments {
		products = products[:0]
		visitPairs(func(a, b float32) { products = append(products, float64(float64(a)*float64(b))) })
		return moments.New(products, 2)
	}
}

// visitDistantPairs calls visit with the components j and j+distance of each lane, for j = 0, step,
// 2·step and so on. Since components of q and k alternate, adjacent components of one vector have
// the distance 2, and q_i and k_i have the distance 1.
func visitDistantPairs(vectors [][stream.Width]float32, distance, step int, visit func(a, b float32)) {
	for j := 0; j+distance < len(vectors); j += step {
		for i := range stream.Width {
			visit(vectors[j][i], vectors[j+distance][i])
		}
	}
}

// vectorsPerMatching is the number of successive components for which the same random pairs of
// lanes are used.
const vectorsPerMatching = 16

// visitLanePairs calls visit with the components of random pairs of lanes. Each lane is in one
// pair.
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
	dist := c.Distribution()
	if !dist.HasIndependentComponents() {
		return errors.New("the sphere has no independent components, which health measures; omit it from health's " +
			"distributions")
	}
	return experiment.RefuseGate(c, gated)
}

// newComponent returns the theory of a component with mean 0, variance 1 and the given moments.
func newComponent(m4, m6, m8 float64) theory.Score {
	return theory.Score{ExactMoments: theory.ExactMoments{Variance: 1, M4: m4, M6: m6, M8: m8}}
}

// componentTheory returns the theory of a component of the distribution.
func componentTheory(dist distribution.Distribution) theory.Score {
	return newComponent(dist.Moment(4), dist.Moment(6), dist.Moment(8))
}

// unitSE returns the standard error of the mean of n numbers with variance 1.
func unitSE(n int64) float64 { return 1 / math.Sqrt(float64(n)) }

// healthEstimates returns the mean, variance and kurtosis of the components, and the correlations.
func healthEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	x, component := n.Moments[0], componentTheory(c.Distribution())
	errorOfError := component.ErrorOfMeanError(x.N)
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

// correlations lists the correlations in the order of their columns.
var correlations = []struct {
	quantity, gate       string
	productsPerComponent float64 // number of pairs divided by the number of components
	maxHalfWidth         float64 // maximum of the half-width of the gate
}{
	{quantity: "lag_correlation", gate: "neighbours uncorrelated", productsPerComponent: 1 - 2.0/vectorsPerBlock,
		maxHalfWidth: 1},
	{quantity: names.QKCorrelation, gate: "query and key uncorrelated", productsPerComponent: 0.5, maxHalfWidth: 1},
	// If two of the sixteen lanes are equal, the correlation over all pairs of lanes is 1/120.
	{quantity: names.LaneCorrelation, gate: names.GateLanes, productsPerComponent: 0.5, maxHalfWidth: 1.0 / 240},
}

// healthChecks returns the gates on the estimates. An estimate must be within the tolerance of its
// expected value; the tolerance is relative for the kurtosis, and at most maxHalfWidth for a
// correlation.
//
// The kurtosis of a distribution with power-law tails has no gate, since fourth powers have such
// heavy tails. For student-t(10), at a tolerance of 1 % and the rates of the default plan, a single
// component moves the mean of fourth powers out of the band once in a few thousand runs, and no
// feasible number of components reduces this to a tenth of the rates.
func healthChecks(c experiment.Cell) []gate.Check {
	dist := c.Distribution()
	component := componentTheory(dist)
	variance := c.NewCheckWithin("component variance", names.ComponentVariance, 1, c.Tolerance, component.VarianceSE)
	variance.SingleProductTail = func(n int64, rise float64) float64 {
		return theory.VarianceSingleComponentTail(dist, n, rise)
	}
	checks := []gate.Check{c.NewCheckWithin("component mean", names.ComponentMean, 0, c.Tolerance, unitSE), variance}
	kurtosisVaries := component.KurtosisSE(1) > 0 // false for random signs
	if !dist.HasPowerTail() && kurtosisVaries {
		checks = append(checks, newKurtosisCheck(c, component))
	}
	for _, k := range correlations {
		check := c.NewCheckWithin(k.gate, k.quantity, 0, min(c.Tolerance, k.maxHalfWidth), unitSE)
		check.NumbersPerUnit = k.productsPerComponent
		checks = append(checks, check)
	}
	return checks
}

// newKurtosisCheck returns the gate that requires the kurtosis within the relative tolerance of its
// expected value κ. To first order, one component x changes the kurtosis of n components by
// (x⁴ − κ − 2κ(x² − 1))/n, since the sample variance enters it as a square.
func newKurtosisCheck(c experiment.Cell, component theory.Score) gate.Check {
	check := c.NewCheckWithin(names.GateComponentKurtosis, names.ComponentKurtosis, component.M4,
		float64(c.Tolerance*component.M4), component.KurtosisSE)
	check.SingleProductTail = func(n int64, rise float64) float64 {
		return theory.KurtosisSingleComponentTail(c.Distribution(), n, rise)
	}
	return check
}
