// Package rule has the rules that convert a query and a key to a logit: their names, parameters,
// formulas and sources, and the variance of their logits.
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

// Rule is a way to compute a logit, with its parameter.
type Rule struct {
	kind  *kind
	param float64
}

// kind is an entry of the table of rules. A rule has a factor or a logit function, except the
// additive rule, which has neither; all have a variance and a slope. A rule without a parameter
// omits param.
type kind struct {
	names.Entry
	param parameter

	// factor returns the factor of q·k for d components and n keys, x being the parameter. It is
	// nil if the rule is not a multiplication.
	factor func(x, d, n float64) float64
	// logit returns the logit if the rule is not a multiplication. It is nil for the additive rule,
	// which needs the components.
	logit func(x float64, p *Pair) float64
	// variance returns the variance of the logit, and slope the slope of its logarithm on ln d_k.
	variance func(x float64, setting Setting) Theory
	slope    func(x float64) Theory
	// hasConstantSquare reports whether the square of a logit is the same for every pair; nil means
	// never.
	hasConstantSquare func(setting Setting) bool
	// isUnbounded is set if the rule has no factor and its logit still grows without bound with
	// |q|.
	isUnbounded bool
}

// parameter describes the parameter of a rule. Its bounds and its default are required.
type parameter struct {
	name      string // empty if the rule has no parameter
	lo, hi    float64
	byDefault float64
	isInteger bool
	// isImplicit is set if the default means d_k, and is not written.
	isImplicit bool
}

// Pair has what all rules except the additive one need of a query and a key.
type Pair struct {
	Score                  float64 // q·k
	RotatedScore           float64 // q·Rk with the key rotated by a Rotation; set only for rules that need it
	QuerySquare, KeySquare float64 // |q|², |k|²
	D, Keys                int
}

// Names returns the names of the rules in the order of their table.
func Names() []string { return names.Map(table, func(k *kind) string { return k.Name }) }

// Parse reads a rule as String writes it. A rule with a parameter may be written without it and
// then has the default. The parameter may follow as "(…)", ":…" or "=…". number parses it.
func Parse(text string, number func(string) (float64, error)) (Rule, error) {
	if k := find(text); k != nil {
		return Rule{k, k.param.byDefault}, nil
	}
	name, param, given, err := names.CutParameter(text)
	k := find(name)
	switch {
	case k == nil || !given:
		return Rule{}, names.UnknownError{Kind: names.ParamRule, Name: text, Names: Names()}
	case err != nil:
		return Rule{}, fmt.Errorf("rule %w", err)
	}
	return k.withParameter(param, number)
}

func find(name string) *kind {
	for _, k := range table {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// withParameter returns a rule of the kind with the parameter that text has, with or without its
// name.
func (k *kind) withParameter(text string, number func(string) (float64, error)) (Rule, error) {
	p := k.param
	if p.name == "" {
		return Rule{}, fmt.Errorf("rule %s takes no parameter, but has %q", k.Name, text)
	}
	x, err := number(strings.TrimPrefix(strings.TrimPrefix(text, p.name+"="), p.name+":"))
	switch {
	case err != nil:
		return Rule{}, fmt.Errorf("rule %s: %s: %w", k.Name, p.name, err)
	case !(x >= p.lo && x <= p.hi):
		return Rule{}, fmt.Errorf("rule %s: %s = %v is not in %v..%v", k.Name, p.name, x, p.lo, p.hi)
	case p.isInteger && x != math.Trunc(x):
		return Rule{}, fmt.Errorf("rule %s: %s = %v is not a whole number", k.Name, p.name, x)
	}
	return Rule{k, x}, nil
}

// Power returns the rule that divides by d_k^p.
func Power(p float64) Rule { return Rule{power, p} }

// String returns the canonical form, such as soft-cap(50).
func (r Rule) String() string {
	p := r.kind.param
	if p.name == "" || p.isImplicit && r.param == p.byDefault {
		return r.kind.Name
	}
	return r.kind.Name + "(" + strconv.FormatFloat(r.param, 'f', -1, 64) + ")"
}

// Name returns the name without the parameter.
func (r Rule) Name() string { return r.kind.Name }

// Formula returns the formula of the logit.
func (r Rule) Formula() string { return r.kind.Formula }

// Source returns who proposed the rule, or where it was found.
func (r Rule) Source() string { return r.kind.Source }

// Factor returns the factor of q·k for d components and n keys. ok is false if the rule is not a
// multiplication.
func (r Rule) Factor(d, n int) (float64, bool) {
	if r.kind.factor == nil {
		return math.NaN(), false
	}
	return r.kind.factor(r.param, float64(d), float64(n)), true
}

// NormalisedFactor returns the factor of q·k after q and k are divided by their root mean squares,
// for d components: g/√d for qk-norm(g), s/d for cosine(s). It returns false for other rules.
func (r Rule) NormalisedFactor(d int) (float64, bool) {
	switch r.kind {
	case qkNorm:
		return r.param / math.Sqrt(float64(d)), true
	case cosine:
		return r.param / float64(d), true
	}
	return math.NaN(), false
}

// IsAdditive reports whether the rule has weights and needs the components of q and k. Then
// HiddenUnits returns the number of its hidden units.
func (r Rule) IsAdditive() bool { return r.kind == additive }

// HiddenUnits returns d_a of an additive rule for d components.
func (r Rule) HiddenUnits(d int) int {
	if r.param == 0 {
		return d
	}
	return int(r.param)
}

// IsUnbounded reports whether a logit grows without bound with the length of the query.
func (r Rule) IsUnbounded() bool { return r.kind.factor != nil || r.kind.isUnbounded }

// NeedsRotation reports whether the rule uses keys that are rotated by their position.
func (r Rule) NeedsRotation() bool { return r.kind == rope }

// Logit returns the logit of a pair. It panics for an additive rule.
func (r Rule) Logit(p *Pair) float64 {
	if f, ok := r.Factor(p.D, p.Keys); ok {
		return float64(p.Score * f)
	}
	return r.kind.logit(r.param, p)
}
