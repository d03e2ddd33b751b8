package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
)

// axisFlag collects the values of one axis.
type axisFlag struct {
	axis   *experiment.Axis
	values []experiment.Value
}

func (a *axisFlag) Type() string { return "value" }

func (a *axisFlag) String() string { return "" }

// Set adds the values that a text means.
func (a *axisFlag) Set(text string) error {
	v, err := a.axis.ParseAll(text)
	switch {
	case err != nil:
		return err
	case !a.axis.Shared && len(a.values)+len(v) > 1:
		return errors.New("one cell has one value; give it once")
	}
	for _, x := range v {
		if slices.Contains(a.values, x) {
			return fmt.Errorf("%s is given a second time", x)
		}
		a.values = append(a.values, x)
	}
	return nil
}

// widen makes the flag take the values of another experiment's axis of that
// name, where it has more names.
func (a *axisFlag) widen(other *experiment.Axis) {
	if other.Names != nil && len(other.Names()) > len(a.axis.Names()) {
		a.axis = other
	}
}

// of are the flag's values as an experiment's own axis takes them. Of a shared
// axis it leaves out those that are another experiment's.
func (a *axisFlag) of(axis *experiment.Axis) ([]experiment.Value, error) {
	var values []experiment.Value
	for _, v := range a.values {
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

// or are the flag's values, or those of a text.
func (a *axisFlag) or(text string) ([]experiment.Value, error) {
	if len(a.values) > 0 {
		return a.values, nil
	}
	return a.axis.ParseAll(text)
}

// axisFlags are flags by the names of their axes.
type axisFlags map[string]*axisFlag

// blame names the flag of the axis that an error is about.
func (f axisFlags) blame(err error) error {
	if axis := (experiment.AxisError{}); errors.As(err, &axis) {
		return fmt.Errorf("--%s: %w", f[axis.Axis].axis.Flag(), axis)
	}
	return err
}

// addProbed makes a flag of every axis of the experiments that answer a probe.
func (f axisFlags) addProbed(flags *pflag.FlagSet) {
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
			f[a.Name] = &axisFlag{axis: a}
		}
	}
	for name, flag := range f {
		flags.Var(flag, flag.axis.Flag(), f.describe(name))
	}
}

// describe is what the help says of an axis.
func (f axisFlags) describe(name string) string {
	a := f[name].axis
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
