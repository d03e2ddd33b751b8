package claim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mcsim/sim/experiment"
)

// Args are the arguments of a function: numbers, each with the interval that it was rounded from,
// or names.
type Args struct {
	numbers map[string][]Interval
	texts   map[string][]string
}

// list returns the numbers of an argument, none if it is not given.
func (a Args) list(name string) []Interval { return a.numbers[name] }

// first returns the only number of an argument, or omitted if the argument is not given.
func (a Args) first(name string, omitted float64) Interval {
	return a.orDefault(name, omitted)[0]
}

// orDefault returns the numbers of an argument, or omitted if the argument is not given.
func (a Args) orDefault(name string, omitted float64) []Interval {
	if given := a.numbers[name]; len(given) > 0 {
		return given
	}
	return []Interval{point(omitted)}
}

// whole returns an argument that is known to be a whole number, 0 if it is not given.
func (a Args) whole(name string) int { return int(a.first(name, 0).Lo) }

// has reports whether an argument is given.
func (a Args) has(name string) bool { return len(a.numbers[name]) > 0 }

// name returns the first name of an argument.
func (a Args) name(of string) string { return a.texts[of][0] }

// parameter describes one argument of a function.
type parameter struct {
	name     string
	lo, hi   float64                 // of each number
	whole    bool                    // numbers are whole
	named    func(text string) error // not nil: names in place of numbers
	list     bool                    // may have several values
	several  bool                    // must have them
	optional bool
}

// maxNumbers is the largest number of values of an argument.
const maxNumbers = 64

// parse parses the values of an argument. If they were rounded, each becomes the interval of the
// values that round to it.
func (p parameter) parse(texts []string, wereRounded bool) (numbers []Interval, err error) {
	switch {
	case len(texts) > 1 && !p.list:
		return nil, fmt.Errorf("has %d values; it takes one", len(texts))
	case len(texts) < 2 && p.several:
		return nil, errors.New("has one value; of one alone this is not defined")
	}
	for _, text := range texts {
		if p.named != nil {
			if err := p.named(text); err != nil {
				return nil, err
			}
			continue
		}
		n, err := p.parseNumber(text, wereRounded)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// parseNumber parses one number of an argument.
func (p parameter) parseNumber(text string, wereRounded bool) (Interval, error) {
	x, err := experiment.Number(text)
	switch {
	case err != nil:
		return Interval{}, err
	case x < p.lo || x > p.hi:
		return Interval{}, fmt.Errorf("%s is not in %v..%v", text, p.lo, p.hi)
	case p.whole && x != float64(int64(x)):
		return Interval{}, fmt.Errorf("%s is not a whole number", text)
	case !wereRounded:
		return point(x), nil
	}
	_, half, err := printed(text)
	return Interval{max(x-half, p.lo), min(x+half, p.hi)}, err
}

// checkRoundable refuses a rounded argument whose values are whole numbers or names.
func (p parameter) checkRoundable() error {
	switch {
	case p.whole:
		return fmt.Errorf("%s is a whole number, which nothing was rounded to", p.name)
	case p.named != nil:
		return fmt.Errorf("%s is a name, which nothing was rounded to", p.name)
	}
	return nil
}

// printed parses a number as a text prints it, a percentage as a proportion, and returns half a
// unit of its last digit: of 6.7e7 that is half a unit of the 7 after the point, times 10⁷.
func printed(text string) (value, half float64, err error) {
	value, err = experiment.Number(text)
	if err != nil {
		return 0, 0, err
	}
	digits, percent := strings.CutSuffix(text, "%")
	if strings.ContainsAny(digits, "/^") {
		return value, 0, nil // nothing was rounded
	}
	mantissa, power, scientific := strings.Cut(strings.ToLower(digits), "e")
	tens := 0
	if scientific {
		if tens, err = strconv.Atoi(power); err != nil {
			return 0, 0, fmt.Errorf("%q has no power of ten", text)
		}
	}
	_, fraction, _ := strings.Cut(mantissa, ".")
	tens -= len(fraction)
	if percent {
		tens -= 2
	}
	half, err = strconv.ParseFloat(fmt.Sprintf("5e%d", tens-1), 64)
	return value, half, err
}

// checkPrinted refuses a text that is not a number as texts print them.
func checkPrinted(text string) error {
	_, _, err := printed(text)
	return err
}
