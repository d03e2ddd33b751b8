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

func TestGradeSetting(t *testing.T) {
	for _, c := range []struct {
		concentration, dead float64
		want                string
	}{
		{0.3, 0, names.LabelSpread}, {1, 0, names.LabelSpread}, {1, 0.9, names.LabelSpread},
		{1.01, 0, names.LabelConcentrated}, {2, 0.5, names.LabelConcentrated}, {2, 0.51, names.LabelDead},
	} {
		if got := gradeSetting(newEstimate(c.concentration, 8), newEstimate(c.dead, 8)).Name; got != c.want {
			t.Errorf("concentration %v, proportion of dead rows %v: got %s, want %s", c.concentration, c.dead, got,
				c.want)
		}
	}
}

// TestColoursAgreeWithLabels checks that positions on the colour scale increase from uniform
// weights to a single key, and that exactly the settings with the label spread have positions up to
// 1/2.
func TestColoursAgreeWithLabels(t *testing.T) {
	for _, keys := range []float64{2, 8, 64, 4096} {
		for _, limit := range []float64{1.2 / keys, math.Sqrt(1 / keys), 0.9} {
			previous := -1.0
			for collision := 1 / keys; collision < 1; collision *= 1.01 {
				concentration := newEstimate(collision/limit, keys)
				position, ok := ColourPosition(concentration, newEstimate(collision, keys))
				isSpread := gradeSetting(concentration, newEstimate(0, keys)).Name == names.LabelSpread
				if !ok || position < previous || position > 1 {
					t.Errorf("%v keys, limit %v, Σα² %v: got position %v (%v), want one from %v to 1",
						keys, limit, collision, position, ok, previous)
				}
				if isSpread != (position <= 0.5) {
					t.Errorf("%v keys, limit %v, Σα² %v: the position is %v, but the label spread is %v",
						keys, limit, collision, position, isSpread)
				}
				previous = position
			}
		}
	}
	if _, ok := ColourPosition(newEstimate(1, 1), newEstimate(1, 1)); ok {
		t.Error("a row of one key has a colour")
	}
}
