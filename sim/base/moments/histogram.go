package moments

import "slices"

// Window is the interval [Lo, Lo + Bins·Step), in which a histogram has bins of the width Step.
type Window struct {
	Lo, Step float64
	Bins     int
}

// Histogram counts numbers by bin: Counts[i] is the count of bin FirstBin + i. All other bins are
// empty and not stored. Package quantile defines the bins. Windows are intervals with finer bins;
// they are part of the histogram, so that it can be read without other data.
type Histogram struct {
	Windows  []Window
	FirstBin int
	Counts   []int64
}

// Total returns the sum of all counts.
func (h Histogram) Total() int64 {
	var n int64
	for _, c := range h.Counts {
		n += c
	}
	return n
}

// extend extends Counts, if necessary, to include the given number of bins from first on.
func (h *Histogram) extend(first, bins int) {
	end := h.FirstBin + len(h.Counts)
	switch {
	case len(h.Counts) == 0:
		h.FirstBin, h.Counts = first, make([]int64, bins)
	case first < h.FirstBin || first+bins > end:
		newFirst := min(first, h.FirstBin)
		counts := make([]int64, max(first+bins, end)-newFirst)
		copy(counts[h.FirstBin-newFirst:], h.Counts)
		h.FirstBin, h.Counts = newFirst, counts
	}
}

// Add adds the counts of another histogram with the same windows. If h is empty, it then shares the
// memory of other.
func (h *Histogram) Add(other Histogram) {
	switch {
	case !slices.Equal(h.Windows, other.Windows):
		panic("moments: merge of histograms of different windows")
	case len(h.Counts) == 0:
		*h = other
		return
	case len(other.Counts) == 0:
		return
	}
	h.extend(other.FirstBin, len(other.Counts))
	target := h.Counts[other.FirstBin-h.FirstBin:]
	for i, c := range other.Counts {
		target[i] += c
	}
}
