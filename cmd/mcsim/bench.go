package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"mcsim/sim/bench"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
)

// benchDocument is what bench prints as JSON.
type benchDocument struct {
	System  string           `json:"system"`
	Cores   int              `json:"cores"`
	Rounds  int              `json:"rounds"`
	Kernels []bench.Row      `json:"kernels"`
	Scaling []scaling        `json:"scaling"`
	Start   bench.Times      `json:"start_ms"`
	Laws    []bench.LawRatio `json:"laws,omitempty"`
	Peers   []bench.Ratio    `json:"peers,omitempty"`
	Missing []string         `json:"missing,omitempty"`
}

// scaling is how much faster all cores were than one.
type scaling struct {
	Law     string  `json:"law"`
	Workers int     `json:"workers"`
	Factor  float64 `json:"factor"`
}

func benchCommand() *cobra.Command {
	var asJSON, peers bool
	var folder string
	var rounds int
	count := numberFlag{value: 2e8, text: "2e8"}
	c := &cobra.Command{
		Use:   "bench",
		Short: "time the kernels, and with --peers other programs beside them",
		Long: `Time every law on every kernel that this processor has, in nanoseconds per
component (one product q_i·k_i, two variates), and what a second core adds.
With --peers also run the NumPy, PyTorch and gonum programs of a source
checkout, in turn with mcsim, and print the ratios. docs/performance.md says
what the numbers mean.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if rounds < 1 || rounds > 100 {
				return fmt.Errorf("--rounds: %d is not in 1..100", rounds)
			}
			if _, err := experiment.Integer(count.text, 1e6, 1e12); err != nil {
				return fmt.Errorf("--components: %w", err)
			}
			doc, err := measure(rounds)
			if err != nil {
				return err
			}
			if peers {
				if err := comparePeers(doc, folder, count.value); err != nil {
					return err
				}
			}
			if asJSON {
				return writeJSON(c.OutOrStdout(), doc)
			}
			return printBench(c.OutOrStdout(), doc)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&peers, "peers", false, "run other programs too, as ratios")
	c.Flags().StringVar(&folder, "peers-dir", "sim/testdata/peers", "folder of the peers")
	c.Flags().IntVar(&rounds, "rounds", 5, "rounds, each of all that is compared")
	c.Flags().Var(&count, "components", "components of one run of a peer")
	return c
}

// laws are all laws with their usual parameters.
func laws() ([]law.Law, error) {
	var list []law.Law
	for _, name := range law.Names() {
		l, err := law.Parse(name, experiment.Number)
		if err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, nil
}

// benchRound is how long one kernel runs in one round.
const benchRound = 40 * time.Millisecond

func measure(rounds int) (*benchDocument, error) {
	list, err := laws()
	if err != nil {
		return nil, err
	}
	cores := runtime.NumCPU()
	doc := &benchDocument{System: runtime.GOOS + "/" + runtime.GOARCH, Cores: cores, Rounds: rounds,
		Kernels: bench.Kernels(list, cores, rounds, benchRound)}
	one := map[string]float64{}
	for _, r := range doc.Kernels {
		if r.Kernel != kernel.Names()[0] {
			continue
		}
		if r.Workers == 1 {
			one[r.Law] = r.Median
		} else {
			doc.Scaling = append(doc.Scaling, scaling{r.Law, r.Workers, one[r.Law] / r.Median})
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	doc.Start, err = bench.Start(self)
	return doc, err
}

func comparePeers(doc *benchDocument, folder string, components float64) error {
	if _, err := os.Stat(folder); err != nil {
		return fmt.Errorf("--peers wants a source checkout: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "mcsim-peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	peers, missing := bench.FindPeers(folder, temp, kernel.Names())
	doc.Missing = missing
	for _, p := range peers {
		r, err := p.Compare(self, components, doc.Rounds)
		if err != nil {
			return err
		}
		doc.Peers = append(doc.Peers, r)
	}
	list, err := laws()
	if err != nil {
		return err
	}
	doc.Laws, err = bench.CompareLaws(folder, list, kernel.Names()[0], components/20, doc.Rounds, benchRound)
	return err
}

func printBench(w io.Writer, doc *benchDocument) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "ns per component, d_k = %d, median of %d rounds [range]\n", bench.Dimension, doc.Rounds)
	fmt.Fprintln(t, "law\tkernel\tworkers\tns")
	for _, r := range doc.Kernels {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", r.Law, r.Kernel, r.Workers, spread(r.Times))
	}
	fmt.Fprintln(t)
	for _, s := range doc.Scaling {
		fmt.Fprintf(t, "%s\t%d cores are\t%.2f×\tone\n", s.Law, s.Workers, s.Factor)
	}
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
	for _, m := range doc.Missing {
		fmt.Fprintf(t, "not compared: %s\n", m)
	}
	return t.Flush()
}

func spread(x bench.Times) string {
	return fmt.Sprintf("%.3g [%.3g, %.3g]", x.Median, x.Min, x.Max)
}
