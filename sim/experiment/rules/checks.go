package rules

import (
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/gate"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/rule"
	"mcsim/sim/theory"
)

// rulesChecks: the slope of a rule's variance within the tolerance of what it
// should be, wherever that is known exactly and the rule makes numbers of its
// own. Rules that multiply q·k have one slope but for a constant, and so have
// those that multiply the cosine: one of each stands for all.
func rulesChecks(cells []experiment.Cell) []gate.Check {
	var checks []gate.Check
	for _, line := range rulesLines(cells) {
		if !line[0].Gated || len(dimensionsFrom2(line)) < 2 {
			continue
		}
		seen := map[string]bool{}
		for _, r := range rules(line[0]) {
			kind := numbersOf(r)
			if seen[kind] || r.Slope(line[0].Law()).Kind != rule.Exact {
				continue
			}
			seen[kind] = true
			checks = append(checks, ruleCheck(line, r))
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

// dimensionsFrom2 are the cells of a line whose dimension is 2 or more.
func dimensionsFrom2(line []experiment.Cell) []experiment.Cell {
	var of []experiment.Cell
	for _, c := range line {
		if c.Dimension() >= 2 {
			of = append(of, c)
		}
	}
	return of
}

// ruleCheck is the check of one slope. Its standard error is the row's own.
func ruleCheck(line []experiment.Cell, r rule.Rule) gate.Check {
	c, of := line[0], dimensionsFrom2(line)
	want := r.Slope(c.Law()).Value
	params := result.Params{experiment.LawAxis.Name: c.Value(experiment.LawAxis.Name).Name, rows.KeysAxis.Name: float64(rows.Keys(c)), rows.AllRulesAxis.Name: r.String()}
	return gate.Check{Name: "slope of a rule", Expect: names.ExpectInside, Experiment: c.Experiment.Name, Cell: ruleLineID(c), Params: params,
		Quantity: names.LogitVarianceSlope, Tolerance: c.Tolerance, Share: 1,
		Of: experiment.IDs(of), JoinedSE: func(n []int64) float64 { return ruleSlopeSE(of, n) },
		At: func(int64) (float64, float64, [2]float64) {
			return want, math.NaN(), gate.Around(want, c.Tolerance)
		}}
}

// ruleSlopeSE is the standard error of the slope under a rule that multiplies
// q·k, over the cells with n pairs each. With it the
// number of pairs is held against the rates before the draws; a rule that divides
// by lengths has about this error, or a smaller one.
func ruleSlopeSE(of []experiment.Cell, n []int64) float64 {
	var s experiment.Slope
	for i, c := range of {
		score := theory.NewScore(c.Law(), c.Dimension())
		s.Add(score.Variance(), score.Variance(), score.VarianceSE(n[i])/score.Variance(), n[i])
	}
	_, se := s.Fit()
	return se
}
