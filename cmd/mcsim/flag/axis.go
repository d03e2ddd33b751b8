package flag

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
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
	case err != nil && strings.Contains(text, ",") && !strings.Contains(text, "("):
		return fmt.Errorf("%q: give the flag once for each value", text)
	case err != nil && a.Axis.Name == names.ParamDistribution && errors.As(err, new(names.UnknownError)):
		return fmt.Errorf("%w; mcsim inspect judges samples of any other", err)
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

// Axes are flags by the names of their axes.
type Axes map[string]*Axis

// Blame names the flag of the axis that an error is about.
func (f Axes) Blame(err error) error {
	if axis := (experiment.AxisError{}); errors.As(err, &axis) {
		return fmt.Errorf("--%s: %w", f[axis.Axis].Axis.Flag(), axis)
	}
	return err
}
