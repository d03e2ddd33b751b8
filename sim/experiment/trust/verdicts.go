package trust

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// calibratedRates are the α and β at which wrong verdicts are counted. Rarer events, such as those
// of the default plan, one in a million, cannot be counted.
var calibratedRates = []float64{0.05, 0.01, 0.001}

// wrongVerdict is a kind of wrong verdict that is counted over runs. Either the gate fails
// although the truth is as theory says, with the band just as wide as a plan makes it for n pairs;
// or it passes although the band has been moved so that the truth is on one of its edges.
type wrongVerdict struct {
	quantity   string // false_fail or false_pass
	gate       string
	edge       string // edge of the band on which the truth is; empty if the truth is in its middle
	rate       float64
	isDeclared bool // the gate guarantees the rate for this number of pairs

	check gate.Check
	value func(moments.Moments) float64
	n     int64
	se    float64
	z     float64 // half-width of the gate's interval in standard errors
	band  [2]float64
}

// params returns the parameters of the estimate and its gate in addition to those of the cell.
func (v wrongVerdict) params() result.Params {
	p := result.Params{"gate": v.gate, "rate": v.rate}
	if v.edge != "" {
		p["edge"] = v.edge
	}
	return p
}

// verdictGates has the names of the gates on the rates of wrong verdicts.
var verdictGates = map[string]string{names.FalseFail: "false fails", names.FalsePass: "false passes"}

// isWrong reports whether a run with these moments is judged wrongly.
func (v wrongVerdict) isWrong(m moments.Moments) bool {
	lo, hi := v.check.Interval(v.value(m), v.se, v.n, v.z)
	passes := v.check.Verdict(lo, hi, v.band) == result.Pass
	return passes == (v.quantity == names.FalsePass)
}

// wrongVerdicts returns the wrong verdicts of all gates on a cell, at all rates. It returns none
// if the variance of the distribution has no skewness.
func wrongVerdicts(c experiment.Cell) []wrongVerdict {
	s := theory.NewScore(c.Distribution(), c.Dimension())
	if !scores.SquareVaries(s) || math.IsInf(s.M6, 1) {
		return nil
	}
	cell := correspondingCell(c, scores.Variance, c.Dimension())
	notUnitVariance := scores.NewVarianceCheck(cell, s)
	notUnitVariance.Expect = names.ExpectOutside
	var verdicts []wrongVerdict
	for _, rate := range calibratedRates {
		// The other gates of the cell use the same pairs, so all of them need enough for the
		// variance.
		enoughForVariance := enoughPairs(scores.NewVarianceCheck(cell, s), pairsPerRun(c), rate)
		for _, g := range []struct {
			name  string
			check gate.Check
			value func(moments.Moments) float64
		}{
			{names.GateZeroMean, scores.NewMeanCheck(cell, s), func(m moments.Moments) float64 { return m.Mean }},
			{names.GateUnitVariance, scores.NewVarianceCheck(cell, s), moments.Moments.Variance},
			{names.GateNotUnitVariance, notUnitVariance, moments.Moments.Variance},
			{names.GateStandardError, scores.NewErrorCheck(cell, s), scores.OwnVarianceSE},
		} {
			_, se, _ := g.check.Expected(pairsPerRun(c))
			if se <= float64(experiment.DegenerateError*s.Variance()) || math.IsNaN(g.check.Skew) {
				continue
			}
			v := wrongVerdict{gate: g.name, rate: rate, check: g.check, value: g.value, n: pairsPerRun(c),
				z: -elementary.Quantile(rate)}
			v.check.EdgeSERatio = 0 // the standard error is that at the truth, wherever the band is moved
			isDeclared := enoughForVariance && enoughPairs(v.check, pairsPerRun(c), rate)
			verdicts = append(verdicts, v.newVariants(isDeclared)...)
		}
	}
	return verdicts
}

// newVariants returns the wrong verdicts of one gate at one rate. isDeclared says that a plan
// would accept the number of pairs.
func (v wrongVerdict) newVariants(isDeclared bool) []wrongVerdict {
	truth, se, _ := v.check.Expected(v.n)
	v.se = se
	marginBelow, marginAbove := v.check.RequiredMargin(se, v.n, -elementary.Quantile(v.rate/2), v.z)
	halfWidth := max(marginBelow, marginAbove)
	v.isDeclared = isDeclared
	newVariant := func(quantity, edge string, lo, hi float64) wrongVerdict {
		v.quantity, v.edge, v.band = quantity, edge, [2]float64{lo, hi}
		return v
	}
	variants := []wrongVerdict{
		newVariant(names.FalsePass, names.EdgeUpper, truth-2*halfWidth, truth),
		newVariant(names.FalsePass, names.EdgeLower, truth, truth+2*halfWidth),
	}
	if v.check.Expect == names.ExpectOutside {
		return append(variants,
			newVariant(names.FalseFail, names.EdgeUpper, truth-marginBelow-2*halfWidth, truth-marginBelow),
			newVariant(names.FalseFail, names.EdgeLower, truth+marginAbove, truth+marginAbove+2*halfWidth))
	}
	return append(variants, newVariant(names.FalseFail, "", truth-halfWidth, truth+halfWidth))
}

// minPairsForOwnError is the smallest number of pairs with which the rates of the gate on the
// standard error are declared. The gate is biased by about one standard error divided by √n, which
// its limits ignore.
const minPairsForOwnError = 1 << 14

// enoughPairs reports whether a plan at these rates would sample at most n pairs: the tail of the
// check's estimate is near enough to its limits, and single products are rare enough. For the gate
// on the standard error, whose limits are corrected for a large skewness but not for higher
// orders, the tail must be as near as for a narrow band.
func enoughPairs(c gate.Check, n int64, rate float64) bool {
	c.EdgeSERatio = 0
	z := -elementary.Quantile(rate / 2)
	expected, se, _ := c.Expected(n)
	marginBelow, marginAbove := c.RequiredMargin(se, n, z, -elementary.Quantile(rate))
	tolerance := max(marginBelow, marginAbove) / expected
	if expected == 0 {
		tolerance = 0
	}
	if c.Quantity == names.ScoreVarianceSE {
		if n < minPairsForOwnError {
			return false
		}
		tolerance = 0
	}
	if gate.SingleProduct(c, n, gate.Rates{Alpha: rate, Beta: rate, Gates: 1}) > gate.MaxSingleProduct {
		return false
	}
	return theory.TailError(z, c.Skew, n) <= gate.TailLimit(tolerance)
}
