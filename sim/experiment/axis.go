package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcsim/sim/base/distribution"
	"mcsim/sim/names"
)

// Value is one point of an axis: a name, or a number where the name is empty.
type Value struct {
	Number float64
	Name   string // in its canonical form
}

// String is how the value stands in a cell's id.
func (v Value) String() string {
	if v.Name != "" {
		return v.Name
	}
	return strconv.FormatFloat(v.Number, 'f', -1, 64)
}

// Any is the value as it stands in params: a string or a float64.
func (v Value) Any() any {
	if v.Name != "" {
		return v.Name
	}
	return v.Number
}

// Axis is one thing that a plan, a probe, an id, params and the schema call
// by the same name.
type Axis struct {
	Name    string
	Range   string                      // of its numbers, in words; empty for names
	Parse   func(string) (Value, error) // one value, as people write it
	Names   func() []string             // the names it takes, nil for numbers
	Aliases func() []string             // other names that it reads, and never writes; nil for none
	Closed  bool                        // takes these names alone, each written in one way
	Lo, Hi  float64                     // bounds of its numbers; both 0: none are known
	Whole   bool                        // takes whole numbers alone
	Default []string                    // nil: a plan must give it, unless All
	All     bool                        // where a plan says nothing it has all names
	Omit    string                      // the value that ids and params leave out; empty: every value stands there
	Shared  bool                        // evaluated on the same draws: not in the id
	Probe   string                      // value of a probe where no flag is given; empty: none, of a shared axis
}

// Doc is the axis in a line: its meaning, and its range.
func (a *Axis) Doc() string {
	title := names.Of(names.GroupParameter, a.Name).Title
	if a.Range == "" {
		return title
	}
	return title + ", " + a.Range
}

// Flag is the axis as a command's flag: d_k is --d-k.
func (a *Axis) Flag() string { return strings.ReplaceAll(a.Name, "_", "-") }

// Usual are the values where a plan gives none; nil: it must.
func (a *Axis) Usual() []string {
	if a.All {
		return a.Names()
	}
	return a.Default
}

// omits reports whether ids and params leave the value out.
func (a *Axis) omits(v Value) bool { return a.Omit != "" && v.String() == a.Omit }

// MaxDimension is the largest d_k.
const MaxDimension = 1 << 20

// DistributionAxis is the distribution of the components of q and k.
var DistributionAxis = Axis{
	Name: names.ParamDistribution, Names: distribution.Names, Aliases: distribution.Aliases,
	Probe: names.DistributionNormal,
	Parse: func(text string) (Value, error) {
		l, err := distribution.Parse(text, Number)
		if err != nil {
			return Value{}, err
		}
		return Value{Name: l.String()}, nil
	},
}

// DimensionAxis is d_k, the number of components of q and of k.
var DimensionAxis = CountAxis(names.ParamDimension, 1, MaxDimension, "64")

// EstimatorAxis is how a variance is estimated: from independent pairs, or from every
// query with every key.
var EstimatorAxis = NamesAxis(names.ParamEstimator, names.EstimatorDirect, names.EstimatorGram).Omitted()

// YesNoAxis is an axis of two values, no where nothing is said.
func YesNoAxis(name string) Axis {
	a := NamesAxis(name, names.No, names.Yes).Omitted()
	exact, yaml := a.Parse, map[string]string{"true": names.Yes, "false": names.No}
	a.Closed = false
	a.Parse = func(text string) (Value, error) { return exact(cmp.Or(yaml[text], text)) }
	return a
}

// MaxExponent bounds |p|: beyond it d_k^2p overflows nothing, but means nothing.
const MaxExponent = 4

// ExponentAxis is the p of a division by d_k^p, evaluated on the same draws.
var ExponentAxis = NumberAxis(names.ParamExponent, -MaxExponent, MaxExponent, "1/2").
	OnSameDraws("0", "1/4", "1/3", "1/2", "2/3", "1")

// RuleAxis is the one rule that the experiments on scores know beside exponents,
// √(d_k/2). Package rows has axes of more rules.
var RuleAxis = OfNames(Axis{
	Name: names.ParamRule, Names: func() []string { return []string{names.RuleHalfRoot} },
}).OnSameDraws(names.RuleHalfRoot)

// AxisError says that a cell cannot be, and which axis is to blame.
type AxisError struct {
	Axis string
	Err  error
}

func (e AxisError) Error() string { return e.Err.Error() }
func (e AxisError) Unwrap() error { return e.Err }

// Blame makes an error about an axis.
func (a *Axis) Blame(format string, args ...any) error {
	return AxisError{a.Name, fmt.Errorf(format, args...)}
}

// ParseAll reads the values of an axis. A text like 1..4096 stands for the
// doublings of its lower end up to its upper end.
func (a *Axis) ParseAll(text string) ([]Value, error) {
	low, high, isRange := strings.Cut(text, "..")
	if !isRange || a.Names != nil {
		v, err := a.Parse(text)
		return []Value{v}, err
	}
	from, err := a.Parse(low)
	if err != nil {
		return nil, err
	}
	to, err := a.Parse(high)
	if err != nil {
		return nil, err
	}
	if from.Number <= 0 || to.Number < from.Number {
		return nil, fmt.Errorf("%s is not a range of doublings from a positive number upward", text)
	}
	var values []Value
	for x := from.Number; x <= to.Number; x *= 2 {
		values = append(values, Value{Number: x})
	}
	return values, nil
}

// NumberAxis takes numbers from lo to hi.
func NumberAxis(name string, lo, hi float64, probe string) Axis {
	return Axis{Name: name, Range: fmt.Sprintf("%v..%v", lo, hi), Lo: lo, Hi: hi, Probe: probe,
		Parse: func(text string) (Value, error) {
			x, err := Number(text)
			if err == nil && !(x >= lo && x <= hi) {
				err = fmt.Errorf("%s is not in %v..%v", text, lo, hi)
			}
			return Value{Number: x + 0}, err // and not −0
		}}
}

// OfNames is the axis that takes its names, and nothing else.
func OfNames(a Axis) Axis {
	a.Closed = true
	a.Parse = func(text string) (Value, error) {
		if valid := a.Names(); !slices.Contains(valid, text) {
			return Value{}, names.UnknownError{Kind: a.Name, Name: text, Names: valid}
		}
		return Value{Name: text}, nil
	}
	return a
}

// NamesAxis takes these names, the first of which is the usual one.
func NamesAxis(name string, values ...string) Axis {
	return OfNames(Axis{Name: name, Names: func() []string { return values }, Default: values[:1], Probe: values[0]})
}

// Omitted is the axis of which ids and params leave the usual value out.
func (a Axis) Omitted() Axis {
	a.Default, a.Omit = []string{a.Probe}, a.Probe
	return a
}

// OnSameDraws is the axis whose values are all evaluated on the same draws, these where a
// plan names none.
func (a Axis) OnSameDraws(defaults ...string) Axis {
	a.Shared, a.Default = true, defaults
	return a
}

// CountAxis takes whole numbers from lo to hi; a plan that says nothing has the defaults.
func CountAxis(name string, lo, hi int64, probe string, defaults ...string) Axis {
	return Axis{Name: name, Range: fmt.Sprintf("%d..%d", lo, hi), Lo: float64(lo), Hi: float64(hi), Whole: true,
		Probe: probe, Default: defaults,
		Parse: func(text string) (Value, error) {
			n, err := Integer(text, lo, hi)
			return Value{Number: float64(n)}, err
		}}
}
