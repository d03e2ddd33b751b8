package rule

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"mcsim/sim/names"
)

// dimensionAlias matches other names of d_k that programs use.
var dimensionAlias = regexp.MustCompile(`\b(d|dk|d_head|head_dim)\b`)

// powerPattern matches scales as people write them, but without spaces: a power of d_k with an
// optional numerator.
var powerPattern = regexp.MustCompile(`^(?:(.+)/)?(?:(sqrt)(?:\(d_k\)|d_k)|(sqrt\(d_k/2\))|d_k(?:\^(.+))?)$`)

// DescribeScales returns a text that lists the forms in which a scale can be written.
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

// ScaleExamples returns examples of scales. They include the rules that are multiplications and
// have no parameter.
func ScaleExamples() []string {
	scales := []string{"sqrt(d_k)", names.ParamDimension, "none"}
	for _, k := range table {
		if k.factor != nil && k.param.name == "" {
			scales = append(scales, k.Name)
		}
	}
	return scales
}

// usage returns the name of a rule, followed by the name of its parameter if it has one.
func (def *definition) usage() string {
	if def.param.name == "" {
		return def.Name
	}
	return def.Name + "(" + def.param.name + ")"
}

// ParseScale reads the factor of q·k as people write it. sqrt(d_k) and 1/sqrt(d_k) both mean a
// division by √d_k, and so do d_k^0.5 and d_k^-0.5, since nobody multiplies by a power of d_k. A
// number is a factor and must be at most 1: a larger number may be meant as a divisor or as a
// factor. Rules that are multiplications are accepted, too. number parses numbers.
func ParseScale(text string, number func(string) (float64, error)) (Rule, error) {
	normalised := strings.NewReplacer(" ", "", "**", "^", "√", "sqrt", "math.sqrt",
		"sqrt").Replace(strings.ToLower(text))
	normalised = dimensionAlias.ReplaceAllString(normalised, names.ParamDimension)
	if normalised == "none" {
		return Power(0), nil
	}
	if m := powerPattern.FindStringSubmatch(normalised); m != nil {
		return parsePower(text, m, number)
	}
	if x, err := number(normalised); err == nil {
		return parseFactor(text, x)
	}
	r, err := Parse(strings.TrimSpace(text), number)
	switch {
	case errors.As(err, new(names.UnknownError)):
		return Rule{}, newScaleError(text, "is not a scale")
	case err != nil:
		return Rule{}, err
	case r.definition.factor == nil:
		return Rule{}, newScaleError(text, "does more than multiply q·k")
	}
	return r, nil
}

// ErrScale is wrapped by errors that end with the list of the accepted forms.
var ErrScale = errors.New(DescribeScales())

// newScaleError returns an error that ends with the list of the accepted forms.
func newScaleError(text, problem string) error {
	return fmt.Errorf("%q %s; write %w", text, problem, ErrScale)
}

// parsePower returns the rule of a power of d_k. submatches are those of powerPattern.
func parsePower(text string, submatches []string, number func(string) (float64, error)) (Rule, error) {
	numerator, exponent := submatches[1], submatches[4] // empty if absent
	isRoot, isHalfRoot := submatches[2] != "", submatches[3] != ""
	c, p := 1.0, 1.0 // the scale is c/d_k^p unless it is c/√(d_k/2)
	var err error
	if numerator == "c" {
		return Rule{}, fmt.Errorf("%q: write a number for c, such as 0.5/sqrt(d_k)", text)
	}
	if numerator != "" {
		if c, err = number(numerator); err != nil {
			return Rule{}, newScaleError(text, "is not a scale")
		}
	}
	switch {
	case isRoot:
		p = 0.5
	case exponent != "":
		if p, err = number(strings.TrimSuffix(strings.TrimPrefix(exponent, "("), ")")); err != nil {
			return Rule{}, newScaleError(text, "is not a scale")
		}
	}
	if p < 0 && numerator != "" {
		return Rule{}, newScaleError(text, "multiplies by a power of d_k, which is probably a mistake")
	}
	p = math.Abs(p) // without a numerator, d_k^-0.5 means the same as d_k^0.5
	switch {
	case isHalfRoot && c == 1:
		return Rule{definition: halfRoot}, nil
	case isHalfRoot:
		return Rule{}, newScaleError(text, "is not a scale")
	case c == 1:
		return power.withParameter(fmt.Sprint(p), number)
	case p == 0.5:
		return learned.withParameter(fmt.Sprint(c), number)
	}
	return Rule{}, newScaleError(text, "is not a scale")
}

// parseFactor returns the rule that multiplies by x ≤ 1. It returns an error if x is not in
// minScale..1.
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
