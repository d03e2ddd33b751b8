package moments

import "slices"

// Node is the unit that is merged, stored and sent between machines: the Moments of each column of
// a cell, counts of events, and histograms.
type Node struct {
	Moments    []Moments
	Counts     []int64
	Histograms []Histogram
}

// Layout is the common structure of nodes that can be merged. The zero value accepts every node.
type Layout struct {
	orders  []int
	counts  int
	windows [][]Window // windows of each histogram; nil until a node has histograms
}

// Accepts reports whether a node can be merged with the nodes that were accepted before. The first
// node sets the layout.
func (l *Layout) Accepts(n Node) bool {
	layout := newLayout(n)
	if l.orders == nil {
		*l = layout
		return true
	}
	if len(l.windows) == 0 {
		l.windows = layout.windows
	}
	return slices.Equal(l.orders, layout.orders) && l.counts == layout.counts &&
		(len(layout.windows) == 0 || slices.EqualFunc(l.windows, layout.windows, slices.Equal[[]Window]))
}

func newLayout(n Node) Layout {
	l := Layout{orders: make([]int, len(n.Moments)), counts: len(n.Counts)}
	for i, m := range n.Moments {
		l.orders[i] = m.Order
	}
	for _, h := range n.Histograms {
		l.windows = append(l.windows, h.Windows)
	}
	return l
}

// MergeNodes merges two nodes of the same layout, the numbers of a before the numbers of b. It
// reuses the memory of a. One of the nodes may lack the histograms.
func MergeNodes(a, b Node) Node {
	bothHaveHistograms := len(a.Histograms) > 0 && len(b.Histograms) > 0
	if len(a.Moments) != len(b.Moments) || len(a.Counts) != len(b.Counts) ||
		bothHaveHistograms && len(a.Histograms) != len(b.Histograms) {
		panic("moments: merge of nodes of different layout")
	}
	for i, m := range b.Moments {
		a.Moments[i] = Merge(a.Moments[i], m)
	}
	for i, c := range b.Counts {
		a.Counts[i] += c
	}
	if len(a.Histograms) == 0 {
		a.Histograms = b.Histograms
		return a
	}
	for i, h := range b.Histograms {
		a.Histograms[i].Add(h)
	}
	return a
}
