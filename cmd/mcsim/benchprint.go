package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"mcsim/sim/bench"
)

func printBench(w io.Writer, doc *benchDocument) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "ns per component, d_k = %d, median of %d rounds [range]\n", bench.Dimension, doc.Rounds)
	fmt.Fprintln(t, "law\tkernel\tworkers\tns")
	for _, r := range doc.Kernels {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", r.Law, r.Kernel, r.Workers, spread(r.Times))
	}
	fmt.Fprintln(t)
	for _, s := range doc.Scaling {
		fmt.Fprintf(t, "%s\t%d cores are\t%s×\tone\n", s.Law, s.Workers, spread(s.Factor))
	}
	printOthers(t, doc)
	fmt.Fprintf(t, "\na probe of the fewest samples takes %s ms\n", spread(doc.Start))
	if len(doc.Laws) > 0 {
		fmt.Fprintf(t, "\none worker against NumPy float64 in one process, ns per component without start-up\nlaw\tmcsim\tNumPy\tratio\n")
	}
	for _, r := range doc.Laws {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s×\n", r.Law, spread(r.Ours), spread(r.NumPy), spread(r.Ratio))
	}
	if len(doc.Peers) > 0 {
		fmt.Fprintf(t, "\nwhole processes in turn, %.2g components of the law normal, seconds;\nlast without the start of the peer\npeer\tmcsim\tours\tpeer\tratio\tratio\n", doc.Peers[0].Components)
	}
	for _, r := range doc.Peers {
		fmt.Fprintf(t, "%s\t%s, workers: %d\t%s\t%s\t%s×\t%s×\n", r.Peer, r.Kernel, r.Workers,
			spread(r.Ours), spread(r.Theirs), spread(r.Ratio), spread(r.Alone))
	}
	printOtherPeers(t, doc)
	for _, m := range doc.Missing {
		fmt.Fprintf(t, "not compared: %s\n", m)
	}
	return t.Flush()
}

func spread(x bench.Times) string {
	return fmt.Sprintf("%.3g [%.3g, %.3g]", x.Median, x.Min, x.Max)
}

// printOthers prints what is not nanoseconds per component.
func printOthers(w io.Writer, doc *benchDocument) {
	fmt.Fprintf(w, "\nsoftmax, one worker, ns per score: greatest weight, entropy, Σα², ‖J‖\nkeys\tkernel\t\tns\n")
	for _, r := range doc.Softmax {
		fmt.Fprintf(w, "%d\t%s\t\t%s\n", r.Keys, r.Kernel, spread(r.Times))
	}
	fmt.Fprintf(w, "\nproducts of the Gram estimator, one worker, GFLOP/s\n")
	for _, r := range doc.Products {
		fmt.Fprintf(w, "%s\t\t\t%s\n", r.Kernel, spread(r.Times))
	}
	fmt.Fprintf(w, "\nVar(q·k) to a relative standard error of 0.1 %%, normal, seconds without start-up\nestimator\td_k\tworkers\tseconds\trun to\n")
	for _, r := range doc.Precision {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%.1f %%\n", r.Estimator, r.Dimension, r.Workers, spread(r.Times), 100*r.Relative)
	}
}

func printOtherPeers(w io.Writer, doc *benchDocument) {
	if len(doc.SoftmaxPeers) > 0 {
		fmt.Fprintf(w, "\nsoftmax on one core in turn, ns per score\npeer\tkeys\tours\tpeer\tratio\n")
	}
	for _, r := range doc.SoftmaxPeers {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s×\n", r.Peer, r.Keys, spread(r.Ours), spread(r.Theirs), spread(r.Ratio))
	}
	if len(doc.ProductPeers) > 0 {
		fmt.Fprintf(w, "\nproducts on one core in turn, GFLOP/s\npeer\tkernel\tours\tpeer\tratio\n")
	}
	for _, r := range doc.ProductPeers {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s×\n", r.Peer, r.Kernel, spread(r.Ours), spread(r.Theirs), spread(r.Ratio))
	}
	if len(doc.PrecisionPeers) > 0 {
		fmt.Fprintf(w, "\nVar(q·k) to 0.1 %% by gram, workers: %d, seconds without start-up; last with the start of mcsim alone\npeer\td_k\tours\tpeer\tratio\tratio\n", doc.PrecisionPeers[0].Workers)
	}
	for _, r := range doc.PrecisionPeers {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s×\t%s×\n", r.Peer, r.Dimension, spread(r.Ours), spread(r.Theirs), spread(r.Ratio), spread(r.Whole))
	}
}
