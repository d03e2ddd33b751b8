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

// ruleTolerance is the relative tolerance of the variance under a rule. Any other constant of a
// rule would change the variance by more.
const ruleTolerance = 0.1

// newVarianceChecks returns the gates on the variance of the logit under each rule with an exact
// closed form, within the relative tolerance, by its own standard error. The plan uses the
// standard error of squared scores, since no other rule's logits vary more.
func newVarianceChecks(c experiment.Cell) (checks []gate.Check) {
	s := theory.NewScore(c.Distribution(), c.Dimension())
	hasGate := map[string]bool{} // by id; two rules that give the same numbers have one gate
	for _, r := range cellRules(c) {
		expected := r.Variance(cellSetting(c))
		id := fmt.Sprint(numberKind(r), expected.Value)
		if expected.Kind != names.TheoryExact || r.HasConstantSquare(cellSetting(c)) || c.Dimension() < 2 ||
			hasGate[id] {
			continue
		}
		hasGate[id] = true
		c.Tolerance = ruleTolerance
		k := c.NewCheckWithin(names.GateRule, names.LogitVariance, expected.Value, c.Tolerance*expected.Value, nil,
			result.Params{rows.AllRulesAxis.Name: r.String()})
		k.PlanningSE = func(n int64) float64 { return expected.Value * s.VarianceSE(n) / s.Variance() }
		k.EdgeSERatio = gate.VarianceEdgeSERatio(c.Tolerance)
		checks = append(checks, k)
	}
	return checks
}

// newSlopeChecks returns the gates on the slope of a rule's variance, if its expected value is
// exact and the rule has its own numbers. All rules that multiply q·k have the same slope up to a
// constant, and so have those that multiply the cosine, so only one of each kind has a gate.
func newSlopeChecks(cells []experiment.Cell) []gate.Check {
	var checks []gate.Check
	for _, line := range groupRuleLines(cells) {
		if !line[0].Gated || len(experiment.ExcludeDimensionOne(line)) < 2 {
			continue
		}
		hasGate := map[string]bool{}
		for _, r := range cellRules(line[0]) {
			kind := numberKind(r)
			if hasGate[kind] || r.Slope(line[0].Distribution()).Kind != names.TheoryExact {
				continue
			}
			hasGate[kind] = true
			// Plans use the standard error under a rule that multiplies q·k; a rule that divides by
			// lengths has about this error or a smaller one.
			checks = append(checks, lineAggregate(line[0]).NewJointCheck("slope of a rule", names.LogitVarianceSlope,
				r.Slope(line[0].Distribution()).Value,
				experiment.ExcludeDimensionOne(line), slopeSE, result.Params{rows.AllRulesAxis.Name: r.String()}))
		}
	}
	return checks
}

// slopeSE returns the standard error of the slope of a rule that multiplies q·k, over cells with
// n[i] pairs each.
//
// No tail of single products is needed. A cell has a fraction ω of the variance of the slope, and
// the fractions add up to 1. To move the slope by z of its errors, the estimate of the cell must be
// wrong by z/√ω of the cell's errors instead of z. The probability of that falls faster than ω if
// the cell itself can have a gate (ν > 6), so all cells together have a smaller probability than
// one gate on a variance.
func slopeSE(cells []experiment.Cell, n []int64) float64 {
	var s experiment.Slope
	for i, c := range cells {
		score := theory.NewScore(c.Distribution(), c.Dimension())
		s.Add(score.Variance(), score.Variance(), score.VarianceSE(n[i])/score.Variance(), n[i])
	}
	_, se := s.FitLine()
	return se
}

// numberKind returns the name of the number that a rule multiplies.
func numberKind(r rule.Rule) string {
	if _, ok := r.Factor(1, 2); ok {
		return "score"
	}
	if r.Name() == names.RuleQKNorm {
		return names.RuleCosine
	}
	return r.Name()
}
