// Package rule has the rules by which a logit is computed from a query and a key: their names,
// parameters, formulas and sources, and the variance of their logits.
//
// A rule is written as its name, followed by its parameter in parentheses if it has one:
// power(1/2), soft-cap(50), key-normalised.
package rule

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mcsim/sim/names"
)

// Rule is a way to compute a logit, together with the value of its parameter.
type Rule struct {
	definition *definition
	param      float64
}

// definition is an entry of the table of rules. Every rule has a variance and a slope. It has
// either factor or logit, but the additive rule has neither.
type definition struct {
	names.Entry
	param parameter // the zero parameter if the rule has none

	// factor returns the factor of q·k for the parameter x, d components and n keys. It is nil if
	// the rule is not a multiplication.
	factor func(x, d, n float64) float64
	// logit returns the logit if the rule is not a multiplication. It is nil for the additive rule,
	// which needs the components.
	logit func(x float64, p *Pair) float64
	// variance returns the variance of the logit for the parameter x. slope returns the slope of
	// the logarithm of this variance as a function of ln d_k.
	variance func(x float64, setting Setting) Theory
	slope    func(x float64) Theory
	// hasConstantSquare reports whether the square of a logit is the same for every pair; nil means
	// never.
	hasConstantSquare func(setting Setting) bool
	// isUnbounded is set if the rule is not a multiplication, but its logit still grows without
	// bound with |q|.
	isUnbounded bool
}

// parameter describes the parameter of a rule.
type parameter struct {
	name         string  // empty if the rule has no parameter
	lo, hi       float64 // bounds of the value
	defaultValue float64
	isInteger    bool
	// isImplicit is set if the default is 0, which means d_k. Then String omits the default.
	isImplicit bool
}

// Pair has the quantities of a query and a key from which all rules except the additive one compute
// the logit.
type Pair struct {
	Score                  float64 // q·k
	RotatedScore           float64 // q·Rk with the key rotated by a Rotation; set only for rules that need it
	QuerySquare, KeySquare float64 // |q|², |k|²
	D, Keys                int     // d_k, and the number of keys of the query
}

// Names returns the names of the rules in the order of their table.
func Names() []string { return names.Map(table, func(def *definition) string { return def.Name }) }

// Parse reads a rule as String writes it. The parameter may also be written as ":…" or "=…" after
// the name. If it is omitted, it has its default. number parses the parameter.
func Parse(text string, number func(string) (float64, error)) (Rule, error) {
	if def := find(text); def != nil {
		return Rule{def, def.param.defaultValue}, nil
	}
	name, param, hasParameter, err := names.CutParameter(text)
	def := find(name)
	switch {
	case def == nil || !hasParameter:
		return Rule{}, names.UnknownError{Kind: names.ParamRule, Name: text, Names: Names()}
	case err != nil:
		return Rule{}, fmt.Errorf("rule %w", err)
	}
	return def.withParameter(param, number)
}

func find(name string) *definition {
	for _, def := range table {
		if def.Name == name {
			return def
		}
	}
	return nil
}

// withParameter returns the rule with the parameter that text has. text may begin with the name of
// the parameter and an equals sign or a colon.
func (def *definition) withParameter(text string, number func(string) (float64, error)) (Rule, error) {
	p := def.param
	if p.name == "" {
		return Rule{}, fmt.Errorf("rule %s takes no parameter, but has %q", def.Name, text)
	}
	x, err := number(strings.TrimPrefix(strings.TrimPrefix(text, p.name+"="), p.name+":"))
	switch {
	case err != nil:
		return Rule{}, fmt.Errorf("rule %s: %s: %w", def.Name, p.name, err)
	case !(x >= p.lo && x <= p.hi):
		return Rule{}, fmt.Errorf("rule %s: %s = %v is not in %v..%v", def.Name, p.name, x, p.lo, p.hi)
	case p.isInteger && x != math.Trunc(x):
		return Rule{}, fmt.Errorf("rule %s: %s = %v is not a whole number", def.Name, p.name, x)
	}
	return Rule{def, x}, nil
}

// Power returns the rule that divides by d_k^p.
func Power(p float64) Rule { return Rule{power, p} }

// String returns the canonical form, such as soft-cap(50).
func (r Rule) String() string {
	p := r.definition.param
	if p.name == "" || p.isImplicit && r.param == p.defaultValue {
		return r.definition.Name
	}
	return r.definition.Name + "(" + strconv.FormatFloat(r.param, 'f', -1, 64) + ")"
}

// Name returns the name without the parameter.
func (r Rule) Name() string { return r.definition.Name }

// Param returns the parameter, or 0 if the rule has none.
func (r Rule) Param() float64 { return r.param }

// Formula returns the formula of the logit.
func (r Rule) Formula() string { return r.definition.Formula }

// Source returns the publication or program in which the rule was found.
func (r Rule) Source() string { return r.definition.Source }

// Factor returns the factor of q·k for d components and n keys. ok is false if the rule is not a
// multiplication.
func (r Rule) Factor(d, n int) (float64, bool) {
	if r.definition.factor == nil {
		return math.NaN(), false
	}
	return r.definition.factor(r.param, float64(d), float64(n)), true
}

// NormalisedFactor returns the factor that multiplies q·k if q and k with d components are first
// divided by their root mean squares: g/√d for qk-norm(g), and s/d for cosine(s). It returns false
// for other rules.
func (r Rule) NormalisedFactor(d int) (float64, bool) {
	switch r.definition {
	case qkNorm:
		return r.param / math.Sqrt(float64(d)), true
	case cosine:
		return r.param / float64(d), true
	}
	return math.NaN(), false
}

// IsAdditive reports whether the rule is the additive one, which has weights and needs the
// components of q and k.
func (r Rule) IsAdditive() bool { return r.definition == additive }

// HiddenUnits returns the number d_a of hidden units of an additive rule for d components.
func (r Rule) HiddenUnits(d int) int {
	if r.param == 0 {
		return d
	}
	return int(r.param)
}

// IsUnbounded reports whether a logit grows without bound with the length of the query.
func (r Rule) IsUnbounded() bool { return r.definition.factor != nil || r.definition.isUnbounded }

// NeedsRotation reports whether the rule uses keys that are rotated by their position.
func (r Rule) NeedsRotation() bool { return r.definition == rope }

// Logit returns the logit of a pair. It panics for an additive rule.
func (r Rule) Logit(p *Pair) float64 {
	if f, ok := r.Factor(p.D, p.Keys); ok {
		return float64(p.Score * f)
	}
	return r.definition.logit(r.param, p)
}
