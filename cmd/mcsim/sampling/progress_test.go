package sampling

import (
	"strings"
	"testing"
	"time"
)

// The line says how much is drawn, and how long the rest takes at the rate since it began; what
// takes longer than there are numbers for takes long, and not less than nothing.
func TestBar(t *testing.T) {
	b := startBar(nil, 6, 12, func(float64, time.Duration) string { return "so fast" })
	b.Add(3)
	if said := b.line(time.Second); said != "drawing 75 %, so fast, 1s left" {
		t.Errorf("it says %q", said)
	}
	b = startBar(nil, 0, 1e90, func(float64, time.Duration) string { return "" })
	b.Add(1)
	if said := b.line(time.Hour); strings.Contains(said, "-") {
		t.Errorf("it says %q", said)
	}
}
