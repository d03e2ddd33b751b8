package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"mcsim/sim/bench"
)

// printed prints every comparison as a table.
func printed(w io.Writer, doc *Document) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s, %d cores; d_k = %d, median of %d rounds [range]\n", doc.System, doc.Cores, Dimension, doc.Rounds)
	if len(doc.Processes) > 0 {
		fmt.Fprintf(t, "\nwhole processes in turn, %.2g components of the law normal, seconds;\nlast without the start of the peer\npeer\tmcsim\tours\tpeer\tratio\tratio\n", doc.Processes[0].Components)
	}
	for _, r := range doc.Processes {
		fmt.Fprintf(t, "%s\t%s, workers: %d\t%s\t%s\t%s×\t%s×\n", r.Peer, r.Kernel, r.Workers,
			spread(r.Ours), spread(r.Theirs), spread(r.Ratio), spread(r.Alone))
	}
	if len(doc.Laws) > 0 {
		fmt.Fprintf(t, "\none worker against NumPy float64 in one process, ns per component without start-up\nlaw\tmcsim\tNumPy\tratio\n")
	}
	for _, r := range doc.Laws {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s×\n", r.Law, spread(r.Ours), spread(r.NumPy), spread(r.Ratio))
	}
	printParts(t, doc)
	for _, m := range doc.Missing {
		fmt.Fprintf(t, "not compared: %s\n", m)
	}
	return t.Flush()
}

// printParts prints the comparisons of softmax, products and precision.
func printParts(w io.Writer, doc *Document) {
	if len(doc.Softmax) > 0 {
		fmt.Fprintf(w, "\nsoftmax on one core in turn, ns per score\npeer\tkeys\tours\tpeer\tratio\n")
	}
	for _, r := range doc.Softmax {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s×\n", r.Peer, r.Keys, spread(r.Ours), spread(r.Theirs), spread(r.Ratio))
	}
	if len(doc.Products) > 0 {
		fmt.Fprintf(w, "\nproducts on one core in turn, GFLOP/s\npeer\tkernel\tours\tpeer\tratio\n")
	}
	for _, r := range doc.Products {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s×\n", r.Peer, r.Kernel, spread(r.Ours), spread(r.Theirs), spread(r.Ratio))
	}
	if len(doc.Precision) > 0 {
		fmt.Fprintf(w, "\nVar(q·k) to 0.1 %% by gram, workers: %d, seconds without start-up; last with the start of mcsim alone\npeer\td_k\tours\tpeer\tratio\tratio\n", doc.Precision[0].Workers)
	}
	for _, r := range doc.Precision {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s×\t%s×\n", r.Peer, r.Dimension, spread(r.Ours), spread(r.Theirs), spread(r.Ratio), spread(r.Whole))
	}
}

// spread is a median with its range.
func spread(x bench.Times) string {
	return fmt.Sprintf("%.3g [%.3g, %.3g]", x.Median, x.Min, x.Max)
}
