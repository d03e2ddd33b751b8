package moments

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// count is the number in a bin.
func count(h Histogram, bin int) int64 {
	if i := bin - h.From; i >= 0 && i < len(h.Counts) {
		return h.Counts[i]
	}
	return 0
}

func TestAddHistograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyHistogram(t), anyHistogram(t)
		b.Windows = a.Windows
		sum := a
		sum.Counts = slices.Clone(a.Counts)
		sum.Add(b)
		for bin := range 30 {
			if got, want := count(sum, bin), count(a, bin)+count(b, bin); got != want {
				t.Errorf("bin %d of %v and %v: %d, want %d", bin, a, b, got, want)
			}
		}
		if got, want := sum.Total(), a.Total()+b.Total(); got != want {
			t.Errorf("%v and %v: %d numbers, want %d", a, b, got, want)
		}
	})
}
