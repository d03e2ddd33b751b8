// Package rule knows the rules that turn a query and a key into a logit: their
// names, parameters, formulas and sources, and what variance they leave.
//
// A rule is written as its name, with its parameter in parentheses where it
// has one: power(1/2), soft-cap(50), key-normalised.
package rule

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mcsim/sim/names"
)

// Rule is one way to make a logit, with its parameter.
type Rule struct {
	kind  *kind
	param float64
}

// kind is one row of the table of rules. It has a factor or a logit, variance
// and slope; a rule without a parameter leaves param out.
type kind struct {
	names.Entry
	param parameter

	// factor is what S is multiplied by; nil where the rule is more than that.
	factor func(x, d, n float64) float64
	// logit makes the logit where the rule is not a factor; nil for one that
	// needs the components themselves, which are the additive rules.
	logit func(x float64, p *Pair) float64
	// variance of the logit, and slope of its logarithm on ln d_k.
	variance func(x float64, of Setting) Theory
	slope    func(x float64) Theory
	// hasConstantSquare: the square of a logit is the same for every pair; left out, it never
	// is.
	hasConstantSquare func(of Setting) bool
	// isUnbounded: a logit grows without bound as the query does, though the rule is no factor.
	isUnbounded bool
}

// parameter is what a rule may be told. Only its bounds and its usual value must be
// there.
type parameter struct {
	name      string // empty for none
	lo, hi    float64
	byDefault float64
	isInteger bool // it is a whole number
	// isImplicit: the usual value means d_k, and is not written.
	isImplicit bool
}

// Pair is what all rules but the additive ones ask of a query and a key.
type Pair struct {
	Score                  float64 // q·k
	RotatedScore           float64 // q·Rk, with the key turned by a Rotation; of rules that ask for it alone
	QuerySquare, KeySquare float64 // |q|², |k|²
	D, Keys                int
}

// Names lists the rules in the order of their table.
func Names() []string { return names.Map(table, func(k *kind) string { return k.Name }) }

// Parse reads a rule as String writes it. A rule with a parameter may stand
// alone and then has its usual one; between name and parameter it takes "(…)",
// ":" or "=".
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

// find returns the kind of that name, nil if there is none.
func find(name string) *kind {
	for _, k := range table {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// withParameter returns a rule of the kind with its parameter as a text has it, which may name it.
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

// String returns the canonical name.
func (r Rule) String() string {
	p := r.kind.param
	if p.name == "" || p.isImplicit && r.param == p.byDefault {
		return r.kind.Name
	}
	return r.kind.Name + "(" + strconv.FormatFloat(r.param, 'f', -1, 64) + ")"
}

// Name returns the name without the parameter.
func (r Rule) Name() string { return r.kind.Name }

// Formula says what the rule is, in symbols.
func (r Rule) Formula() string { return r.kind.Formula }

// Source says who proposed the rule, or where it was found.
func (r Rule) Source() string { return r.kind.Source }

// Factor returns what a rule multiplies q·k by, at d components and n keys; false
// where it does more than that.
func (r Rule) Factor(d, n int) (float64, bool) {
	if r.kind.factor == nil {
		return math.NaN(), false
	}
	return r.kind.factor(r.param, float64(d), float64(n)), true
}

// NormalisedFactor returns what a rule multiplies the product of q and k by after both are divided by
// their root mean square, at d components: g/√d of qk-norm(g), s/d of cosine(s). It is false for
// other rules.
func (r Rule) NormalisedFactor(d int) (float64, bool) {
	switch r.kind {
	case qkNorm:
		return r.param / math.Sqrt(float64(d)), true
	case cosine:
		return r.param / float64(d), true
	}
	return math.NaN(), false
}

// IsAdditive reports whether the rule has weights of its own and needs the
// components of q and k. Hidden then is how many hidden units it has.
func (r Rule) IsAdditive() bool { return r.kind == additive }

// HiddenUnits returns d_a of an additive rule for d components.
func (r Rule) HiddenUnits(d int) int {
	if r.param == 0 {
		return d
	}
	return int(r.param)
}

// IsUnbounded reports whether a logit grows without bound as the query does.
func (r Rule) IsUnbounded() bool { return r.kind.factor != nil || r.kind.isUnbounded }

// NeedsRotation reports whether the rule asks for keys that are turned by their position.
func (r Rule) NeedsRotation() bool { return r.kind == rope }

// Logit returns the logit of a pair. It panics for an additive rule.
func (r Rule) Logit(p *Pair) float64 {
	if f, ok := r.Factor(p.D, p.Keys); ok {
		return float64(p.Score * f)
	}
	return r.kind.logit(r.param, p)
}
