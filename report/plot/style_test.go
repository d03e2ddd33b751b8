package plot

import (
	"fmt"
	"reflect"
	"testing"

	"mcsim/sim/names"
)

// A power of d_k looks the same whatever stands beside it, and whether it is called by
// its exponent or by the name of the scale; nothing else has its colour.
func TestPowersLookTheSameEverywhere(t *testing.T) {
	p := func(of any) Key { return Key{By: names.ParamExponent, Value: of} }
	scaled := []Key{p(0.0), p(0.25), p(1.0 / 3), p(0.5), p(2.0 / 3), p(1.0), {By: names.ParamRule, Value: names.RuleHalfRoot}}
	few := []Key{p(0.5), p(1.0), p(0.0)}
	scales := []Key{{By: names.ParamScale, Value: names.ScaleRoot}, {By: names.ParamScale, Value: names.ScaleUnscaled}}
	for what, pair := range map[string][2]any{
		"p = 1/2":         {StyleOf(scaled, 3), StyleOf(few, 0)},
		"p = 1":           {StyleOf(scaled, 5), StyleOf(few, 1)},
		"p = 0":           {StyleOf(scaled, 0), StyleOf(few, 2)},
		"root of d_k":     {StyleOf(scaled, 3), StyleOf(scales, 0)},
		"without a scale": {StyleOf(scaled, 0), StyleOf(scales, 1)},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: %v and %v", what, pair[0], pair[1])
		}
	}
	for i := range 6 {
		if StyleOf(scaled, i).Colour == StyleOf(scaled, 6).Colour {
			t.Errorf("series %d has the colour of the rule", i)
		}
	}
}

// Exponents that differ by little and those beyond 0 to 1 are told apart by marker and
// dash.
func TestNearlyEqualExponents(t *testing.T) {
	keys := []Key{}
	for _, p := range []float64{0.5, 0.505, 0.51, 1, 1.5, -1} {
		keys = append(keys, Key{By: names.ParamExponent, Value: p})
	}
	seen := map[string]int{}
	for i := range keys {
		s := StyleOf(keys, i)
		id := fmt.Sprint(s.Marker, s.Hollow, s.Dash)
		if j, ok := seen[id]; ok {
			t.Errorf("%v and %v have one marker and dash", keys[j], keys[i])
		}
		seen[id] = i
	}
}
