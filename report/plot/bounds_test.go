package plot

import (
	"math"
	"testing"
)

// TestTicksAreBounded checks that an axis has finite ends and few ticks for any finite values.
func TestTicksAreBounded(t *testing.T) {
	values := []float64{-math.MaxFloat64, -1e300, -1e17, 0, 5e-324, 1e-300, 1, 1e17, 1e17 + 16, 1e301, math.MaxFloat64}
	for _, lo := range values {
		for _, hi := range values {
			for _, log := range []bool{false, true} {
				s, ok := newScale(log, []float64{lo, hi})
				if !ok {
					continue
				}
				s = s.withRoom()
				ts := LinearTicks(s, 7)
				if log {
					ts = LogTicks(s, 7, []float64{1, 2})
				}
				if math.IsInf(s.Hi, 0) || math.IsInf(s.Lo, 0) || len(ts) > 2*maxTicks {
					t.Errorf("%v to %v, log %v: axis %v, %d ticks", lo, hi, log, s, len(ts))
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
