package plot

import (
	"math"
	"testing"
)

// TestTicksAreBounded checks that the ends of an axis are finite and the number of its ticks is
// bounded for any finite values.
func TestTicksAreBounded(t *testing.T) {
	values := []float64{-math.MaxFloat64, -1e300, -1e17, 0, 5e-324, 1e-300, 1, 1e17, 1e17 + 16, 1e301, math.MaxFloat64}
	for _, lo := range values {
		for _, hi := range values {
			for _, log := range []bool{false, true} {
				scale, ok := newScale(log, []float64{lo, hi})
				if !ok {
					continue
				}
				scale = scale.withRoom()
				ticks := LinearTicks(scale, 7)
				if log {
					ticks = LogTicks(scale, 7, []float64{1, 2})
				}
				if math.IsInf(scale.Hi, 0) || math.IsInf(scale.Lo, 0) {
					t.Errorf("values %v and %v, log %v: the axis %v is not finite", lo, hi, log, scale)
				}
				if len(ticks) > 2*maxTicks {
					t.Errorf("values %v and %v, log %v: got %d ticks, want at most %d", lo, hi, log, len(ticks), 2*maxTicks)
				}
			}
		}
	}
}

func TestPosition(t *testing.T) {
	for _, c := range []struct {
		s       Scale
		v, want float64
	}{
		{Scale{Lo: 2, Hi: 6}, 2, 0}, {Scale{Lo: 2, Hi: 6}, 3, 0.25}, {Scale{Lo: 2, Hi: 6}, 9, 1},
		{Scale{Log: true, Lo: 1, Hi: 256}, 4, 0.25}, {Scale{Log: true, Lo: 1, Hi: 256}, 512, 1},
		{Scale{Log: true, Lo: 1, Hi: 256}, 0, 0},
	} {
		if got := c.s.Position(c.v); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v is at %v of %+v, want %v", c.v, got, c.s, c.want)
		}
	}
}
