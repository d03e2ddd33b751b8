package show

import (
	"math"
	"testing"
	"time"
)

func TestLasting(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "about 0s", 1234 * time.Millisecond: "about 1.2s", 75400 * time.Millisecond: "about 1m15s",
		50 * time.Hour: "about 2 days", 364 * 24 * time.Hour: "about 364 days", math.MaxInt64: "more than a year",
	} {
		if got := Lasting(d); got != want {
			t.Errorf("%d ns: %s, want %s", d, got, want)
		}
	}
}
