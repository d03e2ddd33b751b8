package plot

import (
	"reflect"
	"testing"

	"mcsim/sim/names"
)

// TestPowersHaveOneStyle checks that the style of a power of d_k depends neither on the other
// series nor on whether the exponent or the name of the scale identifies the series. It also checks
// that another rule does not have the colour of a power.
func TestPowersHaveOneStyle(t *testing.T) {
	p := func(exponent float64) SeriesID { return SeriesID{Param: names.ParamExponent, Value: exponent} }
	scaled := []SeriesID{
		p(0), p(0.25), p(1.0 / 3), p(0.5), p(2.0 / 3), p(1), {Param: names.ParamRule, Value: names.RuleHalfRoot},
	}
	few := []SeriesID{p(0.5), p(1.0), p(0.0)}
	scales := []SeriesID{
		{Param: names.ParamScale, Value: names.ScaleRoot},
		{Param: names.ParamScale, Value: names.ScaleUnscaled},
	}
	for name, pair := range map[string][2]any{
		"p = 1/2":         {SeriesStyle(scaled, 3), SeriesStyle(few, 0)},
		"p = 1":           {SeriesStyle(scaled, 5), SeriesStyle(few, 1)},
		"p = 0":           {SeriesStyle(scaled, 0), SeriesStyle(few, 2)},
		"root of d_k":     {SeriesStyle(scaled, 3), SeriesStyle(scales, 0)},
		"without a scale": {SeriesStyle(scaled, 0), SeriesStyle(scales, 1)},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s has two styles: %v and %v", name, pair[0], pair[1])
		}
	}
	for i := range 6 {
		if SeriesStyle(scaled, i).Colour == SeriesStyle(scaled, 6).Colour {
			t.Errorf("series %d has the colour of the rule, want different colours", i)
		}
	}
}
