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

// MergeHistograms adds the counts of two histograms of the same windows.
func MergeHistograms(a, b Histogram) Histogram {
	if !slices.Equal(a.Windows, b.Windows) {
		panic("moments: merge of histograms of different windows")
	}
	if len(a.Counts) == 0 {
		return b
	}
	if len(b.Counts) == 0 {
		return a
	}
	from := min(a.From, b.From)
	sum := Histogram{a.Windows, from, make([]int64, max(a.From+len(a.Counts), b.From+len(b.Counts))-from)}
	for _, h := range []Histogram{a, b} {
		for i, c := range h.Counts {
			sum.Counts[h.From-from+i] += c
		}
	}
	return sum
}
