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
	Windows []Window
	From    int
	Counts  []int64
}

// Total is how many numbers the histogram counts.
func (h Histogram) Total() int64 {
	var n int64
	for _, c := range h.Counts {
		n += c
	}
	return n
}

// reach makes room for the bins from one on, so many.
func (h *Histogram) reach(from, bins int) {
	switch end := h.From + len(h.Counts); {
	case len(h.Counts) == 0:
		h.From, h.Counts = from, make([]int64, bins)
	case from < h.From || from+bins > end:
		first := min(from, h.From)
		counts := make([]int64, max(from+bins, end)-first)
		copy(counts[h.From-first:], h.Counts)
		h.From, h.Counts = first, counts
	}
}

// Add adds the counts of another histogram of the same windows, whose room may become the first's.
func (h *Histogram) Add(more Histogram) {
	switch {
	case !slices.Equal(h.Windows, more.Windows):
		panic("moments: merge of histograms of different windows")
	case len(h.Counts) == 0:
		*h = more
		return
	case len(more.Counts) == 0:
		return
	}
	h.reach(more.From, len(more.Counts))
	to := h.Counts[more.From-h.From:]
	for i, c := range more.Counts {
		to[i] += c
	}
}
