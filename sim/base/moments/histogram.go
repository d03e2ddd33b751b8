package moments

import "slices"

// Window is a part of a histogram's scale that is resolved finely: so many bins of
// a width Step, from Lo on.
type Window struct {
	Lo, Step float64
	Bins     int
}

// Histogram counts numbers by bin: Counts[i] of them lie in bin From + i. The
// bins around them are empty and not kept. What the bins are package quantile
// knows; where they are finer in some windows, these stand here, so that a
// histogram can be read by itself.
type Histogram struct {
	Windows  []Window
	FirstBin int
	Counts   []int64
}

// Total is how many numbers the histogram counts.
func (h Histogram) Total() int64 {
	var n int64
	for _, c := range h.Counts {
		n += c
	}
	return n
}

// extend makes room for the bins from one on, so many.
func (h *Histogram) extend(from, bins int) {
	switch end := h.FirstBin + len(h.Counts); {
	case len(h.Counts) == 0:
		h.FirstBin, h.Counts = from, make([]int64, bins)
	case from < h.FirstBin || from+bins > end:
		first := min(from, h.FirstBin)
		counts := make([]int64, max(from+bins, end)-first)
		copy(counts[h.FirstBin-first:], h.Counts)
		h.FirstBin, h.Counts = first, counts
	}
}

// Add adds the counts of another histogram of the same windows, whose room may become the first's.
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
