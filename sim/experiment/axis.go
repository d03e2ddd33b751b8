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

// AxisValue is one value of an axis: a name, or a number if the name is empty.
type AxisValue struct {
	Number float64
	Name   string // in its canonical form
}

// String returns the value in the form of cell ids.
func (v AxisValue) String() string {
	if v.Name != "" {
		return v.Name
	}
	return strconv.FormatFloat(v.Number, 'f', -1, 64)
}

// Any returns the value in the form of the params of an estimate: a string or a float64.
func (v AxisValue) Any() any {
	if v.Name != "" {
		return v.Name
	}
	return v.Number
}

// Axis is a variable of an experiment. Plans, flags, ids of cells, params and the schema use the
// same name for it.
type Axis struct {
	Name    string
	Range   string                          // range of the numbers as people read it; empty for names
	Parse   func(string) (AxisValue, error) // parses one value as people write it
	Names   func() []string                 // the accepted names; nil for numbers
	Aliases func() []string                 // names that are parsed but never written; nil if none
	Closed  bool                            // only Names are accepted, in exactly this spelling
	Lo, Hi  float64                         // bounds of the numbers; both are 0 if unknown
	Integer bool                            // only whole numbers are accepted
	// Default has the values for a plan without values of the axis. If it is nil and DefaultsToAll
	// is false, a plan must have values.
	Default       []string
	DefaultsToAll bool   // the default is all Names
	OmittedValue  string // the value that ids and params omit; empty if none
	// Shared means that all values are evaluated on the same samples, so that they are not part of
	// the id of a cell.
	Shared bool
	// Probe is the value of the axis in a probe without its flag. A shared axis with an empty Probe
	// is then omitted.
	Probe string
	// HasNoSpecimens leaves the names out of the fingerprint of the samples. So an axis that was added
	// later does not change the IDs of older nodes.
	HasNoSpecimens bool
}

// Doc returns the meaning and the range of the axis in one line.
func (a *Axis) Doc() string {
	title := names.EntryOf(names.GroupParameter, a.Name).Title
	if a.Range == "" {
		return title
	}
	return title + ", " + a.Range
}

// Flag returns the name of the axis's command-line flag: d-k for d_k.
func (a *Axis) Flag() string { return strings.ReplaceAll(a.Name, "_", "-") }

// Defaults returns the values for a plan without values of the axis, or nil if a plan must have
// them.
func (a *Axis) Defaults() []string {
	if a.DefaultsToAll {
		return a.Names()
	}
	return a.Default
}

// isOmitted reports whether ids and params omit the value.
func (a *Axis) isOmitted(v AxisValue) bool {
	return a.OmittedValue != "" && v.String() == a.OmittedValue
}

// MaxDimension is the largest d_k.
const MaxDimension = 1 << 20

// DistributionAxis selects the distribution of the components of q and k.
var DistributionAxis = Axis{
	Name: names.ParamDistribution, Names: distribution.Names, Aliases: distribution.Aliases,
	Probe: names.DistributionNormal,
	Parse: func(text string) (AxisValue, error) {
		d, err := distribution.Parse(text, Number)
		if err != nil {
			return AxisValue{}, err
		}
		return AxisValue{Name: d.String()}, nil
	},
}

// DimensionAxis is d_k, the number of components of q and of k.
var DimensionAxis = CountAxis(names.ParamDimension, 1, MaxDimension, "64")

// EstimatorAxis selects the estimator of a variance: independent pairs, or every query with every
// key.
var EstimatorAxis = NamesAxis(names.ParamEstimator, names.EstimatorDirect, names.EstimatorGram).OmitDefault()

// YesNoAxis returns an axis with the values no and yes, which also accepts false and true, the
// booleans of YAML. The default is no.
func YesNoAxis(name string) Axis {
	a := NamesAxis(name, names.No, names.Yes).OmitDefault()
	parseName := a.Parse
	nameOf := map[string]string{"true": names.Yes, "false": names.No}
	a.Closed = false
	a.Parse = func(text string) (AxisValue, error) { return parseName(cmp.Or(nameOf[text], text)) }
	return a
}

// MaxExponent is the largest |p| of an exponent p. Larger exponents would not overflow, but they
// would not be useful.
const MaxExponent = 4

// ExponentAxis has the exponents p of a division of scores by d_k^p.
var ExponentAxis = NumberAxis(names.ParamExponent, -MaxExponent, MaxExponent, "1/2").
	AsShared("0", "1/4", "1/3", "1/2", "2/3", "1")

// RuleAxis has only the rule √(d_k/2), which the experiments on scores apply in addition to the
// exponents. Package rows has axes with more rules.
var RuleAxis = RestrictToNames(Axis{
	Name: names.ParamRule, Names: func() []string { return []string{names.RuleHalfRoot} },
}).AsShared(names.RuleHalfRoot)

// AxisError is the error of a cell if the cause is its value on one axis.
type AxisError struct {
	Axis string
	Err  error
}

func (e AxisError) Error() string { return e.Err.Error() }
func (e AxisError) Unwrap() error { return e.Err }

// Errorf returns an error about the axis.
func (a *Axis) Errorf(format string, args ...any) error {
	return AxisError{a.Name, fmt.Errorf(format, args...)}
}

// ParseAll parses one value, or a range such as 1..4096, which means the lower end and its
// doublings up to the upper end.
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

// NumberAxis returns an axis of numbers from lo to hi, with the given value in a probe.
func NumberAxis(name string, lo, hi float64, probe string) Axis {
	return Axis{Name: name, Range: fmt.Sprintf("%v..%v", lo, hi), Lo: lo, Hi: hi, Probe: probe,
		Parse: func(text string) (AxisValue, error) {
			x, err := Number(text)
			if err == nil && !(x >= lo && x <= hi) {
				err = fmt.Errorf("%s is not in %v..%v", text, lo, hi)
			}
			return AxisValue{Number: x + 0}, err // + 0 turns −0 into 0
		}}
}

// RestrictToNames returns the axis with a Parse that accepts only its names.
func RestrictToNames(a Axis) Axis {
	a.Closed = true
	a.Parse = func(text string) (AxisValue, error) {
		if valid := a.Names(); !slices.Contains(valid, text) {
			return AxisValue{}, names.UnknownError{Kind: a.Name, Name: text, Names: valid}
		}
		return AxisValue{Name: text}, nil
	}
	return a
}

// NamesAxis returns an axis with these names; the first is its default and its value in a probe.
func NamesAxis(name string, values ...string) Axis {
	return RestrictToNames(Axis{Name: name, Names: func() []string { return values }, Default: values[:1],
		Probe: values[0]})
}

// OmitDefault returns the axis with the probe's value as its default, which ids and params omit.
func (a Axis) OmitDefault() Axis {
	a.Default, a.OmittedValue = []string{a.Probe}, a.Probe
	return a
}

// AsShared returns the axis as a shared axis with these defaults.
func (a Axis) AsShared(defaults ...string) Axis {
	a.Shared, a.Default = true, defaults
	return a
}

// CountAxis returns an axis of whole numbers from lo to hi, with the given value in a probe and the
// given defaults.
func CountAxis(name string, lo, hi int64, probe string, defaults ...string) Axis {
	return Axis{Name: name, Range: fmt.Sprintf("%d..%d", lo, hi), Lo: float64(lo), Hi: float64(hi), Integer: true,
		Probe: probe, Default: defaults,
		Parse: func(text string) (AxisValue, error) {
			n, err := Integer(text, lo, hi)
			return AxisValue{Number: float64(n)}, err
		}}
}
