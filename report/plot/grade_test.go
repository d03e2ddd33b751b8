package plot

import (
	"math"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

func newEstimate(value, keys float64) result.Estimate {
	return result.Estimate{Value: result.Number(value), Params: result.Params{names.ParamKeys: keys}}
}

func TestGradeOf(t *testing.T) {
	for _, c := range []struct {
		concentration, dead float64
		want                string
	}{
		{0.3, 0, names.LabelSpread}, {1, 0, names.LabelSpread}, {1, 0.9, names.LabelSpread},
		{1.01, 0, names.LabelConcentrated}, {2, 0.5, names.LabelConcentrated}, {2, 0.51, names.LabelDead},
	} {
		if got := gradeSetting(newEstimate(c.concentration, 8), newEstimate(c.dead, 8)).Name; got != c.want {
			t.Errorf("%v of the limit, %v dead: %s, want %s", c.concentration, c.dead, got, c.want)
		}
	}
}

// TestColoursAgreeWithLabels checks that colours do not contradict labels, and their positions
// increase from uniform weights to a single key.
func TestColoursAgreeWithLabels(t *testing.T) {
	for _, keys := range []float64{2, 8, 64, 4096} {
		for _, limit := range []float64{1.2 / keys, math.Sqrt(1 / keys), 0.9} {
			previous := -1.0
			for collision := 1 / keys; collision < 1; collision *= 1.01 {
				concentration := newEstimate(collision/limit, keys)
				u, ok := ColourPosition(concentration, newEstimate(collision, keys))
				spread := gradeSetting(concentration, newEstimate(0, keys)).Name == names.LabelSpread
				if !ok || u < previous || u > 1 || spread != (u <= 0.5) {
					t.Errorf("%v keys, limit %v, Σα² %v: position %v after %v, spread %v",
						keys, limit, collision, u, previous, spread)
				}
				previous = u
			}
		}
	}
	if _, ok := ColourPosition(newEstimate(1, 1), newEstimate(1, 1)); ok {
		t.Error("a row of one key has a colour")
	}
}
