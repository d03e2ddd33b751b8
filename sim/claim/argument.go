package claim

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
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
	if given := a.numbers[name]; len(given) > 0 {
		return given[0]
	}
	return point(omitted)
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

// yes reports whether an argument says yes.
func (a Args) yes(of string) bool { return slices.Equal(a.texts[of], []string{names.Yes}) }

// parameter is one argument of a function.
type parameter struct {
	name     string
	lo, hi   float64                 // of each number
	whole    bool                    // numbers are whole
	named    func(text string) error // not nil: names in place of numbers
	list     bool                    // may have several values
	optional bool
}

// mostNumbers is how many values an argument may have.
const mostNumbers = 64

// take reads the values of an argument.
func (p parameter) take(texts []string, wereRounded bool) (numbers []Interval, err error) {
	switch {
	case len(texts) == 0:
		return nil, fmt.Errorf("has no value")
	case len(texts) > mostNumbers || len(texts) > 1 && !p.list:
		return nil, fmt.Errorf("has %d values; it takes %s", len(texts), p.count())
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

// count says how many values an argument takes.
func (p parameter) count() string {
	if p.list {
		return fmt.Sprintf("1 to %d", mostNumbers)
	}
	return "one"
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
	return Interval{x - half, x + half}, err
}

// printed reads a number as a text prints it, a percentage as a share, with half a unit of
// its last digit.
func printed(text string) (value, half float64, err error) {
	value, err = experiment.Number(text)
	if err != nil {
		return 0, 0, err
	}
	digits, percent := strings.CutSuffix(text, "%")
	if strings.ContainsAny(digits, "/^eE") {
		return value, 0, nil // nothing was rounded
	}
	_, fraction, _ := strings.Cut(digits, ".")
	places := len(fraction)
	if percent {
		places += 2
	}
	half = 0.5
	for range places {
		half /= 10
	}
	return value, half, nil
}
