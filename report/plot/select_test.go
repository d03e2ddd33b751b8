package plot

import (
	"math"
	"testing"

	"mcsim/report/rows"
	"mcsim/sim/result"
)

// A value of 0 on an axis of logarithms stands at the end of its interval, in the unit of the
// axis; a value that only its unit makes 0 does not.
func TestAtMostInAUnit(t *testing.T) {
	d := Data{Panel: Panel{X: Axis{Param: "n", Log: true}, Y: Axis{Log: true}}}
	none := result.Estimate{Params: result.Params{"n": 4.0}, Value: 0, SE: result.Absent(), Lo: 0, Hi: 0.003, Theory: 0.5}
	for _, c := range []struct {
		in   Unit
		want float64
	}{{nil, 0.003}, {rows.InPercent, 0.3}} {
		if pt, ok := d.atMost(none, c.in); !ok || pt.X != 4 || math.Abs(pt.Hi-c.want) > 1e-12 {
			t.Errorf("%+v, %t: want %v", pt, ok, c.want)
		}
	}
	some := none
	some.Value = 0.5
	if pt, ok := d.atMost(some, rows.FromTheory); ok {
		t.Errorf("a value at its theory is none: %+v", pt)
	}
}
