package moments

// Node is all that is merged, cached and sent between machines: one Moments
// per column of a cell, and counts of events.
type Node struct {
	Moments []Moments
	Counts  []int64
}

// MergeNodes joins two nodes of the same layout, a's draws before b's.
func MergeNodes(a, b Node) Node {
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
