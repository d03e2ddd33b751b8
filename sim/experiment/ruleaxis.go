package experiment

import (
	"errors"
	"fmt"

	"mcsim/sim/rule"
)

// factorRuleAxis are the rules that multiply q·k by a number and are not an
// exponent or a temperature, which have axes of their own.
var factorRuleAxis = Axis{
	Name: ruleAxis.Name, Doc: ruleAxis.Doc, Shared: true, Names: factorRuleNames, Default: ruleAxis.Default,
	Parse: func(text string) (Value, error) { return parseRule(text, factorRuleNames()) },
}

func factorRuleNames() []string { return []string{halfRule, "learned", "log-n"} }

// allRulesAxis are all rules.
var allRulesAxis = Axis{
	Name: ruleAxis.Name, Doc: "what turns q and k into a logit", Shared: true, Names: rule.Names, Probe: halfRule,
	Default: []string{"power(0)", "power(1/2)", "power(1)", halfRule, "temperature", "learned", "log-n", "cosine",
		"key-normalised", "qk-norm", "soft-cap", "additive(64)"},
	Parse: func(text string) (Value, error) { return parseRule(text, rule.Names()) },
}

// parseRule reads a rule of one of the names.
func parseRule(text string, names []string) (Value, error) {
	r, err := rule.Parse(text, Number)
	var unknown rule.UnknownError
	switch {
	case errors.As(err, &unknown):
		return Value{}, UnknownError{"rule", unknown.Name, names}
	case err != nil:
		return Value{}, err
	}
	for _, name := range names {
		if r.Name() == name {
			return Value{Name: r.String()}, nil
		}
	}
	return Value{}, UnknownError{"rule", text, names}
}

// ruleOf is the rule of an axis's value.
func ruleOf(v Value) rule.Rule {
	r, err := rule.Parse(v.Name, Number)
	if err != nil {
		panic(fmt.Sprintf("experiment: a cell holds a rule that does not parse: %v", err))
	}
	return r
}
