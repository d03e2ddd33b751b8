package plot

import (
	"math"
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

// Colours never contradict labels: each label has a stretch of the scale of its own,
// whatever the number of keys, and where a label changes, the colour steps.
func TestColoursAgreeWithLabels(t *testing.T) {
	stretch := map[string][2]float64{names.LabelHealthy: {2, -1}}
	for _, g := range Settings {
		if g.Name != names.LabelHealthy {
			stretch[g.Name] = [2]float64{min(g.shades.mild, g.shades.strong), max(g.shades.mild, g.shades.strong)}
		}
	}
	for _, keys := range []float64{2, 8, 64, 4096} {
		for m := 1.0; m <= keys; m *= 1.03 {
			// Of all rows with this largest weight, the least R has all other weight on one
			// key, the largest has it spread evenly; a median lies about there.
			a := m / keys
			even := (1 - a*a - (1-a)*(1-a)/(keys-1)) / (1 - 1/keys)
			for _, r := range []float64{even, even / 3, even * even * even * even} {
				if m < math.Sqrt(keys) && r < 0.5 {
					continue // no rows are near uniform on average, and near one key in the middle
				}
				if m < 1.3 {
					r = even
				}
				median, weight := row(r, r, r, keys), row(a, a, a, keys)
				u, ok := Departure(median, weight)
				name := SettingOf(median, weight).Name
				s := stretch[name]
				if name == names.LabelHealthy {
					stretch[name] = [2]float64{min(s[0], u), max(s[1], u)}
				} else if u < s[0]-1e-9 || u > s[1]+1e-9 {
					ok = false
				}
				if !ok {
					t.Errorf("%v keys, n·a = %.3f, R = %.4f: %s at %.3f", keys, m, r, name, u)
				}
			}
		}
	}
	for i, g := range Settings {
		s := stretch[g.Name]
		if i > 0 {
			if before := stretch[Settings[i-1].Name]; s[0]-before[1] < 0.04 {
				t.Errorf("%s begins at %v, and what stands before it ends at %v", g.Name, s[0], before[1])
			}
		}
		if g.Shade() < s[0] || g.Shade() > s[1] {
			t.Errorf("bars of %s rows have the colour of %v", g.Name, g.Shade())
		}
	}
}
