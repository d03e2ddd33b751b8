package schedule

import (
	"math"
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]time.Duration{0: 0, 1.5: 1500 * time.Millisecond, 1e10: math.MaxInt64, 1e300: math.MaxInt64} {
		if got := duration(seconds); got != want {
			t.Errorf("%v s: %d, want %d", seconds, got, want)
		}
	}
}
