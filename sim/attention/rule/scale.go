package rule

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"mcsim/sim/names"
)

// dimensionAlias matches other names of d_k, as programs have them.
var dimensionAlias = regexp.MustCompile(`\b(d|dk|d_head|head_dim)\b`)

// powerPattern are scales as people write them, without spaces: a power of d_k, and before it
// what it divides.
var powerPattern = regexp.MustCompile(`^(?:(.+)/)?(?:(sqrt)(?:\(d_k\)|d_k)|(sqrt\(d_k/2\))|d_k(?:\^(.+))?)$`)

// DescribeScales says how scales may be written.
func DescribeScales() string {
	var rules []string
	for _, k := range table {
		if k.factor != nil {
			rules = append(rules, k.usage())
		}
	}
	return "sqrt(d_k), 1/sqrt(d_k), c/sqrt(d_k), d_k, 1/d_k, d_k^p, none, a factor up to 1 such as 0.125 or 1/8, or " +
		"one of the rules " + strings.Join(rules, ", ")
}

// ScaleExamples are ways to write what q·k is multiplied by, rules that are a factor among them.
func ScaleExamples() []string {
	scales := []string{"sqrt(d_k)", names.ParamDimension, "none"}
	for _, k := range table {
		if k.factor != nil && k.param.name == "" {
			scales = append(scales, k.Name)
		}
	}
	return scales
}

// usage returns a rule's name with its parameter.
func (k *kind) usage() string {
	if k.param.name == "" {
		return k.Name
	}
	return k.Name + "(" + k.param.name + ")"
}

// ParseScale reads what q·k is multiplied by, as people write it: sqrt(d_k) and
// 1/sqrt(d_k) both mean the division, as d_k^0.5 and d_k^-0.5 do, since nobody multiplies
// by a power of d_k; a number multiplies, and is at most 1, since a larger one may be
// meant either way. Of the rules it takes those that are a factor.
func ParseScale(text string, number func(string) (float64, error)) (Rule, error) {
	plain := strings.NewReplacer(" ", "", "**", "^", "√", "sqrt", "math.sqrt", "sqrt").Replace(strings.ToLower(text))
	plain = dimensionAlias.ReplaceAllString(plain, names.ParamDimension)
	if plain == "none" {
		return Power(0), nil
	}
	if m := powerPattern.FindStringSubmatch(plain); m != nil {
		return parsePower(text, m, number)
	}
	if x, err := number(plain); err == nil {
		return parseFactor(text, x)
	}
	r, err := Parse(strings.TrimSpace(text), number)
	switch {
	case errors.As(err, new(names.UnknownError)):
		return Rule{}, newScaleError(text, "is not a scale")
	case err != nil:
		return Rule{}, err
	case r.kind.factor == nil:
		return Rule{}, newScaleError(text, "does more than multiply q·k")
	}
	return r, nil
}

// ErrScale is wrapped by an error that ends with the list of the scales that are understood.
var ErrScale = errors.New(DescribeScales())

// newScaleError refuses a scale with the list of those that are understood.
func newScaleError(text, problem string) error {
	return fmt.Errorf("%q %s; write %w", text, problem, ErrScale)
}

// parsePower returns the rule of a power of d_k: m is what it divides, sqrt or nothing,
// √(d_k/2) or nothing, and the exponent.
func parsePower(text string, m []string, number func(string) (float64, error)) (Rule, error) {
	c, p := 1.0, 1.0
	var err error
	if m[1] == "c" {
		return Rule{}, fmt.Errorf("%q: write a number for c, such as 0.5/sqrt(d_k)", text)
	}
	if m[1] != "" {
		if c, err = number(m[1]); err != nil {
			return Rule{}, newScaleError(text, "is not a scale")
		}
	}
	switch {
	case m[2] != "":
		p = 0.5
	case m[4] != "":
		if p, err = number(strings.TrimSuffix(strings.TrimPrefix(m[4], "("), ")")); err != nil {
			return Rule{}, newScaleError(text, "is not a scale")
		}
	}
	if p < 0 && m[1] != "" {
		return Rule{}, newScaleError(text, "multiplies by a power of d_k, which is hardly intended")
	}
	p = max(p, -p)
	switch {
	case m[3] != "" && c == 1:
		return Rule{kind: halfRoot}, nil
	case m[3] == "" && c == 1:
		return power.withParameter(fmt.Sprint(p), number)
	case m[3] == "" && p == 0.5:
		return learned.withParameter(fmt.Sprint(c), number)
	}
	return Rule{}, newScaleError(text, "is not a scale")
}

// parseFactor returns the rule of a factor: of 1, which leaves q·k as it is, or of less.
func parseFactor(text string, x float64) (Rule, error) {
	switch {
	case x == 1:
		return Power(0), nil
	case x > 1:
		return Rule{}, fmt.Errorf("%q may divide q·k or multiply it; write 1/%v to divide, or temperature(1/%v) "+
			"to multiply", text, x, x)
	case !(x >= minScale):
		return Rule{}, fmt.Errorf("%q: a factor is in %v..1", text, minScale)
	}
	return Rule{temperature, 1 / x}, nil
}
