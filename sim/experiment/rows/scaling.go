package rows

import (
	"fmt"

	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Scaling is one way to make logits of scores: each is multiplied by a factor.
type Scaling struct {
	Axis   string // exponent, rule or temperature
	Value  experiment.AxisValue
	Factor float64 // of a score
}

// hardFactor stands for the limit of no temperature: it leaves no weight to a
// score that is 10⁻³⁵ below the greatest, and ties share.
const hardFactor = 0x1p126

// Hard reports whether the scaling is the limit of temperature 0, hard attention.
func (s Scaling) Hard() bool { return s.Factor == hardFactor }

// String names the scaling, which decides what a node of rows holds: not the factor, which is
// another at another d_k.
func (s Scaling) String() string { return s.Axis + "=" + s.Value.String() }

// Params of the rows that belong to the scaling.
func (s Scaling) Params() result.Params { return result.Params{s.Axis: s.Value.Any()} }

// Scalings returns the scalings of the shared axes of the cell.
func Scalings(c experiment.Cell) []Scaling {
	d := float64(c.Dimension())
	var all []Scaling
	for _, p := range c.Shared[experiment.ExponentAxis.Name] {
		all = append(all, Scaling{experiment.ExponentAxis.Name, p, elementary.Pow(d, -p.Number)})
	}
	for _, r := range c.Shared[experiment.RuleAxis.Name] {
		factor, _ := RuleOf(r).Factor(c.Dimension(), Keys(c))
		all = append(all, Scaling{experiment.RuleAxis.Name, r, factor})
	}
	for _, t := range c.Shared[TemperatureAxis.Name] {
		all = append(all, Scaling{TemperatureAxis.Name, t, factorOf(t)})
	}
	return all
}

// HeadlineRow returns a function that selects the estimate of the quantity under the scaling of the usual
// number if that is one of the first axis, such as the exponent 1/2, and otherwise under the first
// scaling.
func HeadlineRow(
	quantity string, scalingsOf func(experiment.Cell) []Scaling, usual float64,
) func(experiment.Cell) (string, result.Params) {
	return func(c experiment.Cell) (string, result.Params) {
		scalings := scalingsOf(c)
		for _, s := range scalings {
			if s.Axis == scalings[0].Axis && s.Value.Name == "" && s.Value.Number == usual {
				return quantity, s.Params()
			}
		}
		if len(scalings) == 0 {
			return quantity, nil
		}
		return quantity, scalings[0].Params()
	}
}

// factorOf returns what a temperature multiplies scores by.
func factorOf(t experiment.AxisValue) float64 {
	switch {
	case t.Name == names.TemperatureInfinite:
		return 0
	case t.Number == 0:
		return hardFactor
	}
	return 1 / t.Number
}

// Temperatures that are neither 0 nor infinite lie within these bounds.
const minTemperature, maxTemperature = 1e-30, 1e30

// TemperatureAxis is what scores are divided by: 0 for hard attention, infinite for
// uniform weights.
var TemperatureAxis = experiment.Axis{
	Name: names.ParamTemperature, Shared: true, Default: []string{},
	Range: fmt.Sprintf("%g..%g or infinite; √d_k is the usual scale", minTemperature, maxTemperature),
	Parse: func(text string) (experiment.AxisValue, error) {
		switch text {
		case names.TemperatureInfinite, "inf", ".inf", "∞":
			return experiment.AxisValue{Name: names.TemperatureInfinite}, nil
		}
		t, err := experiment.Number(text)
		if err == nil && t != 0 && !(t >= minTemperature && t <= maxTemperature) {
			err = fmt.Errorf("%s is not 0, %g..%g or infinite", text, minTemperature, maxTemperature)
		}
		return experiment.AxisValue{Number: t}, err
	},
}

// RefuseScalings says why a cell cannot be evaluated as its plan asks.
func RefuseScalings(c experiment.Cell) error {
	for _, s := range Scalings(c) {
		if !(s.Factor <= hardFactor) {
			return fmt.Errorf("a score is multiplied by %.3g at %s %s; at most 2^126 can be", s.Factor, s.Axis, s.Value)
		}
	}
	return nil
}

// Scaled begins a row with the scaling's params.
func Scaled(c experiment.Cell, s Scaling, quantity string, n int64, value, se float64) result.Estimate {
	return c.Estimate(quantity, n, value, se, s.Params())
}
