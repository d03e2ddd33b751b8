package moments

import "slices"

// Node is all that is merged, cached and sent between machines: one Moments
// per column of a cell, counts of events, and histograms.
type Node struct {
	Moments    []Moments
	Counts     []int64
	Histograms []Histogram
}

// Layout is what nodes have in common that can be merged.
type Layout struct {
	orders  []int
	counts  int
	windows [][]Window // of the histograms; none where no node had any yet
}

// Fits reports whether a node can be merged with those that fitted before, the first of which
// decides.
func (l *Layout) Fits(n Node) bool {
	own := layoutOf(n)
	if l.orders == nil {
		*l = own
		return true
	}
	if len(l.windows) == 0 {
		l.windows = own.windows
	}
	return slices.Equal(l.orders, own.orders) && l.counts == own.counts &&
		(len(own.windows) == 0 || slices.EqualFunc(l.windows, own.windows, slices.Equal[[]Window]))
}

func layoutOf(n Node) Layout {
	l := Layout{orders: make([]int, len(n.Moments)), counts: len(n.Counts)}
	for i, m := range n.Moments {
		l.orders[i] = m.Order
	}
	for _, h := range n.Histograms {
		l.windows = append(l.windows, h.Windows)
	}
	return l
}

// MergeNodes joins two nodes of the same layout, a's draws before b's. One may have left
// its histograms to the other.
func MergeNodes(a, b Node) Node {
	n := mergeNumbers(a, b)
	n.Histograms = mergeAll(a.Histograms, b.Histograms)
	return n
}

// mergeNumbers joins the moments and counts of two nodes.
func mergeNumbers(a, b Node) Node {
	if len(a.Moments) != len(b.Moments) || len(a.Counts) != len(b.Counts) {
		panic("moments: merge of nodes of different layout")
	}
	n := Node{Moments: make([]Moments, len(a.Moments)), Counts: make([]int64, len(a.Counts))}
	for i := range a.Moments {
		n.Moments[i] = Merge(a.Moments[i], b.Moments[i])
	}
	for i := range a.Counts {
		n.Counts[i] = a.Counts[i] + b.Counts[i]
	}
	return n
}

// mergeAll adds the counts of histograms one by one; of none on one side the other's are
// all.
func mergeAll(a, b []Histogram) []Histogram {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	case len(a) != len(b):
		panic("moments: merge of nodes of different layout")
	}
	out := make([]Histogram, len(a))
	for i := range a {
		out[i] = MergeHistograms(a[i], b[i])
	}
	return out
}
