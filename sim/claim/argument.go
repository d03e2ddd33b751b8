package claim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mcsim/sim/experiment"
)

// Args are what a function is given: numbers, each as what it was rounded from, or names.
type Args struct {
	numbers map[string][]Interval
	texts   map[string][]string
}

// list are the numbers of an argument, none where it is not given.
func (a Args) list(name string) []Interval { return a.numbers[name] }

// one is the only number of an argument, or what stands for it where it is not given.
func (a Args) one(name string, omitted float64) Interval {
	return a.or(name, omitted)[0]
}

// or are the numbers of an argument, or the one that stands for it where it is not given.
func (a Args) or(name string, omitted float64) []Interval {
	if given := a.numbers[name]; len(given) > 0 {
		return given
	}
	return []Interval{point(omitted)}
}

// whole is a number that is known to be one.
func (a Args) whole(name string) int { return int(a.one(name, 0).Lo) }

// has reports whether an argument is given.
func (a Args) has(name string) bool { return len(a.numbers[name]) > 0 }

// name is the first name of an argument.
func (a Args) name(of string) string { return a.texts[of][0] }

// parameter is one argument of a function.
type parameter struct {
	name     string
	lo, hi   float64                 // of each number
	whole    bool                    // numbers are whole
	named    func(text string) error // not nil: names in place of numbers
	list     bool                    // may have several values
	several  bool                    // must have them
	optional bool
}

// mostNumbers is how many values an argument may have.
const mostNumbers = 64

// take reads the values of an argument.
func (p parameter) take(texts []string, wereRounded bool) (numbers []Interval, err error) {
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
		n, err := p.number(text, wereRounded)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// number reads one number, which may have been rounded to its digits.
func (p parameter) number(text string, wereRounded bool) (Interval, error) {
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

// roundable refuses to take an argument as rounded whose values are whole numbers or names.
func (p parameter) roundable() error {
	switch {
	case p.whole:
		return fmt.Errorf("%s is a whole number, which nothing was rounded to", p.name)
	case p.named != nil:
		return fmt.Errorf("%s is a name, which nothing was rounded to", p.name)
	}
	return nil
}

// printed reads a number as a text prints it, a percentage as a share, with half a unit of
// its last digit: of 6.7e7 that is half a unit of the 7 behind the point, times 10⁷.
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

// isPrinted wants a number as a text prints it.
func isPrinted(text string) error {
	_, _, err := printed(text)
	return err
}
