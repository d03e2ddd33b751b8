package experiment

import (
	"fmt"

	"mcsim/sim/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// scaling is one way to make logits of scores: each is multiplied by a factor.
type scaling struct {
	axis   string // exponent, rule or temperature
	value  Value
	factor float64
}

// hardFactor stands for the limit of no temperature: it leaves no weight to a
// score that is 10⁻³⁵ below the greatest, and ties share.
const hardFactor = 0x1p126

func (s scaling) hard() bool { return s.factor == hardFactor }

// certain reports whether the scaling is a limit, in which the weights hardly
// depend on the scores.
func (s scaling) certain() bool { return s.hard() || s.factor == 0 }

// params of the rows that belong to the scaling.
func (s scaling) params() []any { return []any{s.axis, s.value.Any()} }

// scalings are those of the cell's shared axes.
func (c Cell) scalings() []scaling {
	d := float64(c.Dimension())
	var all []scaling
	for _, p := range c.Shared[exponentAxis.Name] {
		all = append(all, scaling{exponentAxis.Name, p, elementary.Pow(d, -p.Number)})
	}
	for _, r := range c.Shared[ruleAxis.Name] {
		factor, _ := ruleOf(r).Factor(c.Dimension(), c.keys())
		all = append(all, scaling{ruleAxis.Name, r, factor})
	}
	for _, t := range c.Shared[temperatureAxis.Name] {
		all = append(all, scaling{temperatureAxis.Name, t, factorOf(t)})
	}
	return all
}

// factorOf is what a temperature multiplies scores by.
func factorOf(t Value) float64 {
	switch {
	case t.Name == names.TemperatureInfinite:
		return 0
	case t.Number == 0:
		return hardFactor
	}
	return 1 / t.Number
}

// Temperatures that are neither 0 nor infinite lie within these bounds.
const leastTemperature, mostTemperature = 1e-30, 1e30

var temperatureAxis = Axis{
	Name: names.ParamTemperature, Shared: true, Default: []string{},
	Range: fmt.Sprintf("%g..%g or infinite; √d_k is the usual scale", leastTemperature, mostTemperature),
	Parse: func(text string) (Value, error) {
		switch text {
		case names.TemperatureInfinite, "inf", ".inf", "∞":
			return Value{Name: names.TemperatureInfinite}, nil
		}
		t, err := Number(text)
		if err == nil && t != 0 && !(t >= leastTemperature && t <= mostTemperature) {
			err = fmt.Errorf("%s is not 0, %g..%g or infinite", text, leastTemperature, mostTemperature)
		}
		return Value{Number: t}, err
	},
}

// optional is a shared axis of no values where nothing is said.
func optional(a Axis) Axis {
	a.Default, a.Probe = []string{}, ""
	return a
}

// refuseScalings says why a cell cannot be evaluated as its plan asks.
func refuseScalings(c Cell) error {
	for _, s := range c.scalings() {
		if !(s.factor <= hardFactor) {
			return fmt.Errorf("a score is multiplied by %.3g at %s %s; at most 2^126 can be", s.factor, s.axis, s.value)
		}
	}
	return nil
}

// scaled begins a row with the scaling's params.
func (c Cell) scaled(s scaling, quantity string, n int64, value, se float64) result.Estimate {
	return c.row(quantity, n, value, se, s.params()...)
}
