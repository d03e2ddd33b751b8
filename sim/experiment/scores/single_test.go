package scores

import (
	"math"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// defaultRates has the error rates of the default plan.
var defaultRates = gate.Rates{Alpha: 1e-6, Beta: 1e-6, Gates: 1385}

// newVarianceCell returns a cell of Variance with the tolerance 1 %.
func newVarianceCell(distribution string, d float64) experiment.Cell {
	c := experiment.NewCell(Variance, map[string]experiment.AxisValue{
		names.ParamDistribution: {Name: distribution}, names.ParamDimension: {Number: d}})
	c.Tolerance = 0.01
	return c
}

// TestPlannedSamplesLimitSingleProducts checks the planned numbers of samples. The probability that
// one product of components alone decides the gate on the variance must be at most a tenth of the
// error rates. Power laws with few moments require more samples for this limit than for precision
// and skewness. Other distributions, and student-t(10), do not.
func TestPlannedSamplesLimitSingleProducts(t *testing.T) {
	for _, c := range []struct {
		distribution string
		d            float64
		isLimited    bool // by single products
	}{
		{"student-t(6.5)", 1, true}, {"student-t(6.5)", 37, true}, {"student-t(7)", 1, true},
		{"student-t(7)", 37, true}, {"student-t(8)", 37, true},
		{"student-t(10)", 1, false}, {"student-t(10)", 64, false}, {"laplace", 1, false},
		{"bernoulli-gaussian(0.1)", 1, false},
		{"normal", 1, false}, {"uniform", 2, false}, {"rademacher", 2, false}, {"sphere", 3, false},
	} {
		cell := newVarianceCell(c.distribution, c.d)
		check := NewVarianceCheck(cell, newTheory(cell))
		withoutLimit := check
		withoutLimit.SingleProductTail = nil
		nWithoutLimit, err := gate.Samples(withoutLimit, defaultRates)
		if err != nil {
			t.Fatal(err)
		}
		n, err := gate.Samples(check, defaultRates)
		if err != nil {
			t.Fatal(err)
		}
		if got := gate.SingleProduct(check, n, defaultRates); !(got <= gate.MaxSingleProduct) {
			t.Errorf("%s at %v: the probability of a single product over the error rate is %v with %d samples, "+
				"want at most %v", c.distribution, c.d, got, n, gate.MaxSingleProduct)
		}
		got := gate.SingleProduct(check, nWithoutLimit, defaultRates) > gate.MaxSingleProduct
		if got != c.isLimited {
			t.Errorf("%s at %v: %d samples would be too few for single products: got %v, want %v", c.distribution,
				c.d, nWithoutLimit, got, c.isLimited)
		}
		if got := n > nWithoutLimit; got != c.isLimited {
			t.Errorf("%s at %v: single products increase the samples (%d, without the limit %d): got %v, want %v",
				c.distribution, c.d, n, nWithoutLimit, got, c.isLimited)
		}
		if got := gate.LimitedBySingleProduct(check, n, defaultRates); got != c.isLimited {
			t.Errorf("%s at %v: LimitedBySingleProduct: got %v, want %v", c.distribution, c.d, got, c.isLimited)
		}
	}
}

// TestGatedEstimatesHaveIntervals checks that estimates from as many pairs as the gate on the
// variance requires have an interval of ±LevelZ standard errors, also if the eighth moment is
// infinite. Estimates from 16 pairs must not have an interval.
func TestGatedEstimatesHaveIntervals(t *testing.T) {
	for _, distribution := range []string{"normal", "laplace", "bernoulli-gaussian(0.1)", "student-t(6.5)",
		"student-t(7)", "student-t(8)", "student-t(10)"} {
		for _, d := range []float64{1, 37} {
			c := newVarianceCell(distribution, d)
			for _, tolerance := range []float64{0.01, 0.2} {
				c.Tolerance = tolerance
				check := NewVarianceCheck(c, newTheory(c))
				required, err := gate.Samples(check, defaultRates)
				if err != nil {
					t.Fatal(err)
				}
				for pairs, want := range map[int64]bool{required: true, 16: false} {
					// An invented sample of variance d and kurtosis 4, in equal blocks.
					m := moments.Moments{N: pairs, Order: moments.MaxOrder}
					m.Sum[2], m.Sum[4] = d*float64(pairs), 4*d*d*float64(pairs)
					blocks := moments.Moments{N: pairs / 16, Order: experiment.ErrorOrder, Mean: d}
					node := moments.Node{Moments: []moments.Moments{m, blocks}}
					estimates := append(VarianceEstimates(c, node).Estimates,
						ExponentEstimates(newExponentCell(distribution, d), node).Estimates...)
					for _, r := range estimates {
						switch r.Quantity {
						case names.ScoreVariance, names.ScaledVariance, names.UnitExponent:
							if got := r.Level.Present(); got != want {
								t.Errorf("%s at %v, %d pairs: %s has an interval: got %v, want %v", distribution, d,
									pairs, r.Quantity, got, want)
							}
							z := float64(r.Hi-r.Lo) / 2 / float64(r.SE)
							if want && math.Abs(z-experiment.LevelZ) > 1e-6 {
								t.Errorf("%s at %v, %d pairs: half-width of %s in standard errors: got %v, want %v",
									distribution, d, pairs, r.Quantity, z, experiment.LevelZ)
							}
						}
					}
				}
			}
		}
	}
}

// newExponentCell returns a cell of Exponents with the exponents 1/2 and 1.
func newExponentCell(distribution string, d float64) experiment.Cell {
	c := experiment.NewCell(Exponents,
		map[string]experiment.AxisValue{names.ParamDistribution: {Name: distribution},
			names.ParamDimension: {Number: d}})
	c.Shared = map[string][]experiment.AxisValue{names.ParamExponent: {{Number: 0.5}, {Number: 1}}}
	return c
}

// TestErrorRatesOfPowerLawGate counts the errors of the gate on the variance of a power law at the
// error rates α = β = 1 %, with the planned number of samples and the narrowest band that the plan
// allows. If theory is right, the probability that the gate does not pass must be at most α. If the
// true value is on an edge of the band, the probability that it passes must be at most β. For each
// of the two rates, the test itself fails by chance with probability 10⁻³.
func TestErrorRatesOfPowerLawGate(t *testing.T) {
	if testing.Short() {
		t.Skip("samples 10⁹ products")
	}
	const rate, runs = 0.01, 1500
	rates := gate.Rates{Alpha: rate, Beta: rate, Gates: 1}
	c := newVarianceCell("student-t(8)", 1)
	c.Tolerance = 0.05
	check := NewVarianceCheck(c, theory.NewScore(c.Distribution(), 1))
	n, err := gate.Samples(check, rates)
	if err != nil {
		t.Fatal(err)
	}
	n = (n + stream.Width - 1) / stream.Width * stream.Width // rounded up to a multiple
	_, se, _ := check.Expected(n)
	marginBelow, marginAbove := check.RequiredMargin(se, n, rates.ZAlpha(), rates.ZBeta())
	check.EdgeSERatio = 0 // the standard error on an edge is the same as in the middle
	// The true variance, 1, is in the middle of the band of centredCheck, and on the lower edge of
	// the band of edgeCheck.
	centredCheck, edgeCheck := check, check
	centredCheck.Expected = gate.ExpectWithin(1, max(marginBelow, marginAbove), func(int64) float64 { return se })
	edgeCheck.Expected = func(int64) (float64, float64, [2]float64) { return 1, se, [2]float64{1, 2} }
	samplePairs, scores := kernel.Pairs(c.Distribution()), make([]float64, n)
	var blockStream experiment.BlockStream
	var falseFailures, falsePasses int64
	for run := range int64(runs) {
		blockStream.Begin(stream.Open(stream.ID{Seed: 11, Cell: "single"}), run)
		SampleScores(&blockStream.Lanes, 1, samplePairs, scores)
		estimate := result.Estimate{N: n, Value: result.Number(moments.New(scores, 2).Variance())}
		if gate.Judge(centredCheck, estimate, rates).Verdict != result.Pass {
			falseFailures++
		}
		if gate.Judge(edgeCheck, estimate, rates).Verdict == result.Pass {
			falsePasses++
		}
	}
	for name, count := range map[string]int64{"false failures": falseFailures, "false passes": falsePasses} {
		if minRate, _ := theory.ClopperPearson(count, runs, 1e-3); minRate > rate {
			t.Errorf("%d of %d runs are %s: the lower limit of the rate is %v, want at most %v", count, runs, name,
				minRate, rate)
		}
		if count == 0 {
			t.Errorf("there are no %s in %d runs: the band is too wide for the test", name, runs)
		}
	}
}
