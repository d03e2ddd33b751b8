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

// AxisValue is one point of an axis: a name, or a number if the name is empty.
type AxisValue struct {
	Number float64
	Name   string // in its canonical form
}

// String returns the value as it stands in the id of a cell.
func (v AxisValue) String() string {
	if v.Name != "" {
		return v.Name
	}
	return strconv.FormatFloat(v.Number, 'f', -1, 64)
}

// Any returns the value as it stands in params: a string or a float64.
func (v AxisValue) Any() any {
	if v.Name != "" {
		return v.Name
	}
	return v.Number
}

// Axis is one thing that a plan, a probe, an id, params and the schema call
// by the same name.
type Axis struct {
	Name    string
	Range   string                          // of its numbers, in words; empty for names
	Parse   func(string) (AxisValue, error) // one value, as people write it
	Names   func() []string                 // the names that it takes; nil for numbers
	Aliases func() []string                 // other names that it reads and never writes; nil for none
	Closed  bool                            // takes only these names, each written in one way
	Lo, Hi  float64                         // bounds of its numbers; both are 0 if none are known
	Whole   bool                            // takes only whole numbers
	Default []string                        // values if a plan gives none; nil if it must, unless All is set
	All     bool                            // a plan that gives no values has all names
	Omit    string                          // value that ids and params leave out; empty for none
	Shared  bool                            // its values are evaluated on the same draws, and not part of the id
	Probe   string                          // value of a probe without the flag; empty for a shared axis without one
}

// Doc returns the axis in a line: its meaning and its range.
func (a *Axis) Doc() string {
	title := names.EntryOf(names.GroupParameter, a.Name).Title
	if a.Range == "" {
		return title
	}
	return title + ", " + a.Range
}

// Flag returns the name of the flag of a command: d-k for d_k.
func (a *Axis) Flag() string { return strings.ReplaceAll(a.Name, "_", "-") }

// Usual returns the values if a plan gives none; nil if it must.
func (a *Axis) Usual() []string {
	if a.All {
		return a.Names()
	}
	return a.Default
}

// omits reports whether ids and params leave the value out.
func (a *Axis) omits(v AxisValue) bool { return a.Omit != "" && v.String() == a.Omit }

// MaxDimension is the largest d_k.
const MaxDimension = 1 << 20

// DistributionAxis is the distribution of the components of q and k.
var DistributionAxis = Axis{
	Name: names.ParamDistribution, Names: distribution.Names, Aliases: distribution.Aliases,
	Probe: names.DistributionNormal,
	Parse: func(text string) (AxisValue, error) {
		l, err := distribution.Parse(text, Number)
		if err != nil {
			return AxisValue{}, err
		}
		return AxisValue{Name: l.String()}, nil
	},
}

// DimensionAxis is d_k, the number of components of q and of k.
var DimensionAxis = CountAxis(names.ParamDimension, 1, MaxDimension, "64")

// EstimatorAxis is how a variance is estimated: from independent pairs, or from every query with every key.
var EstimatorAxis = NamesAxis(names.ParamEstimator, names.EstimatorDirect, names.EstimatorGram).Omitted()

// YesNoAxis returns an axis of two values, of which no is the default.
func YesNoAxis(name string) Axis {
	a := NamesAxis(name, names.No, names.Yes).Omitted()
	exact, yaml := a.Parse, map[string]string{"true": names.Yes, "false": names.No}
	a.Closed = false
	a.Parse = func(text string) (AxisValue, error) { return exact(cmp.Or(yaml[text], text)) }
	return a
}

// MaxExponent bounds |p|: beyond it d_k^2p overflows nothing, but means nothing.
const MaxExponent = 4

// ExponentAxis is the p of a division by d_k^p, evaluated on the same draws.
var ExponentAxis = NumberAxis(names.ParamExponent, -MaxExponent, MaxExponent, "1/2").
	OnSameDraws("0", "1/4", "1/3", "1/2", "2/3", "1")

// RuleAxis has the one rule that the experiments on scores know besides exponents, √(d_k/2). Package rows
// has axes of more rules.
var RuleAxis = OfNames(Axis{
	Name: names.ParamRule, Names: func() []string { return []string{names.RuleHalfRoot} },
}).OnSameDraws(names.RuleHalfRoot)

// AxisError is an error about a cell that one axis causes.
type AxisError struct {
	Axis string
	Err  error
}

func (e AxisError) Error() string { return e.Err.Error() }
func (e AxisError) Unwrap() error { return e.Err }

// Blame returns an error about the axis.
func (a *Axis) Blame(format string, args ...any) error {
	return AxisError{a.Name, fmt.Errorf(format, args...)}
}

// ParseAll reads values of the axis. A text like 1..4096 means the doublings of its lower end up to its
// upper end.
func (a *Axis) ParseAll(text string) ([]AxisValue, error) {
	low, high, isRange := strings.Cut(text, "..")
	if !isRange || a.Names != nil {
		v, err := a.Parse(text)
		return []AxisValue{v}, err
	}
	first, err := a.Parse(low)
	if err != nil {
		return nil, err
	}
	last, err := a.Parse(high)
	if err != nil {
		return nil, err
	}
	if first.Number <= 0 || last.Number < first.Number {
		return nil, fmt.Errorf("%s is not a range of doublings from a positive number upward", text)
	}
	var values []AxisValue
	for x := first.Number; x <= last.Number; x *= 2 {
		values = append(values, AxisValue{Number: x})
	}
	return values, nil
}

// NumberAxis returns an axis of numbers from lo to hi.
func NumberAxis(name string, lo, hi float64, probe string) Axis {
	return Axis{Name: name, Range: fmt.Sprintf("%v..%v", lo, hi), Lo: lo, Hi: hi, Probe: probe,
		Parse: func(text string) (AxisValue, error) {
			x, err := Number(text)
			if err == nil && !(x >= lo && x <= hi) {
				err = fmt.Errorf("%s is not in %v..%v", text, lo, hi)
			}
			return AxisValue{Number: x + 0}, err // and not −0
		}}
}

// OfNames returns the axis as one that takes only its names.
func OfNames(a Axis) Axis {
	a.Closed = true
	a.Parse = func(text string) (AxisValue, error) {
		if valid := a.Names(); !slices.Contains(valid, text) {
			return AxisValue{}, names.UnknownError{Kind: a.Name, Name: text, Names: valid}
		}
		return AxisValue{Name: text}, nil
	}
	return a
}

// NamesAxis returns an axis of these names, the first of which is the default.
func NamesAxis(name string, values ...string) Axis {
	return OfNames(Axis{Name: name, Names: func() []string { return values }, Default: values[:1], Probe: values[0]})
}

// Omitted returns the axis as one whose default ids and params leave out.
func (a Axis) Omitted() Axis {
	a.Default, a.Omit = []string{a.Probe}, a.Probe
	return a
}

// OnSameDraws returns the axis as a shared one, with these defaults.
func (a Axis) OnSameDraws(defaults ...string) Axis {
	a.Shared, a.Default = true, defaults
	return a
}

// CountAxis returns an axis of whole numbers from lo to hi, with these defaults.
func CountAxis(name string, lo, hi int64, probe string, defaults ...string) Axis {
	return Axis{Name: name, Range: fmt.Sprintf("%d..%d", lo, hi), Lo: float64(lo), Hi: float64(hi), Whole: true,
		Probe: probe, Default: defaults,
		Parse: func(text string) (AxisValue, error) {
			n, err := Integer(text, lo, hi)
			return AxisValue{Number: float64(n)}, err
		}}
}
