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

// singleCase returns the gate on the variance of a distribution at d_k, with the error rates of the
// default plan.
func singleCase(t *testing.T, distribution string, d float64) (experiment.Cell, gate.Check, gate.Rates) {
	t.Helper()
	c := experiment.NewCell(Variance,
		map[string]experiment.AxisValue{names.ParamDistribution: {Name: distribution}, names.ParamDimension: {Number: d}})
	c.Tolerance = 0.01
	return c, VarianceCheck(c, theory.NewScore(c.Distribution(), int(d))),
		gate.Rates{Alpha: 1e-6, Beta: 1e-6, Gates: 1385}
}

// For power laws of few moments the numbers that precision and skewness ask for leave to
// single products more than a tenth of the error rates; what is planned does not. Distributions
// whose moments all exist, and student-t(10), need no more than before.
func TestPlannedSamplesHoldSingleProducts(t *testing.T) {
	for _, c := range []struct {
		distribution string
		d            float64
		more         bool
	}{
		{"student-t(6.5)", 1, true}, {"student-t(6.5)", 37, true}, {"student-t(7)", 1, true},
		{"student-t(7)", 37, true}, {"student-t(8)", 37, true},
		{"student-t(10)", 1, false}, {"student-t(10)", 64, false}, {"laplace", 1, false},
		{"bernoulli-gaussian(0.1)", 1, false},
		{"normal", 1, false}, {"uniform", 2, false}, {"rademacher", 2, false}, {"sphere", 3, false},
	} {
		_, check, rates := singleCase(t, c.distribution, c.d)
		fewer := check
		fewer.SingleProductTail = nil
		before, err := gate.Samples(fewer, rates)
		if err != nil {
			t.Fatal(err)
		}
		n, err := gate.Samples(check, rates)
		if err != nil || !(gate.SingleProduct(check, n, rates) <= gate.MaxSingle) {
			t.Errorf("%s at %v: %d samples leave %v (%v)", c.distribution, c.d, n, gate.SingleProduct(check, n, rates),
				err)
		}
		was := gate.SingleProduct(check, before, rates)
		if more := was > gate.MaxSingle; more != c.more || more != (n > before) ||
			more != gate.LimitedBySingleProduct(check, n, rates) {
			t.Errorf("%s at %v: %d samples left %v, and now there are %d", c.distribution, c.d, before, was, n)
		}
	}
}

// A row that a gate can decide has an interval, whatever moments its distribution has: where the
// eighth is infinite no sample knows its own error, but the gate and the interval stand on
// the exact one. Few pairs give the row none, and no numbers drawn have a part in that.
func TestGatedRowsHaveIntervals(t *testing.T) {
	for _, distribution := range []string{"normal", "laplace", "bernoulli-gaussian(0.1)", "student-t(6.5)",
		"student-t(7)", "student-t(8)", "student-t(10)"} {
		for _, d := range []float64{1, 37} {
			c, _, rates := singleCase(t, distribution, d)
			for _, tolerance := range []float64{0.01, 0.2} {
				c.Tolerance = tolerance
				check := VarianceCheck(c, theoryOf(c))
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
						ExponentEstimates(exponentCell(distribution, d), node).Estimates...)
					for _, r := range rows {
						switch r.Quantity {
						case names.ScoreVariance, names.ScaledVariance, names.UnitExponent:
							half := float64(r.Hi-r.Lo) / 2
							if r.Level.Present() != want || want &&
								math.Abs(half/float64(r.SE)-experiment.LevelZ) > 1e-6 {
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

// exponentCell returns the cell of exponents that reads a distribution's variances at d_k.
func exponentCell(distribution string, d float64) experiment.Cell {
	c := experiment.NewCell(Exponents,
		map[string]experiment.AxisValue{names.ParamDistribution: {Name: distribution}, names.ParamDimension: {Number: d}})
	c.Shared = map[string][]experiment.AxisValue{names.ParamExponent: {{Number: 0.5}, {Number: 1}}}
	return c
}

// At rates that can be counted the gate on the variance of a power law errs no more often
// than is declared, drawn as many times as its plan says, with a band no wider than that
// plan needs: what is as theory says does not pass with chance α at most, and what lies on
// an edge passes with chance β at most, but for a count that comes once in a thousand.
func TestPowerLawGatesErrAsDeclared(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 10⁹ products")
	}
	const alpha, runs = 0.01, 1500
	rates := gate.Rates{Alpha: alpha, Beta: alpha, Gates: 1}
	c, _, _ := singleCase(t, "student-t(8)", 1)
	c.Tolerance = 0.05
	check := VarianceCheck(c, theory.NewScore(c.Distribution(), 1))
	n, err := gate.Samples(check, rates)
	if err != nil {
		t.Fatal(err)
	}
	n = (n + stream.Width - 1) / stream.Width * stream.Width
	_, se, _ := check.Expected(n)
	below, above := check.RequiredMargin(se, n, rates.ZAlpha(), rates.ZBeta())
	inside := gate.ExpectWithin(1, max(below, above), func(int64) float64 { return se })
	// the truth is its lower edge
	lower := func(int64) (float64, float64, [2]float64) { return 1, se, [2]float64{1, 2} }
	draw, each := kernel.Pairs(c.Distribution()), make([]float64, n)
	var d experiment.BlockStream
	var fails, passes int64
	for run := range int64(runs) {
		d.Begin(stream.Open(stream.ID{Seed: 11, Cell: "single"}), run)
		Draw(&d.Lanes, 1, draw, each)
		row := result.Estimate{N: n, Value: result.Number(moments.New(each, 2).Variance())}
		check.EdgeSERatio = 0
		if check.Expected = inside; gate.Judge(check, row, rates).Verdict != result.Pass {
			fails++
		}
		if check.Expected = lower; gate.Judge(check, row, rates).Verdict == result.Pass {
			passes++
		}
	}
	for what, count := range map[string]int64{"false fails": fails, "false passes": passes} {
		if least, _ := theory.ClopperPearson(count, runs, 1e-3); least > alpha {
			t.Errorf("%s: %d of %d, at least %v, where %v is declared", what, count, runs, least, alpha)
		}
	}
	if fails == 0 || passes == 0 {
		t.Errorf("%d false fails and %d false passes: the band is no test", fails, passes)
	}
}
