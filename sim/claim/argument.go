package claim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mcsim/sim/experiment"
)

// Args are the arguments of a function by name. An argument is a list of numbers or of names. A
// number is the interval of the values that it may have been rounded from.
type Args struct {
	numbers map[string][]Interval
	texts   map[string][]string
}

// numberList returns the numbers of an argument, or nil if the argument is not given.
func (a Args) numberList(name string) []Interval { return a.numbers[name] }

// number returns the first number of an argument, or defaultValue if the argument is not given.
func (a Args) number(name string, defaultValue float64) Interval {
	return a.numbersOrDefault(name, defaultValue)[0]
}

// numbersOrDefault returns the numbers of an argument, or defaultValue if the argument is not
// given.
func (a Args) numbersOrDefault(name string, defaultValue float64) []Interval {
	if given := a.numbers[name]; len(given) > 0 {
		return given
	}
	return []Interval{point(defaultValue)}
}

// integer returns the value of an integer argument, or 0 if the argument is not given.
func (a Args) integer(name string) int { return int(a.number(name, 0).Lo) }

// has reports whether an argument is given.
func (a Args) has(name string) bool { return len(a.numbers[name]) > 0 }

// text returns the first value of an argument whose values are names.
func (a Args) text(argument string) string { return a.texts[argument][0] }

// parameter describes one argument of a function.
type parameter struct {
	name               string
	minValue, maxValue float64                 // bounds of each number
	isInteger          bool                    // whether only integers are allowed
	checkName          func(text string) error // checks a value that is a name; nil if values are numbers
	isList             bool                    // whether several values are allowed
	needsTwo           bool                    // whether at least two values are required
	isOptional         bool
}

// maxNumbers is the largest number of values of an argument.
const maxNumbers = 64

// parse parses the values of an argument. If isRounded is set, each number becomes the interval of
// the numbers that round to it. The result is nil for names.
func (p parameter) parse(texts []string, isRounded bool) (numbers []Interval, err error) {
	switch {
	case len(texts) > 1 && !p.isList:
		return nil, fmt.Errorf("has %d values; it takes one", len(texts))
	case len(texts) < 2 && p.needsTwo:
		return nil, errors.New("has one value; it needs at least two")
	}
	for _, text := range texts {
		if p.checkName != nil {
			if err := p.checkName(text); err != nil {
				return nil, err
			}
			continue
		}
		n, err := p.parseNumber(text, isRounded)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// parseNumber parses one number of an argument.
func (p parameter) parseNumber(text string, isRounded bool) (Interval, error) {
	x, err := experiment.Number(text)
	switch {
	case err != nil:
		return Interval{}, err
	case x < p.minValue || x > p.maxValue:
		return Interval{}, fmt.Errorf("%s is not in %v..%v", text, p.minValue, p.maxValue)
	case p.isInteger && x != float64(int64(x)):
		return Interval{}, fmt.Errorf("%s is not a whole number", text)
	case !isRounded:
		return point(x), nil
	}
	_, halfUnit, err := parsePrinted(text)
	return Interval{max(x-halfUnit, p.minValue), min(x+halfUnit, p.maxValue)}, err
}

// checkRoundable returns an error if values of the argument cannot be rounded, because they are
// whole numbers or names.
func (p parameter) checkRoundable() error {
	switch {
	case p.isInteger:
		return fmt.Errorf("%s is a whole number, so it cannot have been rounded", p.name)
	case p.checkName != nil:
		return fmt.Errorf("%s is a name, so it cannot have been rounded", p.name)
	}
	return nil
}

// parsePrinted parses a number as a text prints it. It returns a percentage as a proportion.
// halfUnit is half a unit of the last printed digit, the largest rounding error: 0.05e7 for 6.7e7.
func parsePrinted(text string) (value, halfUnit float64, err error) {
	value, err = experiment.Number(text)
	if err != nil {
		return 0, 0, err
	}
	digits, percent := strings.CutSuffix(text, "%")
	if strings.ContainsAny(digits, "/^") {
		return value, 0, nil // a fraction or a power is exact
	}
	mantissa, exponentText, hasExponent := strings.Cut(strings.ToLower(digits), "e")
	exponent := 0
	if hasExponent {
		if exponent, err = strconv.Atoi(exponentText); err != nil {
			return 0, 0, fmt.Errorf("%q has no power of ten", text)
		}
	}
	_, fraction, _ := strings.Cut(mantissa, ".")
	exponent -= len(fraction)
	if percent {
		exponent -= 2
	}
	halfUnit, err = strconv.ParseFloat(fmt.Sprintf("5e%d", exponent-1), 64)
	return value, halfUnit, err
}

func checkPrinted(text string) error {
	_, _, err := parsePrinted(text)
	return err
}
