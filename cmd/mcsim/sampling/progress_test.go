package sampling

import (
	"strings"
	"testing"
	"time"
)

// TestBar checks the proportion and the remaining time, and that a time too long for a Duration is
// not negative.
func TestBar(t *testing.T) {
	b := newBar(nil, 6, 12, func(float64, time.Duration) string { return "3 rows/s" })
	b.Add(3)
	if line := b.line(time.Second); line != "drawing 75 %, 3 rows/s, 1s left" {
		t.Errorf("it says %q", line)
	}
	b = newBar(nil, 0, 1e90, func(float64, time.Duration) string { return "" })
	b.Add(1)
	if line := b.line(time.Hour); strings.Contains(line, "-") {
		t.Errorf("it says %q", line)
	}
}
