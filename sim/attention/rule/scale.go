package rule

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"mcsim/sim/names"
)

// dimensionAlias matches other names of d_k that programs use.
var dimensionAlias = regexp.MustCompile(`\b(d|dk|d_head|head_dim)\b`)

// powerPattern matches scales as people write them, without spaces: a power of d_k, with an
// optional numerator.
var powerPattern = regexp.MustCompile(`^(?:(.+)/)?(?:(sqrt)(?:\(d_k\)|d_k)|(sqrt\(d_k/2\))|d_k(?:\^(.+))?)$`)

// DescribeScales returns a list of the forms in which a scale can be written.
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

// ScaleExamples returns examples of scales, and the rules without a parameter that are
// multiplications.
func ScaleExamples() []string {
	scales := []string{"sqrt(d_k)", names.ParamDimension, "none"}
	for _, k := range table {
		if k.factor != nil && k.param.name == "" {
			scales = append(scales, k.Name)
		}
	}
	return scales
}

// usage returns a rule's name, with the name of its parameter if it has one.
func (k *kind) usage() string {
	if k.param.name == "" {
		return k.Name
	}
	return k.Name + "(" + k.param.name + ")"
}

// ParseScale reads the factor of q·k as people write it. sqrt(d_k) and 1/sqrt(d_k) both mean the
// division, and so do d_k^0.5 and d_k^-0.5, since nobody multiplies by a power of d_k. A number is
// a factor and must be at most 1, since a larger one may be meant either way. Rules that are
// multiplications are accepted, too.
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

// ErrScale is wrapped by errors that end with the list of the accepted forms.
var ErrScale = errors.New(DescribeScales())

// newScaleError returns an error that ends with the list of the accepted forms.
func newScaleError(text, problem string) error {
	return fmt.Errorf("%q %s; write %w", text, problem, ErrScale)
}

// parsePower returns the rule of a power of d_k. m has the submatches of powerPattern: the
// numerator, "sqrt", "sqrt(d_k/2)" and the exponent; each may be empty.
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
		return Rule{}, newScaleError(text, "multiplies by a power of d_k, which is probably a mistake")
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

// parseFactor returns the rule of a factor x of at most 1.
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
