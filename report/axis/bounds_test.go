package axis

import (
	"math"
	"testing"
)

// However far values lie apart, an axis has finite ends and few ticks.
func TestTicksAreBounded(t *testing.T) {
	values := []float64{-math.MaxFloat64, -1e300, -1e17, 0, 5e-324, 1e-300, 1, 1e17, 1e17 + 16, 1e301, math.MaxFloat64}
	for _, lo := range values {
		for _, hi := range values {
			for _, log := range []bool{false, true} {
				s, ok := Fit(log, []float64{lo, hi})
				if !ok {
					continue
				}
				ts := LinearTicks(s, 7)
				if log {
					ts = LogTicks(s, 7, []float64{1, 2})
				}
				if math.IsInf(s.Hi, 0) || math.IsInf(s.Lo, 0) || len(ts) > 2*mostTicks {
					t.Errorf("%v to %v, log %v: axis %v, %d ticks", lo, hi, log, s, len(ts))
				}
			}
		}
	}
}
