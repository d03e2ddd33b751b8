package experiment

import (
	"errors"
	"fmt"

	"mcsim/sim/names"
	"mcsim/sim/rule"
)

// factorRuleAxis are the rules that multiply q·k by a number and are not an
// exponent or a temperature, which have axes of their own.
var factorRuleAxis = Axis{
	Name: ruleAxis.Name, Shared: true, Names: factorRuleNames, Default: ruleAxis.Default,
	Parse: func(text string) (Value, error) { return parseRule(text, factorRuleNames()) },
}

func factorRuleNames() []string {
	return []string{names.RuleHalfRoot, names.RuleLearned, names.RuleLogKeys}
}

// allRulesAxis are all rules.
var allRulesAxis = Axis{
	Name: ruleAxis.Name, Shared: true, Names: rule.Names, Probe: names.RuleHalfRoot,
	Default: []string{"power(0)", "power(1/2)", "power(1)", names.RuleHalfRoot, names.RuleTemperature, names.RuleLearned, names.RuleLogKeys, names.RuleCosine,
		names.RuleKeyNormalised, names.RuleQKNorm, names.RuleSoftCap, "additive(64)"},
	Parse: func(text string) (Value, error) { return parseRule(text, rule.Names()) },
}

// parseRule reads a rule of one of the valid names.
func parseRule(text string, valid []string) (Value, error) {
	r, err := rule.Parse(text, Number)
	var unknown rule.UnknownError
	switch {
	case errors.As(err, &unknown):
		return Value{}, UnknownError{names.ParamRule, unknown.Name, valid}
	case err != nil:
		return Value{}, err
	}
	for _, name := range valid {
		if r.Name() == name {
			return Value{Name: r.String()}, nil
		}
	}
	return Value{}, UnknownError{names.ParamRule, text, valid}
}

// ruleOf is the rule of an axis's value.
func ruleOf(v Value) rule.Rule {
	r, err := rule.Parse(v.Name, Number)
	if err != nil {
		panic(fmt.Sprintf("experiment: a cell holds a rule that does not parse: %v", err))
	}
	return r
}
