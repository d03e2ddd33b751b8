package plot

import (
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// row is one of so many keys.
func row(value, lo, hi, keys float64) result.Estimate {
	return result.Estimate{Value: result.Number(value), Lo: result.Number(lo), Hi: result.Number(hi), Params: result.Params{names.ParamKeys: keys}}
}

// A setting is too soft where its largest weight is within a quarter of that of equal
// weights, and saturated by the R of its median row.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		r, a, keys float64
		want       string
	}{
		{0.99, 1.24 / 8, 8, names.LabelTooSoft}, {0.99, 1.26 / 8, 8, names.LabelHealthy}, {0.99, 1.24 / 512, 512, names.LabelTooSoft},
		{0.5, 0.7, 8, names.LabelHealthy}, {0.49, 0.7, 8, names.LabelFading}, {0.04, 0.9, 8, names.LabelDying}, {1e-4, 0.99, 8, names.LabelDead},
	} {
		if got := SettingOf(row(c.r, c.r, c.r, c.keys), row(c.a, c.a, c.a, c.keys)).Name; got != c.want {
			t.Errorf("R = %v and a weight of %v of %v keys are %s, want %s", c.r, c.a, c.keys, got, c.want)
		}
	}
}

// Colours never contradict labels, whatever the number of keys: what is healthy stands nearer
// to the middle than what is not.
func TestColoursAgreeWithLabels(t *testing.T) {
	for _, keys := range []float64{2, 8, 64, 4096} {
		for m := 1.0; m <= keys; m *= 1.03 {
			// Of all rows with this largest weight the largest R has the rest spread evenly.
			a := m / keys
			even := (1 - a*a - (1-a)*(1-a)/(keys-1)) / (1 - 1/keys)
			for _, r := range []float64{even, even / 3, even * even * even * even} {
				median, weight := row(r, r, r, keys), row(a, a, a, keys)
				u, ok := Departure(median, weight)
				low, high := 0.27, 0.61
				switch SettingOf(median, weight).Name {
				case names.LabelHealthy:
				case names.LabelTooSoft:
					low, high = 0, 0.21
				default:
					low, high = 0.67, 1
				}
				if !ok || u < low || u > high {
					t.Errorf("%v keys, n·a = %.3f, R = %.4f: %s at %.3f", keys, m, r, SettingOf(median, weight).Name, u)
				}
			}
		}
	}
}
