package related

import (
	"fmt"

	"mcsim/sim/attention/rule"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// ruleTolerance is the relative tolerance of the variance under a rule. A wrong constant in a rule
// would change the variance by more.
const ruleTolerance = 0.1

// newVarianceChecks returns the gates on the variance of the logit, for the rules for which it has
// an exact closed form. The variance must be within the relative tolerance. The gates use the
// standard error of the sample. Plans use the standard error of the variance of scores, since the
// squared logits of other rules do not vary more.
func newVarianceChecks(c experiment.Cell) (checks []gate.Check) {
	s := theory.NewScore(c.Distribution(), c.Dimension())
	hasGate := map[string]bool{} // by id, so that rules with the same logits have one gate
	for _, r := range cellRules(c) {
		expected := r.Variance(cellSetting(c))
		id := fmt.Sprint(numberKind(r), expected.Value)
		canHaveGate := expected.Kind == names.TheoryExact && !r.HasConstantSquare(cellSetting(c)) && c.Dimension() >= 2
		if !canHaveGate || hasGate[id] {
			continue
		}
		hasGate[id] = true
		c.Tolerance = ruleTolerance
		check := c.NewCheckWithin(names.GateRule, names.LogitVariance, expected.Value, c.Tolerance*expected.Value, nil,
			result.Params{rows.AllRulesAxis.Name: r.String()})
		check.PlanningSE = func(n int64) float64 { return expected.Value * s.VarianceSE(n) / s.Variance() }
		check.EdgeSERatio = gate.VarianceEdgeSERatio(c.Tolerance)
		checks = append(checks, check)
	}
	return checks
}

// newSlopeChecks returns the gates on the slopes of the variances under the rules, as functions of
// d_k. A slope has a gate if its expected value is exact. The slopes of all rules that multiply q·k
// are equal up to a constant, and so are the slopes of all rules that multiply the cosine, so only
// the first rule of each kind has a gate.
func newSlopeChecks(cells []experiment.Cell) []gate.Check {
	var checks []gate.Check
	for _, line := range groupRuleLines(cells) {
		if !line[0].Gated || len(experiment.ExcludeDimensionOne(line)) < 2 {
			continue
		}
		hasGate := map[string]bool{}
		for _, r := range cellRules(line[0]) {
			kind, expected := numberKind(r), r.Slope(line[0].Distribution())
			if hasGate[kind] || expected.Kind != names.TheoryExact {
				continue
			}
			hasGate[kind] = true
			// slopeSE is for rules that multiply q·k. The standard error under a rule that divides
			// by lengths is about the same or smaller.
			checks = append(checks, lineAggregate(line[0]).NewJointCheck("slope of a rule", names.LogitVarianceSlope,
				expected.Value, experiment.ExcludeDimensionOne(line), slopeSE,
				result.Params{rows.AllRulesAxis.Name: r.String()}))
		}
	}
	return checks
}

// slopeSE returns the standard error of the slope of a rule that multiplies q·k, over cells with
// n[i] pairs each.
//
// The gate needs no SingleProductTail. A cell contributes a fraction ω to the variance of the
// slope, and the fractions of all cells add up to 1. To change the slope by z standard errors, a
// single product must change the estimate of the cell by z/√ω of its own standard errors. If the
// cell can have a gate (ν > 6 for student-t), the probability of this decreases faster than ω.
// Therefore the sum of the probabilities of all cells is smaller than the probability for one gate
// on a variance.
func slopeSE(cells []experiment.Cell, n []int64) float64 {
	var s experiment.Slope
	for i, c := range cells {
		score := theory.NewScore(c.Distribution(), c.Dimension())
		d := score.Variance() // the variance of a score is d_k
		s.Add(d, d, score.VarianceSE(n[i])/d, n[i])
	}
	_, se := s.FitLine()
	return se
}

// numberKind returns the name of the number that a rule multiplies: the score, the cosine, or a
// number of this rule only.
func numberKind(r rule.Rule) string {
	if _, ok := r.Factor(1, 2); ok {
		return "score"
	}
	if r.Name() == names.RuleQKNorm {
		return names.RuleCosine
	}
	return r.Name()
}
