// Package distribution knows the distributions that a component of q or k can follow:
// their names, parameters and exact moments. Every distribution is symmetric about 0
// and has variance 1. How its components are drawn is the kernel's subject.
//
// A distribution is written as its name, with its parameter in parentheses where it
// has one: normal, student-t(10), bernoulli-gaussian(0.1). [Parse] reads that text and
// [Distribution.String] writes it. [Names] and [Defaults] list the distributions; those that programs
// name themselves are values, such as [Normal].
//
// [Distribution.Moment] gives E x^k, exactly and to order 12, of which theory makes the
// variance and the skewness of a score and their errors. A vector of the distribution sphere
// is drawn as a whole, which [Distribution.Independent] tells.
//
// Each distribution has a file, with its formulas, and a row in the table of families.
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

// family is one row of the table of distributions. Its name and its moments must be there.
// A distribution without param has no parameter; the other fields say what few distributions are, and
// are left out for the rest.
type family struct {
	name               string
	alias              string  // another name that is read, and never written; left out, none
	param              string  // name of the parameter
	lo, hi             float64 // open bounds of the parameter
	defaultParam       float64 // its value where none is given
	moment             func(param float64, k int) float64
	nonZeroProbability func(param float64) float64 // chance that a component is not 0; left out, 1
	// some values have a chance of their own, so that two scores can be the same
	hasAtoms        bool
	absDistribution func(param float64) AbsDistribution // the distribution of |x|; left out, only moments bound it
	// the tails fall like a power, so that moments from some order on are infinite
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

// Names lists the distributions in the order of their table.
func Names() []string { return names.Map(families, func(f *family) string { return f.name }) }

// Defaults lists the distributions in the same order, each with its usual parameter.
func Defaults() []Distribution {
	return names.Map(families, func(f *family) Distribution { return Distribution{f, f.defaultParam} })
}

// Parse reads a distribution as String writes it. Between name and parameter it takes
// "(…)", ":" or "="; a distribution with a parameter may also stand alone and then has
// its usual one (student-t(10), bernoulli-gaussian(0.1)).
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

// Aliases are other names that Parse reads, of distributions that String writes by their own.
func Aliases() []string {
	var aliases []string
	for _, f := range families {
		if f.alias != "" {
			aliases = append(aliases, f.alias)
		}
	}
	return aliases
}

// parseParam is the distribution of the family that has the parameter of a text, the usual one if
// none is given.
func (f *family) parseParam(text string, hasParam bool, parseNumber func(string) (float64, error)) (Distribution, error) {
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

// String is the canonical name, which is also the distribution's part of a cell's id.
func (l Distribution) String() string {
	if l.family.param == "" {
		return l.family.name
	}
	return l.family.name + "(" + formatDecimal(l.param) + ")"
}

// formatDecimal writes a number without an exponent.
func formatDecimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Name is the name without the parameter.
func (l Distribution) Name() string { return l.family.name }

// Param is the distribution's parameter: ν of student-t, the share of non-zero
// components of bernoulli-gaussian, 0 where the distribution has none.
func (l Distribution) Param() float64 { return l.param }

// HasIndependentComponents reports whether the components of one vector are independent
// of each other. Those of the sphere are not.
func (l Distribution) HasIndependentComponents() bool { return !l.family.isDependent }

// NonZeroProbability is the chance that a component is not 0.
func (l Distribution) NonZeroProbability() float64 {
	if l.family.nonZeroProbability == nil {
		return 1
	}
	return l.family.nonZeroProbability(l.param)
}

// HasAtoms reports whether some values of a component have a chance of their own, so
// that two scores can be the same.
func (l Distribution) HasAtoms() bool { return l.family.hasAtoms }

// Moment returns E x^k of one component, k even and at most 12; +Inf where it
// does not exist. Odd moments are 0. For the sphere it panics, since the
// moments of its components depend on the dimension.
func (l Distribution) Moment(k int) float64 {
	if k%2 != 0 || k < 2 || k > 12 {
		panic("distribution: Moment wants an even order from 2 to 12")
	}
	if k == 2 {
		return 1
	}
	return l.family.moment(l.param, k)
}

// Kurtosis is κ = E x⁴.
func (l Distribution) Kurtosis() float64 { return l.Moment(4) }

// rescaleMoment is num/den^(k/2) for even k: the moment of a distribution that was rescaled
// by its standard deviation √den.
func rescaleMoment(num, den float64, k int) float64 {
	for range k / 2 {
		num /= den
	}
	return num
}
