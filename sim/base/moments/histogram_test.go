package moments

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func countInBin(h Histogram, bin int) int64 {
	if i := bin - h.FirstBin; i >= 0 && i < len(h.Counts) {
		return h.Counts[i]
	}
	return 0
}

func TestAddHistograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := generateHistogram(t), generateHistogram(t)
		b.Windows = a.Windows
		sum := a
		sum.Counts = slices.Clone(a.Counts)
		sum.Add(b)
		for bin := range 30 {
			if got, want := countInBin(sum, bin), countInBin(a, bin)+countInBin(b, bin); got != want {
				t.Errorf("bin %d of %v and %v: %d, want %d", bin, a, b, got, want)
			}
		}
		if got, want := sum.Total(), a.Total()+b.Total(); got != want {
			t.Errorf("%v and %v: %d numbers, want %d", a, b, got, want)
		}
	})
}
