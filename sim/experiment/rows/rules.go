package rows

import (
	"errors"
	"fmt"
	"slices"

	"mcsim/sim/attention/rule"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// FactorRuleAxis has the rules that multiply q·k by a number. It does not have the rules for powers
// of d_k and temperatures, which have their own axes.
var FactorRuleAxis = experiment.Axis{
	Name: experiment.RuleAxis.Name, Shared: true, Names: factorRuleNames, Default: []string{},
	Parse: func(text string) (experiment.AxisValue, error) { return parseRule(text, factorRuleNames()) },
}

// factorRuleNames lists the names of FactorRuleAxis in the order of the table of rules.
func factorRuleNames() []string {
	return slices.DeleteFunc(rule.Names(), func(name string) bool {
		_, hasFactor := RuleOf(experiment.AxisValue{Name: name}).Factor(1, 1)
		return !hasFactor || name == names.RulePower || name == names.RuleTemperature
	})
}

// AllRulesAxis has all rules.
var AllRulesAxis = experiment.Axis{
	Name: experiment.RuleAxis.Name, Shared: true, Names: rule.Names, Probe: names.RuleHalfRoot,
	Default: []string{"power(0)", "power(1/2)", "power(1)", names.RuleHalfRoot, names.RuleTemperature,
		names.RuleLearned, names.RuleLogKeys, names.RuleRoPE, names.RuleYaRN, names.RuleCosine,
		names.RuleKeyNormalised, names.RuleQKNorm, names.RuleSoftCap, "additive(64)"},
	Parse: func(text string) (experiment.AxisValue, error) { return parseRule(text, rule.Names()) },
}

// RowRuleAxis has the rules whose logits follow from the score and from the lengths of query and key.
var RowRuleAxis = experiment.Axis{
	Name: experiment.RuleAxis.Name, Shared: true, Names: rowRuleNames, Default: []string{}, Parse: parseRowRule,
}

func rowRuleNames() []string {
	return slices.DeleteFunc(rule.Names(), func(name string) bool {
		_, err := parseRowRule(name)
		return err != nil
	})
}

// parseRowRule parses a rule and refuses those whose logits need the components.
func parseRowRule(text string) (experiment.AxisValue, error) {
	v, err := parseRule(text, rule.Names())
	if err == nil && (RuleOf(v).NeedsRotation() || RuleOf(v).IsAdditive()) {
		err = fmt.Errorf("%s: a logit depends on all components, and rows keep only q·k, |q| and |k|; "+
			"the experiment rules has it", v)
	}
	return v, err
}

// parseRule parses a rule and refuses it if its name is not one of the valid names.
func parseRule(text string, valid []string) (experiment.AxisValue, error) {
	r, err := rule.Parse(text, experiment.Number)
	unknown := names.UnknownError{Kind: names.ParamRule, Name: text}
	switch {
	case err != nil && !errors.As(err, &unknown):
		return experiment.AxisValue{}, err
	case err != nil || !slices.Contains(valid, r.Name()):
		unknown.Names = valid
		return experiment.AxisValue{}, unknown
	}
	return experiment.AxisValue{Name: r.String()}, nil
}

// RuleOf returns the rule with the name of an axis's value. It panics if the name does not parse.
func RuleOf(v experiment.AxisValue) rule.Rule {
	r, err := rule.Parse(v.Name, experiment.Number)
	if err != nil {
		panic(fmt.Sprintf("rows: the rule of a cell does not parse: %v", err))
	}
	return r
}
