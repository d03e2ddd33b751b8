package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"mcsim/sim/bench"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
)

// benchDocument is what bench prints as JSON.
type benchDocument struct {
	System         string                 `json:"system"`
	Cores          int                    `json:"cores"`
	Rounds         int                    `json:"rounds"`
	Kernels        []bench.Row            `json:"kernels"`
	Scaling        []scaling              `json:"scaling"`
	Softmax        []bench.SoftmaxRow     `json:"softmax"`
	Products       []bench.ProductRow     `json:"products"`
	Precision      []bench.Precision      `json:"precision"`
	Start          bench.Times            `json:"start_ms"`
	Laws           []bench.LawRatio       `json:"laws,omitempty"`
	Peers          []bench.Ratio          `json:"peers,omitempty"`
	SoftmaxPeers   []bench.SoftmaxRatio   `json:"softmax_peers,omitempty"`
	ProductPeers   []bench.ProductRatio   `json:"product_peers,omitempty"`
	PrecisionPeers []bench.PrecisionRatio `json:"precision_peers,omitempty"`
	Missing        []string               `json:"missing,omitempty"`
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
component (one product q_i·k_i, two variates), and what a second core adds;
softmax in nanoseconds per score; the products of the Gram estimator; and how
long Var(q·k) takes to 0.1 %. With --peers also run the NumPy, PyTorch and gonum
programs of a source checkout, in turn with mcsim, and print the ratios.
docs/performance.md says what the numbers mean.`,
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
const benchRound = 30 * time.Millisecond

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
	doc.Softmax = bench.Softmax(rounds, benchRound)
	doc.Products = bench.Products(rounds, benchRound)
	if doc.Precision, err = bench.Precisions(cores, rounds, measurePoint); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	doc.Start, err = bench.Start(self)
	return doc, err
}

// measurePoint runs a point as probe does and returns the seconds it took and
// the relative standard error of its Var(q·k).
func measurePoint(p bench.Point) (seconds, relative float64, err error) {
	begun := time.Now()
	f, flags := newProbeFlags()
	for name, value := range map[string]string{"estimator": p.Estimator, "d-k": strconv.Itoa(p.Dimension),
		"rel-se": strconv.FormatFloat(p.Relative, 'g', -1, 64), "workers": strconv.Itoa(p.Workers)} {
		if err := flags.Set(name, value); err != nil {
			return 0, 0, err
		}
	}
	doc, err := f.measure(context.Background(), nil)
	if err != nil {
		return 0, 0, err
	}
	seconds = time.Since(begun).Seconds()
	for _, r := range doc.Estimates {
		if r.Quantity == "score_variance" {
			return seconds, float64(r.SE / r.Theory), nil
		}
	}
	return 0, 0, fmt.Errorf("a probe of %+v has no score_variance", p)
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
	fastest := kernel.Names()[0]
	if doc.Laws, err = bench.CompareLaws(folder, list, fastest, components/20, doc.Rounds, benchRound); err != nil {
		return err
	}
	if doc.SoftmaxPeers, err = bench.CompareSoftmax(folder, fastest, doc.Rounds, 4*benchRound); err != nil {
		return err
	}
	if doc.ProductPeers, err = bench.CompareProducts(folder, fastest, doc.Rounds, 4*benchRound); err != nil {
		return err
	}
	doc.PrecisionPeers, err = bench.ComparePrecision(folder, doc.Cores, doc.Rounds, doc.Start.Median/1e3, measurePoint)
	return err
}
