package show

import (
	"strings"
	"testing"
	"time"
)

// TestBar checks the text of the bar. A remaining time that is too long for a Duration must not
// become negative.
func TestBar(t *testing.T) {
	b := NewBar(nil, 6, 12, func(float64, time.Duration) string { return "3 rows/s" })
	b.Add(3)
	if got, want := b.line(time.Second), "drawing 75 %, 3 rows/s, 1s left"; got != want {
		t.Errorf("the bar is %q, want %q", got, want)
	}
	b = NewBar(nil, 0, 1e90, func(float64, time.Duration) string { return "" })
	b.Add(1)
	if line := b.line(time.Hour); strings.Contains(line, "-") {
		t.Errorf("the remaining time is negative: %q", line)
	}
}
