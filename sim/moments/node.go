package moments

// Node is all that is merged, cached and sent between machines: one Moments
// per column of a cell, counts of events, and histograms.
type Node struct {
	Moments    []Moments
	Counts     []int64
	Histograms []Histogram
}

// MergeNodes joins two nodes of the same layout, a's draws before b's. Of two parts of a
// range the first may have left its histograms to the second.
func MergeNodes(a, b Node) Node {
	if len(a.Histograms) == 0 {
		a.Histograms = make([]Histogram, len(b.Histograms))
		for i, h := range b.Histograms {
			a.Histograms[i].Windows = h.Windows
		}
	}
	if len(a.Moments) != len(b.Moments) || len(a.Counts) != len(b.Counts) || len(a.Histograms) != len(b.Histograms) {
		panic("moments: merge of nodes of different layout")
	}
	n := Node{Moments: make([]Moments, len(a.Moments)), Counts: make([]int64, len(a.Counts)), Histograms: make([]Histogram, len(a.Histograms))}
	for i := range a.Moments {
		n.Moments[i] = Merge(a.Moments[i], b.Moments[i])
	}
	for i := range a.Counts {
		n.Counts[i] = a.Counts[i] + b.Counts[i]
	}
	for i := range a.Histograms {
		n.Histograms[i] = MergeHistograms(a.Histograms[i], b.Histograms[i])
	}
	return n
}
