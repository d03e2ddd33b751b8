package cmdline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// Axis is a flag that collects values of an axis of experiments.
type Axis struct {
	Axis   *experiment.Axis
	Values []experiment.AxisValue
}

func (a *Axis) Type() string { return "value" }

func (a *Axis) String() string { return "" }

// Set parses a text and adds its values. Names of scales may contain commas in brackets.
func (a *Axis) Set(text string) error {
	isList := strings.Contains(text, ",") && !strings.Contains(text, "(")
	if isList && a.Axis.Shared {
		for part := range strings.SplitSeq(text, ",") {
			if err := a.Set(strings.TrimSpace(part)); err != nil {
				return err
			}
		}
		return nil
	}
	values, err := a.Axis.ParseAll(text)
	isUnknownDistribution := a.Axis.Name == names.ParamDistribution && errors.As(err, new(names.UnknownError))
	switch {
	case err != nil && isList:
		return fmt.Errorf("%q: one cell has one value; a plan may have a list", text)
	case err != nil && isUnknownDistribution:
		return fmt.Errorf("%w; mcsim inspect judges samples of any other", err)
	case err != nil:
		return err
	case !a.Axis.Shared && len(a.Values)+len(values) > 1:
		return errors.New("one cell has one value; give it once")
	}
	for _, v := range values {
		if slices.Contains(a.Values, v) {
			return fmt.Errorf("%s is given a second time", v)
		}
		a.Values = append(a.Values, v)
	}
	return nil
}

// AddAxis adds the flag of an axis to a command. --dist is a short form of --distribution.
func AddAxis(c *cobra.Command, axis *experiment.Axis, usage string) *Axis {
	value := &Axis{Axis: axis}
	c.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "dist" {
			name = names.ParamDistribution
		}
		return pflag.NormalizedName(name)
	})
	if axis.Name == names.ParamDistribution {
		usage += "; --dist for short"
	}
	c.Flags().Var(value, axis.Flag(), usage)
	if axis.Names != nil {
		CompleteValues(c, axis.Flag(), axis.Names()...)
	}
	return value
}

// Axes maps names of axes to their flags.
type Axes map[string]*Axis

// NameFlag puts the name of the flag before an error about an axis.
func (a Axes) NameFlag(err error) error {
	if axisErr, ok := errors.AsType[experiment.AxisError](err); ok {
		return fmt.Errorf("--%s: %w", a[axisErr.Axis].Axis.Flag(), axisErr)
	}
	return err
}
