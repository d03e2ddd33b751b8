package moments

// Histogram counts numbers by bin: Counts[i] of them lie in bin From + i. The
// bins around them are empty and not kept.
type Histogram struct {
	From   int
	Counts []int64
}

// Total is how many numbers the histogram counts.
func (h Histogram) Total() int64 {
	var n int64
	for _, c := range h.Counts {
		n += c
	}
	return n
}

// MergeHistograms adds the counts of two histograms.
func MergeHistograms(a, b Histogram) Histogram {
	if len(a.Counts) == 0 {
		return b
	}
	if len(b.Counts) == 0 {
		return a
	}
	from := min(a.From, b.From)
	sum := Histogram{from, make([]int64, max(a.From+len(a.Counts), b.From+len(b.Counts))-from)}
	for _, h := range []Histogram{a, b} {
		for i, c := range h.Counts {
			sum.Counts[h.From-from+i] += c
		}
	}
	return sum
}
