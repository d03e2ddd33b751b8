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

// newCase returns the gate on the variance of a distribution at d_k, with the error rates of the
// default plan.
func newCase(t *testing.T, distribution string, d float64) (experiment.Cell, gate.Check, gate.Rates) {
	t.Helper()
	c := experiment.NewCell(Variance,
		map[string]experiment.AxisValue{names.ParamDistribution: {Name: distribution},
			names.ParamDimension: {Number: d}})
	c.Tolerance = 0.01
	return c, NewVarianceCheck(c, theory.NewScore(c.Distribution(), int(d))),
		gate.Rates{Alpha: 1e-6, Beta: 1e-6, Gates: 1385}
}

// TestPlannedSamplesHoldSingleProducts checks that the planned numbers of samples limit single
// products to a tenth of the error rates. Power laws with few moments need more samples for this
// than for precision and skewness; other distributions, and student-t(10), do not.
func TestPlannedSamplesHoldSingleProducts(t *testing.T) {
	for _, c := range []struct {
		distribution string
		d            float64
		limited      bool
	}{
		{"student-t(6.5)", 1, true}, {"student-t(6.5)", 37, true}, {"student-t(7)", 1, true},
		{"student-t(7)", 37, true}, {"student-t(8)", 37, true},
		{"student-t(10)", 1, false}, {"student-t(10)", 64, false}, {"laplace", 1, false},
		{"bernoulli-gaussian(0.1)", 1, false},
		{"normal", 1, false}, {"uniform", 2, false}, {"rademacher", 2, false}, {"sphere", 3, false},
	} {
		_, check, rates := newCase(t, c.distribution, c.d)
		withoutTail := check
		withoutTail.SingleProductTail = nil
		before, err := gate.Samples(withoutTail, rates)
		if err != nil {
			t.Fatal(err)
		}
		n, err := gate.Samples(check, rates)
		if err != nil || !(gate.SingleProduct(check, n, rates) <= gate.MaxSingleProduct) {
			t.Errorf("%s at %v: %d samples leave %v (%v)", c.distribution, c.d, n, gate.SingleProduct(check, n, rates),
				err)
		}
		chance := gate.SingleProduct(check, before, rates)
		if gotLimited := chance > gate.MaxSingleProduct; gotLimited != c.limited || gotLimited != (n > before) ||
			gotLimited != gate.LimitedBySingleProduct(check, n, rates) {
			t.Errorf("%s at %v: %d samples leave %v, and %d are planned", c.distribution, c.d, before, chance, n)
		}
	}
}

// TestGatedRowsHaveIntervals checks that an estimate with the number of samples that its gate
// requires has an interval, also if the eighth moment is infinite, since the interval uses the
// exact standard error. With few pairs there is no interval.
func TestGatedRowsHaveIntervals(t *testing.T) {
	for _, distribution := range []string{"normal", "laplace", "bernoulli-gaussian(0.1)", "student-t(6.5)",
		"student-t(7)", "student-t(8)", "student-t(10)"} {
		for _, d := range []float64{1, 37} {
			c, _, rates := newCase(t, distribution, d)
			for _, tolerance := range []float64{0.01, 0.2} {
				c.Tolerance = tolerance
				check := NewVarianceCheck(c, newTheory(c))
				n, err := gate.Samples(check, rates)
				if err != nil {
					t.Fatal(err)
				}
				for pairs, want := range map[int64]bool{n: true, 16: false} {
					m := moments.Moments{N: pairs, Order: moments.MaxOrder}
					m.Sum[2], m.Sum[4] = d*float64(pairs), 4*d*d*float64(pairs)
					blocks := moments.Moments{N: pairs / 16, Order: experiment.ErrorOrder, Mean: d}
					node := moments.Node{Moments: []moments.Moments{m, blocks}}
					rows := append(VarianceEstimates(c, node).Estimates,
						ExponentEstimates(newExponentCell(distribution, d), node).Estimates...)
					for _, r := range rows {
						switch r.Quantity {
						case names.ScoreVariance, names.ScaledVariance, names.UnitExponent:
							halfWidth := float64(r.Hi-r.Lo) / 2
							if r.Level.Present() != want || want &&
								math.Abs(halfWidth/float64(r.SE)-experiment.LevelZ) > 1e-6 {
								t.Errorf("%s at %v, %d pairs: %s has the interval %v to %v of ± %v", distribution, d,
									pairs, r.Quantity, r.Lo, r.Hi, r.SE)
							}
						}
					}
				}
			}
		}
	}
}

// newExponentCell returns a cell of the experiment exponents.
func newExponentCell(distribution string, d float64) experiment.Cell {
	c := experiment.NewCell(Exponents,
		map[string]experiment.AxisValue{names.ParamDistribution: {Name: distribution},
			names.ParamDimension: {Number: d}})
	c.Shared = map[string][]experiment.AxisValue{names.ParamExponent: {{Number: 0.5}, {Number: 1}}}
	return c
}

// TestPowerLawGatesErrAsDeclared counts how often the gate on the variance of a power law errs, at
// rates of 1 %, with the planned number of samples and the narrowest band that the plan allows. If
// theory is right, it fails to pass with probability at most α; if the true value is on an edge, it
// passes with probability at most β. The test itself has a false alarm with probability 10⁻³ for
// each.
func TestPowerLawGatesErrAsDeclared(t *testing.T) {
	if testing.Short() {
		t.Skip("samples 10⁹ products")
	}
	const alpha, runs = 0.01, 1500
	rates := gate.Rates{Alpha: alpha, Beta: alpha, Gates: 1}
	c, _, _ := newCase(t, "student-t(8)", 1)
	c.Tolerance = 0.05
	check := NewVarianceCheck(c, theory.NewScore(c.Distribution(), 1))
	n, err := gate.Samples(check, rates)
	if err != nil {
		t.Fatal(err)
	}
	n = (n + stream.Width - 1) / stream.Width * stream.Width
	_, se, _ := check.Expected(n)
	marginBelow, marginAbove := check.RequiredMargin(se, n, rates.ZAlpha(), rates.ZBeta())
	inside := gate.ExpectWithin(1, max(marginBelow, marginAbove), func(int64) float64 { return se })
	// the true value is on the lower edge
	lower := func(int64) (float64, float64, [2]float64) { return 1, se, [2]float64{1, 2} }
	sample, scores := kernel.Pairs(c.Distribution()), make([]float64, n)
	var d experiment.BlockStream
	var fails, passes int64
	for run := range int64(runs) {
		d.Begin(stream.Open(stream.ID{Seed: 11, Cell: "single"}), run)
		SampleScores(&d.Lanes, 1, sample, scores)
		row := result.Estimate{N: n, Value: result.Number(moments.New(scores, 2).Variance())}
		check.EdgeSERatio = 0
		if check.Expected = inside; gate.Judge(check, row, rates).Verdict != result.Pass {
			fails++
		}
		if check.Expected = lower; gate.Judge(check, row, rates).Verdict == result.Pass {
			passes++
		}
	}
	for name, count := range map[string]int64{"false fails": fails, "false passes": passes} {
		if lowest, _ := theory.ClopperPearson(count, runs, 1e-3); lowest > alpha {
			t.Errorf("%s: %d of %d, at least %v; %v is declared", name, count, runs, lowest, alpha)
		}
	}
	if fails == 0 || passes == 0 {
		t.Errorf("%d false fails and %d false passes: the band is too wide for a test", fails, passes)
	}
}
