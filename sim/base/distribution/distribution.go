// Package distribution defines the distributions of a component of q or k: their names, parameters
// and exact moments. Every distribution is symmetric about 0 and has variance 1. Package kernel
// samples them.
//
// A distribution is written as its name, followed by its parameter in parentheses if it has one:
// normal, student-t(10), bernoulli-gaussian(0.1). [Parse] reads that text and [Distribution.String]
// writes it. [Names] and [Defaults] list the distributions. Those that the program itself uses are
// variables, such as [Normal].
//
// [Distribution.Moment] gives the exact E x^k up to k = 12. Theory computes the variance and the
// skewness of a score and their errors from these moments. Vectors of the distribution sphere are
// sampled as a whole, see [Distribution.HasIndependentComponents].
//
// Each distribution has a file with its formulas and an entry in the table families.
package distribution

import (
	"fmt"
	"strconv"
	"strings"

	"mcsim/sim/names"
)

// Distribution is one distribution of a component.
type Distribution struct {
	family *family
	param  float64
}

// family is an entry of the table of distributions, without the value of the parameter. The name
// and the moments are required; the other fields are optional.
type family struct {
	name               string
	alias              string  // another name that is read and never written
	param              string  // name of the parameter, empty if there is none
	lo, hi             float64 // the parameter is in the open interval (lo, hi)
	defaultParam       float64 // value if the text has no parameter
	moment             func(param float64, k int) float64
	nonZeroProbability func(param float64) float64 // P(x ≠ 0); nil means 1
	// hasAtoms tells that single values have a positive probability, so that two scores can be
	// equal.
	hasAtoms        bool
	absDistribution func(param float64) AbsDistribution // result of Abs; nil if only moments are known
	// hasPowerTail tells that the tails decrease like a power, so that moments of high orders are
	// infinite.
	hasPowerTail bool
	isDependent  bool // components of one vector depend on each other, as on the sphere
}

var families = []*family{
	normal,
	uniform,
	rademacher,
	laplace,
	triangular,
	truncatedNormal,
	studentT,
	bernoulliGaussian,
	sphere,
}

// Names returns the names of the distributions in the order of their table.
func Names() []string { return names.Map(families, func(f *family) string { return f.name }) }

// Defaults returns the distributions in the same order, each with its default parameter.
func Defaults() []Distribution {
	return names.Map(families, func(f *family) Distribution { return Distribution{f, f.defaultParam} })
}

// Parse parses a distribution as String writes it; parseNumber parses the parameter. The parameter
// may also follow a ":" or "=". If the text has no parameter, the distribution has its default
// parameter: 10 for student-t, 0.1 for bernoulli-gaussian.
func Parse(text string, parseNumber func(string) (float64, error)) (Distribution, error) {
	name, param, hasParam, err := names.CutParameter(text)
	if err != nil {
		return Distribution{}, fmt.Errorf("distribution %w", err)
	}
	for _, f := range families {
		if f.name == name || f.alias == name && name != "" {
			return f.parseParam(param, hasParam, parseNumber)
		}
	}
	return Distribution{}, names.UnknownError{Kind: names.ParamDistribution, Name: name, Names: Names(),
		Aliases: Aliases()}
}

// Aliases returns the other names that Parse reads. String does not write them.
func Aliases() []string {
	var aliases []string
	for _, f := range families {
		if f.alias != "" {
			aliases = append(aliases, f.alias)
		}
	}
	return aliases
}

// parseParam returns the distribution with the parameter in text, or with the default parameter.
func (f *family) parseParam(text string, hasParam bool, parseNumber func(string) (float64, error)) (Distribution,
	error) {
	if !hasParam {
		return Distribution{f, f.defaultParam}, nil
	}
	if f.param == "" {
		return Distribution{}, fmt.Errorf("distribution %s takes no parameter, but has %q", f.name, text)
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, f.param+"="), f.param+":")
	x, err := parseNumber(text)
	if err != nil {
		return Distribution{}, fmt.Errorf("distribution %s: %s: %w", f.name, f.param, err)
	}
	if !(x > f.lo && x < f.hi) {
		return Distribution{}, fmt.Errorf("distribution %s: %s = %v is not in (%s, %s)", f.name, f.param, x,
			formatDecimal(f.lo), formatDecimal(f.hi))
	}
	return Distribution{f, x}, nil
}

// String returns the canonical text, which is also part of the ID of a cell.
func (d Distribution) String() string {
	if d.family.param == "" {
		return d.family.name
	}
	return d.family.name + "(" + formatDecimal(d.param) + ")"
}

// formatDecimal formats a number without an exponent.
func formatDecimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Name returns the name without the parameter.
func (d Distribution) Name() string { return d.family.name }

// Param returns the parameter: the degrees of freedom ν of student-t, or the probability of a
// non-zero component of bernoulli-gaussian. It is 0 if the distribution has no parameter.
func (d Distribution) Param() float64 { return d.param }

// HasIndependentComponents reports whether the components of one vector are independent. The
// components of the distribution sphere are dependent.
func (d Distribution) HasIndependentComponents() bool { return !d.family.isDependent }

// NonZeroProbability returns the probability that a component is not 0.
func (d Distribution) NonZeroProbability() float64 {
	if d.family.nonZeroProbability == nil {
		return 1
	}
	return d.family.nonZeroProbability(d.param)
}

// HasAtoms reports whether single values of a component have a positive probability, so that two
// scores can be equal.
func (d Distribution) HasAtoms() bool { return d.family.hasAtoms }

// Moment returns E x^k of one component, for an even k from 2 to 12. It is +Inf if the moment does
// not exist. (Odd moments are 0.) It panics for the sphere, whose moments depend on the dimension.
func (d Distribution) Moment(k int) float64 {
	if k%2 != 0 || k < 2 || k > 12 {
		panic("distribution: Moment needs an even order from 2 to 12")
	}
	if k == 2 {
		return 1
	}
	return d.family.moment(d.param, k)
}

// Kurtosis returns κ = E x⁴.
func (d Distribution) Kurtosis() float64 { return d.Moment(4) }

// rescaleMoment returns moment/variance^(k/2) for even k. This is E x^k after a distribution with
// the given moment of order k and the given variance was rescaled to variance 1.
func rescaleMoment(moment, variance float64, k int) float64 {
	for range k / 2 {
		moment /= variance
	}
	return moment
}
