package flag

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
)

// Axis collects the values of one axis.
type Axis struct {
	Axis   *experiment.Axis
	Values []experiment.Value
}

func (a *Axis) Type() string { return "value" }

func (a *Axis) String() string { return "" }

// Set adds the values that a text means.
func (a *Axis) Set(text string) error {
	v, err := a.Axis.ParseAll(text)
	switch {
	case err != nil:
		return err
	case !a.Axis.Shared && len(a.Values)+len(v) > 1:
		return errors.New("one cell has one value; give it once")
	}
	for _, x := range v {
		if slices.Contains(a.Values, x) {
			return fmt.Errorf("%s is given a second time", x)
		}
		a.Values = append(a.Values, x)
	}
	return nil
}

// widen makes the flag take the values of another experiment's axis of that
// name, where it has more names.
func (a *Axis) widen(other *experiment.Axis) {
	if other.Names != nil && len(other.Names()) > len(a.Axis.Names()) {
		a.Axis = other
	}
}

// Of are the flag's values as an experiment's own axis takes them. Of a shared
// axis it leaves out those that are another experiment's.
func (a *Axis) Of(axis *experiment.Axis) ([]experiment.Value, error) {
	var values []experiment.Value
	for _, v := range a.Values {
		own, err := axis.ParseAll(v.String())
		switch {
		case err == nil:
			values = append(values, own...)
		case !axis.Shared:
			return nil, fmt.Errorf("--%s: %w", axis.Flag(), err)
		}
	}
	return values, nil
}

// Or are the flag's values, or those of a text.
func (a *Axis) Or(text string) ([]experiment.Value, error) {
	if len(a.Values) > 0 {
		return a.Values, nil
	}
	return a.Axis.ParseAll(text)
}

// Axes are flags by the names of their axes.
type Axes map[string]*Axis

// Blame names the flag of the axis that an error is about.
func (f Axes) Blame(err error) error {
	if axis := (experiment.AxisError{}); errors.As(err, &axis) {
		return fmt.Errorf("--%s: %w", f[axis.Axis].Axis.Flag(), axis)
	}
	return err
}

// AddProbed makes a flag of every axis of the experiments that answer a probe.
func (f Axes) AddProbed(flags *pflag.FlagSet) {
	for _, e := range all.Table {
		for i := range e.Axes {
			a := &e.Axes[i]
			if !e.Probed {
				continue
			}
			if known := f[a.Name]; known != nil {
				known.widen(a)
				continue
			}
			f[a.Name] = &Axis{Axis: a}
		}
	}
	for name, flag := range f {
		flags.Var(flag, flag.Axis.Flag(), f.describe(name))
	}
}

// describe is what the help says of an axis.
func (f Axes) describe(name string) string {
	a := f[name].Axis
	doc := a.Doc()
	if a.Names != nil {
		doc += ": " + strings.Join(a.Names(), ", ")
	}
	if a.Shared {
		doc += "; may be repeated"
	}
	if a.Probe != "" && !slices.ContainsFunc(all.Table, func(e *experiment.Experiment) bool { return e.Asked == name }) {
		doc += " (default " + a.Probe + ")"
	}
	return doc
}
