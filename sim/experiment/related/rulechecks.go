package related

import (
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/gate"
	"mcsim/sim/names"
	"mcsim/sim/rule"
)

// rulesChecks: the slope of a rule's variance within the tolerance of what it
// should be, wherever that is known exactly and the rule makes numbers of its
// own. Rules that multiply q·k have one slope but for a constant, and so have
// those that multiply the cosine: one of each stands for all.
func rulesChecks(cells []experiment.Cell) []gate.Check {
	var checks []gate.Check
	for _, line := range rulesLines(cells) {
		if !line[0].Gated || len(experiment.From2(line)) < 2 {
			continue
		}
		seen := map[string]bool{}
		for _, r := range rules(line[0]) {
			kind := numbersOf(r)
			if seen[kind] || r.Slope(line[0].Law()).Kind != names.TheoryExact {
				continue
			}
			seen[kind] = true
			// The number of pairs is held against the rates by the standard error under a rule that
			// multiplies q·k; one that divides by lengths has about this error, or a smaller one.
			checks = append(checks, linePoint(line[0]).Joined("slope of a rule", names.LogitVarianceSlope, r.Slope(line[0].Law()).Value,
				experiment.From2(line), scores.SlopeSE, rows.AllRulesAxis.Name, r.String()))
		}
	}
	return checks
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
