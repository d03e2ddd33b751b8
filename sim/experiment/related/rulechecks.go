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

// ruleTolerance is how far the variance under a rule may be off: less than any other constant of a
// rule would move it.
const ruleTolerance = 0.1

// ruleChecks: the variance of the logit under each rule whose closed form is exact, relatively, by
// its own error. Squares of scores are planned with, than which no other rule's logits vary more.
func ruleChecks(c experiment.Cell) (checks []gate.Check) {
	s := theory.NewScore(c.Distribution(), c.Dimension())
	seen := map[string]bool{} // two rules that give the same numbers have one gate
	for _, r := range rules(c) {
		want := r.Variance(setting(c))
		same := fmt.Sprint(numbersOf(r), want.Value)
		if want.Kind != names.TheoryExact || r.HasConstantSquare(setting(c)) || c.Dimension() < 2 || seen[same] {
			continue
		}
		seen[same] = true
		c.Tolerance = ruleTolerance
		k := c.NewCheckWithin(names.GateRule, names.LogitVariance, want.Value, c.Tolerance*want.Value, nil,
			result.Params{rows.AllRulesAxis.Name: r.String()})
		k.PlanningSE = func(n int64) float64 { return want.Value * s.VarianceSE(n) / s.Variance() }
		k.EdgeSERatio = gate.VarianceEdgeSERatio(c.Tolerance)
		checks = append(checks, k)
	}
	return checks
}

// rulesChecks: the slope of a rule's variance within the tolerance of what it
// should be, wherever that is known exactly and the rule makes numbers of its
// own. Rules that multiply q·k have one slope but for a constant, and so have
// those that multiply the cosine: one of each stands for all.
func rulesChecks(cells []experiment.Cell) []gate.Check {
	var checks []gate.Check
	for _, line := range rulesLines(cells) {
		if !line[0].Gated || len(experiment.ExcludeDimensionOne(line)) < 2 {
			continue
		}
		seen := map[string]bool{}
		for _, r := range rules(line[0]) {
			kind := numbersOf(r)
			if seen[kind] || r.Slope(line[0].Distribution()).Kind != names.TheoryExact {
				continue
			}
			seen[kind] = true
			// The number of pairs is held against the rates by the standard error under a rule that
			// multiplies q·k; one that divides by lengths has about this error, or a smaller one.
			checks = append(checks, linePoint(line[0]).NewJointCheck("slope of a rule", names.LogitVarianceSlope,
				r.Slope(line[0].Distribution()).Value,
				experiment.ExcludeDimensionOne(line), slopeSE, result.Params{rows.AllRulesAxis.Name: r.String()}))
		}
	}
	return checks
}

// slopeSE returns the standard error of the slope of a rule that multiplies q·k, over the cells
// with n pairs each. It asks for nothing of single products: a cell has a part ω of the variance of
// the slope, the parts adding up to 1, and must be off by z/√ω of its own errors, not z, to move
// the slope by z of its errors. The chance of that falls faster than ω where the cell's own gate
// can be had (ν > 6), so that all cells together have no more of it than one gate on a variance.
func slopeSE(cells []experiment.Cell, n []int64) float64 {
	var s experiment.Slope
	for i, c := range cells {
		score := theory.NewScore(c.Distribution(), c.Dimension())
		s.Add(score.Variance(), score.Variance(), score.VarianceSE(n[i])/score.Variance(), n[i])
	}
	_, se := s.FitLine()
	return se
}

// numbersOf names the numbers that a rule multiplies.
func numbersOf(r rule.Rule) string {
	if _, ok := r.Factor(1, 2); ok {
		return "score"
	}
	if r.Name() == names.RuleQKNorm {
		return names.RuleCosine
	}
	return r.Name()
}
