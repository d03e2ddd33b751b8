package rows

import (
	"fmt"

	"mcsim/sim/attention/rule"
	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Scaling converts scores into logits: each score is multiplied by a factor. With a LogitRule, the
// factor is 1, and RowGroup.Logits applies the rule.
type Scaling struct {
	Axis   string // exponent, rule or temperature; empty for a scale that the experiment always has
	Value  experiment.AxisValue
	Factor float64 // logit/score
}

// LogitRule returns the rule of a scaling whose logits are not multiples of scores. It returns false
// for other scalings.
func (s Scaling) LogitRule() (rule.Rule, bool) {
	if s.Axis != experiment.RuleAxis.Name {
		return rule.Rule{}, false
	}
	r := RuleOf(s.Value)
	_, multiplies := r.Factor(1, 1)
	return r, !multiplies
}

// NormalisedBound returns the largest logit under a LogitRule that divides q and k by their lengths.
// It returns false for other scalings.
func (s Scaling) NormalisedBound(d int) (float64, bool) {
	r, _ := s.LogitRule()
	factor, ok := r.NormalisedFactor(d)
	return float64(factor * float64(d)), ok
}

// hardFactor is the factor of temperature 0. It is finite, but so large that a score that is 10⁻³⁵
// below the largest score gets no weight. Equal largest scores get equal weights.
const hardFactor = 0x1p126

// Hard reports whether the scaling is the limit of temperature 0, hard attention.
func (s Scaling) Hard() bool { return s.Factor == hardFactor }

// String returns the axis and the value, which identify the scaling in a node. It does not return
// the factor, which may depend on d_k.
func (s Scaling) String() string { return s.Axis + "=" + s.Value.String() }

// Params returns the parameters of estimates under the scaling.
func (s Scaling) Params() result.Params {
	if s.Axis == "" {
		return nil
	}
	return result.Params{s.Axis: s.Value.Any()}
}

// Scalings returns the scalings of the shared axes of the cell.
func Scalings(c experiment.Cell) []Scaling {
	d := float64(c.Dimension())
	var scalings []Scaling
	for _, p := range c.Shared[experiment.ExponentAxis.Name] {
		scalings = append(scalings, Scaling{experiment.ExponentAxis.Name, p, elementary.Pow(d, -p.Number)})
	}
	for _, r := range c.Shared[experiment.RuleAxis.Name] {
		factor, multiplies := RuleOf(r).Factor(c.Dimension(), Keys(c))
		if !multiplies {
			factor = 1
		}
		scalings = append(scalings, Scaling{experiment.RuleAxis.Name, r, factor})
	}
	for _, t := range c.Shared[TemperatureAxis.Name] {
		scalings = append(scalings, Scaling{TemperatureAxis.Name, t, temperatureFactor(t)})
	}
	return scalings
}

// SelectHeadline returns a function that selects the headline: the estimate of the quantity under
// one of the scalings. On the axis of the first scaling, the function selects the scaling with
// defaultValue (such as the exponent 1/2); if there is no such scaling, it selects the first.
func SelectHeadline(
	quantity string, scalingsOf func(experiment.Cell) []Scaling, defaultValue float64,
) func(experiment.Cell) (string, result.Params) {
	return func(c experiment.Cell) (string, result.Params) {
		scalings := scalingsOf(c)
		for _, s := range scalings {
			if s.Axis == scalings[0].Axis && s.Value.Name == "" && s.Value.Number == defaultValue {
				return quantity, s.Params()
			}
		}
		if len(scalings) == 0 {
			return quantity, nil
		}
		return quantity, scalings[0].Params()
	}
}

func temperatureFactor(t experiment.AxisValue) float64 {
	switch {
	case t.Name == names.TemperatureInfinite:
		return 0
	case t.Number == 0:
		return hardFactor
	}
	return 1 / t.Number
}

// Bounds of temperatures that are neither 0 nor infinite.
const minTemperature, maxTemperature = 1e-30, 1e30

// TemperatureAxis has the temperatures by which scores are divided: 0 means hard attention, and
// infinite means uniform weights.
var TemperatureAxis = experiment.Axis{
	Name: names.ParamTemperature, Shared: true, Default: []string{},
	Range: fmt.Sprintf("%g..%g or infinite; √d_k is the usual scale", minTemperature, maxTemperature),
	Parse: func(text string) (experiment.AxisValue, error) {
		switch text {
		case names.TemperatureInfinite, "inf", ".inf", "∞":
			return experiment.AxisValue{Name: names.TemperatureInfinite}, nil
		}
		t, err := experiment.Number(text)
		isInRange := t == 0 || t >= minTemperature && t <= maxTemperature
		if err == nil && !isInRange {
			err = fmt.Errorf("%s is not 0, %g..%g or infinite", text, minTemperature, maxTemperature)
		}
		return experiment.AxisValue{Number: t}, err
	},
}

// RefuseScalings returns an error if a factor is larger than the factor of temperature 0.
func RefuseScalings(c experiment.Cell) error {
	for _, s := range Scalings(c) {
		if !(s.Factor <= hardFactor) {
			return fmt.Errorf("%s %s: the factor of a score is %.3g; the maximum is 2^126", s.Axis, s.Value, s.Factor)
		}
	}
	return nil
}
