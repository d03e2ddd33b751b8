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

// calibratedRates are the α = β at which wrong verdicts are counted. The rates of the default plan,
// one in a million, are too small to be counted.
var calibratedRates = []float64{0.05, 0.01, 0.001}

// wrongVerdict is a kind of wrong verdict of a gate that is counted over runs. The band is the
// narrowest that a plan allows for n pairs. A false_fail means that the gate does not pass although
// theory is right. A false_pass means that the gate passes although the band has been moved so that
// the exact value is on one of its edges.
type wrongVerdict struct {
	quantity   string // false_fail or false_pass
	gate       string // name of the gate
	edge       string // edge of the band near which the exact value is; empty if it is in the middle
	rate       float64
	isDeclared bool // the gate guarantees the rate for this number of pairs

	check gate.Check
	value func(moments.Moments) float64 // returns the estimate that the gate judges
	n     int64
	se    float64
	z     float64 // half-width of the gate's interval in standard errors
	band  [2]float64
}

// params returns the parameters of the proportion of runs, in addition to those of the cell.
func (v wrongVerdict) params() result.Params {
	p := result.Params{"gate": v.gate, "rate": v.rate}
	if v.edge != "" {
		p["edge"] = v.edge
	}
	return p
}

// verdictGates has the names of the gates on the rates of wrong verdicts.
var verdictGates = map[string]string{names.FalseFail: "false fails", names.FalsePass: "false passes"}

// isWrong reports whether the verdict on a run with these moments is wrong.
func (v wrongVerdict) isWrong(m moments.Moments) bool {
	lo, hi := v.check.Interval(v.value(m), v.se, v.n, v.z)
	passes := v.check.Verdict(lo, hi, v.band) == result.Pass
	if v.quantity == names.FalsePass {
		return passes
	}
	return !passes
}

// wrongVerdicts returns the kinds of wrong verdicts of all gates on a cell, at all rates. It
// returns none if the square of a score is constant, or if the skewness of the variance does not
// exist.
func wrongVerdicts(c experiment.Cell) []wrongVerdict {
	s := theory.NewScore(c.Distribution(), c.Dimension())
	if !scores.SquareVaries(s) || math.IsInf(s.M6, 1) {
		return nil
	}
	cell := correspondingCell(c, scores.Variance, c.Dimension())
	invertedVarianceCheck := scores.NewVarianceCheck(cell, s)
	invertedVarianceCheck.Expect = names.ExpectOutside
	var verdicts []wrongVerdict
	for _, rate := range calibratedRates {
		// All gates of the cell use the same pairs, so a plan samples at least enough for the
		// variance.
		isEnoughForVariance := hasEnoughPairs(scores.NewVarianceCheck(cell, s), pairsPerRun(c), rate)
		for _, g := range []struct {
			name  string
			check gate.Check
			value func(moments.Moments) float64
		}{
			{names.GateZeroMean, scores.NewMeanCheck(cell, s), func(m moments.Moments) float64 { return m.Mean }},
			{names.GateUnitVariance, scores.NewVarianceCheck(cell, s), moments.Moments.Variance},
			{names.GateNotUnitVariance, invertedVarianceCheck, moments.Moments.Variance},
			{names.GateStandardError, scores.NewErrorCheck(cell, s), scores.OwnVarianceSE},
		} {
			_, se, _ := g.check.Expected(pairsPerRun(c))
			isDegenerate := se <= float64(experiment.DegenerateError*s.Variance())
			if isDegenerate || math.IsNaN(g.check.Skew) {
				continue
			}
			v := wrongVerdict{gate: g.name, rate: rate, check: g.check, value: g.value, n: pairsPerRun(c),
				z: -elementary.Quantile(rate)}
			v.check.EdgeSERatio = 0 // se is for the exact value, which does not move with the band
			isDeclared := isEnoughForVariance && hasEnoughPairs(v.check, pairsPerRun(c), rate)
			verdicts = append(verdicts, v.newVariants(isDeclared)...)
		}
	}
	return verdicts
}

// newVariants returns the kinds of wrong verdicts of the gate of v at its rate: false passes for
// both edges, and false fails for an exact value in the middle of the band, or just outside both
// edges if the gate is inverted.
func (v wrongVerdict) newVariants(isDeclared bool) []wrongVerdict {
	exact, se, _ := v.check.Expected(v.n)
	v.se = se
	marginBelow, marginAbove := v.check.RequiredMargin(se, v.n, -elementary.Quantile(v.rate/2), v.z)
	halfWidth := max(marginBelow, marginAbove)
	v.isDeclared = isDeclared
	newVariant := func(quantity, edge string, lo, hi float64) wrongVerdict {
		variant := v
		variant.quantity, variant.edge, variant.band = quantity, edge, [2]float64{lo, hi}
		return variant
	}
	variants := []wrongVerdict{
		newVariant(names.FalsePass, names.EdgeUpper, exact-2*halfWidth, exact),
		newVariant(names.FalsePass, names.EdgeLower, exact, exact+2*halfWidth),
	}
	if v.check.Expect == names.ExpectOutside {
		return append(variants,
			newVariant(names.FalseFail, names.EdgeUpper, exact-marginBelow-2*halfWidth, exact-marginBelow),
			newVariant(names.FalseFail, names.EdgeLower, exact+marginAbove, exact+marginAbove+2*halfWidth))
	}
	return append(variants, newVariant(names.FalseFail, "", exact-halfWidth, exact+halfWidth))
}

// minPairsForOwnError is the smallest number of pairs with which the rates of the gate on the
// standard error of the variance are declared. The bias of this estimate is about 1/√n of its
// standard error; the limits of the gate ignore it.
const minPairsForOwnError = 1 << 14

// hasEnoughPairs reports whether n pairs are enough for the rates of the check, as a plan requires:
// the error of the normal tail must be small enough for the width of the band, and a single product
// must rarely decide the gate. For the gate on the standard error of the variance, the error of the
// tail must be as small as for a narrow band, since its limits are corrected for a large skewness
// but not for higher orders.
func hasEnoughPairs(check gate.Check, n int64, rate float64) bool {
	if check.Quantity == names.ScoreVarianceSE && n < minPairsForOwnError {
		return false
	}
	check.EdgeSERatio = 0
	z := -elementary.Quantile(rate / 2)
	expected, se, _ := check.Expected(n)
	tolerance := 0.0
	if expected != 0 && check.Quantity != names.ScoreVarianceSE {
		marginBelow, marginAbove := check.RequiredMargin(se, n, z, -elementary.Quantile(rate))
		tolerance = max(marginBelow, marginAbove) / expected
	}
	if gate.SingleProduct(check, n, gate.Rates{Alpha: rate, Beta: rate, Gates: 1}) > gate.MaxSingleProduct {
		return false
	}
	return theory.TailError(z, check.Skew, n) <= gate.TailLimit(tolerance)
}
